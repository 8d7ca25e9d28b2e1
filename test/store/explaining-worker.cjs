// Runs PGlite in a thread, because jest does not load its ES modules. Answers each statement with its rows and the plans that it reports.
const { parentPort } = require('node:worker_threads');
const { PGlite } = require('@electric-sql/pglite');
const { auto_explain } = require('@electric-sql/pglite/contrib/auto_explain');

const created = PGlite.create({ extensions: { auto_explain } });
let last = created;

parentPort.on('message', ({ sql, parameters }) => {
  last = last.then(async () => {
    const plans = [];
    try {
      const database = await created;
      const onNotice = ({ message }) => plans.push(message);
      const rows = parameters === null ? [] : (await database.query(sql, parameters, { onNotice })).rows;
      if (parameters === null) await database.exec(sql);
      parentPort.postMessage({ rows, plans });
    } catch (error) {
      parentPort.postMessage({ rows: [], plans, error: String(error) });
    }
  });
});
