import { processesSql } from '../../../src/money/migrations';
import { openStore } from '../../../src/store/open-store';
import type { Migration, Store } from '../../../src/store/store';
import { answeredLive, askCredit } from '../../support/padrons/sharing-padrons';
import { type PadronProcess, startProcess } from '../../support/processes/process';
import { waitUntil } from '../../support/proxies/deferred';
import { holdResponses } from '../../support/proxies/held-responses';
import { startProxy, type TamperingProxy } from '../../support/proxies/tampering-proxy';
import { indebted } from '../../support/requests/credit-request';
import { sandboxForTests } from '../../support/sandbox/sandbox-for-tests';
import { engineRig } from '../../support/stores/engines';
import { storeMigrations } from '../../support/stores/store-migrations';

const [nss = ''] = indebted;
const migration = (breaking: boolean): Migration => ({
  number: 2,
  name: 'of-the-future',
  sql: `ALTER TABLE ledger_entries ADD added text`,
  breaking,
});
/** Exit code of a process that another version has superseded. */
const superseded = 3;

describe('a process of an earlier version, while a newer version migrates their store on PostgreSQL', () => {
  const rig = engineRig('postgres');
  const service = sandboxForTests();
  let proxy: TamperingProxy;
  let running: PadronProcess[];
  let settings: Readonly<Record<string, string>>;
  let url: string;

  beforeAll(async () => {
    proxy = await startProxy(() => service.url);
  });
  afterAll(() => proxy.close());
  beforeEach(async () => {
    running = [];
    const { environment } = await rig.settings();
    settings = { PORT: '0', REGISTRY_URL: proxy.url, ...environment };
    url = environment.DATABASE_URL ?? '';
  });
  afterEach(() => {
    proxy.reset();
    for (const { child } of running) child.kill('SIGKILL');
  });

  function start(): PadronProcess {
    const padron = startProcess(settings);
    running.push(padron);
    return padron;
  }

  /** Opens the store as the newer version does. `waited` has the number of processes that it waits for. */
  function migrate(breaking: boolean) {
    const waited: number[] = [];
    const processes = { sql: processesSql, onWait: (count: number) => void waited.push(count) };
    return {
      waited,
      opened: openStore({ kind: 'postgres', url }, [...storeMigrations, migration(breaking)], processes),
    };
  }

  async function readEntries(store: Store) {
    return store.query(`SELECT outcome, units, billing, added FROM ledger_entries WHERE served_from = 'LIVE'`);
  }

  it('ends its running call, closes the entry and stops, before a breaking migration changes a table', async () => {
    const padron = start();
    const address = await padron.address();
    const held = holdResponses(proxy);
    const asked = askCredit({ url: address }, nss);
    await held.arrived(1);
    const { waited, opened } = migrate(true);
    let isMigrated = false;
    void opened.then(() => {
      isMigrated = true;
    });
    await padron.says('a newer version of padron migrates the store');
    await waitUntil(() => waited.length > 0);
    expect(isMigrated).toBe(false);
    const late = start();
    expect([await late.ended(), late.standardError()]).toEqual([
      1,
      expect.stringContaining('was migrated by a newer version of padron (of-the-future)'),
    ]);
    held.release();
    expect(await asked).toEqual(answeredLive);
    expect(await padron.ended()).toBe(superseded);
    const store = await opened;
    expect(waited).toEqual([1]);
    expect(await readEntries(store)).toEqual([{ outcome: 'FOUND', units: 1, billing: 'CHARGED', added: null }]);
    expect(await store.query('SELECT FROM processes')).toEqual([]);
    const lines = padron.standardOutput().trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg.startsWith('stopping'))).toEqual([
      expect.objectContaining({ migrations: ['of-the-future'], level: 40 }),
    ]);
    await store.close();
  });

  it('is awaited for a lease if it was killed', async () => {
    const padron = start();
    const address = await padron.address();
    const held = holdResponses(proxy);
    const asked = askCredit({ url: address }, nss).catch(() => null);
    await held.arrived(1);
    padron.child.kill('SIGKILL');
    await padron.ended();
    const { waited, opened } = migrate(true);
    const store = await opened;
    expect(waited).toEqual([1]);
    // The price is reported when the process is declared dead.
    expect(await readEntries(store)).toEqual([{ outcome: 'OPEN', units: 0, billing: 'UNKNOWN', added: null }]);
    held.release();
    await asked;
    await store.close();
  });

  it('keeps running if the migration is not breaking', async () => {
    const padron = start();
    const address = await padron.address();
    const { waited, opened } = migrate(false);
    const store = await opened;
    expect(await askCredit({ url: address }, nss)).toEqual(answeredLive);
    await waitUntil(async () => (await readEntries(store)).length > 0);
    expect(waited).toEqual([]);
    expect(await padron.stop()).toBe(0);
    await store.close();
  });
});
