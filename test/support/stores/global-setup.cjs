const prepare = require('../global-setup.cjs');
// jest compiles what this file requires.
const { startPostgres } = require('./postgres');

/** Also starts one PostgreSQL for the run. Each test has its own databases in it (`engines.ts`). */
module.exports = async () => {
  await prepare();
  // Its databases live for seconds, and tests beside each other open many connections.
  const cluster = await startPostgres('max_connections=400', 'autovacuum=off');
  process.env.PADRON_POSTGRES = cluster.url;
  module.exports.stop = cluster.remove;
};
