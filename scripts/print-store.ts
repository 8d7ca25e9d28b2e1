/** Writes the fixture of the first store, with a budget, an entry and a batch: npm run print:store */
import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { runPadron } from '../test/support/padrons/padron';
import { CREDIT } from '../test/support/requests/batches';
import {
  firstStoreClient,
  firstStoreFile,
  firstStoreHeaders,
  firstStorePeople,
  firstStoreSettings,
} from '../test/support/stores/first-store';
import { dumpDatabase, onServer, startPostgres } from '../test/support/stores/postgres';

/** Otherwise the next version would delete the batch before it is asked for. */
const keepSql = `UPDATE batch SET expires_at = '2100-01-01'; UPDATE operations SET expires_at = '2100-01-01'`;

async function main(): Promise<void> {
  const cluster = await startPostgres();
  try {
    const url = await cluster.createDatabase();
    const padron = await runPadron({ environment: { ...firstStoreSettings, DATABASE_URL: url } });
    const { asked, ofBatch } = firstStorePeople;
    const client = firstStoreClient(padron, { 'x-purpose': 'hiring' });
    const budget = 'period: MONTH, units: 500, alertsAt: [50]';
    await client.ask(`mutation { setRegistryBudget(input: { ${budget} }) { id } }`);
    await firstStoreClient(padron, firstStoreHeaders).ask(CREDIT, { nss: asked });
    await client.runRows(
      CREDIT,
      ofBatch.map((nss) => ({ nss })),
    );
    await padron.stop();
    await onServer(url, (client) => client.query(keepSql));
    const dump = await dumpDatabase(url, '--inserts', '--no-owner', '--no-privileges');
    // Commands of psql are not SQL.
    writeFileSync(firstStoreFile, dump.replace(/^\\.*\n/gm, ''));
  } finally {
    await cluster.remove();
  }
}

void main();
