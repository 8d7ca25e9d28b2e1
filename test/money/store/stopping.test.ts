import { Client } from 'pg';
import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { preparePadron } from '../../support/padrons/ledger';
import { waitUntil } from '../../support/proxies/deferred';
import { engineRig } from '../../support/stores/engines';
import { check, creditOf, indebted, paid } from '../operations/operation';

describe('a process that stops while the store opens a call', () => {
  const rig = engineRig('postgres');
  const isWaiting = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

  it('leaves no entry for the question, which was not sent', async () => {
    const prepared = await preparePadron(rig);
    const padron = await prepared.start();
    const [known = '', next = ''] = indebted;
    expect(await check(padron, known)).toMatchObject(paid);
    const before = await prepared.rows();
    const locking = new Client({ connectionString: prepared.environment.DATABASE_URL });
    await locking.connect();
    try {
      await locking.query('BEGIN');
      await locking.query('SELECT ledger_lock(ARRAY[$1])', [before[0]?.account]);
      const caller = new AbortController();
      const asked = fetch(padron.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${SANDBOX_TOKEN}` },
        body: JSON.stringify(creditOf(next)),
        signal: caller.signal,
      }).catch(() => null);
      await waitUntil(async () => (await locking.query(isWaiting)).rowCount === 1);
      caller.abort();
      await asked;
      const stopped = padron.stop();
      await Promise.race([stopped, new Promise((resolve) => setTimeout(resolve, 600))]);
      await locking.query('COMMIT');
      await stopped;
    } finally {
      await locking.end();
    }
    expect(await prepared.rows()).toEqual(before);
    expect(
      await prepared.read((store) => store.query(`SELECT state FROM calls WHERE state IN ('OPEN', 'LOST')`)),
    ).toEqual([]);
  });
});
