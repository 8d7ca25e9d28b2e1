import { OTHER_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../../src/extensions/sandbox/data/people';
import { firstIdOf } from '../../../../src/money/ledger/entries/entry-json';
import { TooManySumsError } from '../../../../src/money/ledger/entries/ledger-api';
import { EventStore } from '../../../../src/money/ledger/events/event-store';
import { LedgerReader } from '../../../../src/money/ledger/reading/ledger-reader';
import { KeyRing } from '../../../../src/store/key-ring';
import { SealedLinks } from '../../../../src/store/sealed-box';
import type { Store } from '../../../../src/store/store';
import { findOrThrow } from '../../../support/find-or-throw';
import { preparePadron } from '../../../support/padrons/ledger';
import { type RunningPadron, runPadron } from '../../../support/padrons/padron';
import { runPadronBehindProxy } from '../../../support/padrons/padron-behind-proxy';
import { startForTests } from '../../../support/start-for-tests';
import { engineRig, engines } from '../../../support/stores/engines';
import { storeForTests } from '../../../support/stores/store-for-tests';
import { everything, hashSubject, insertRow, openReference, viewOf } from '../entries/ledger-rows';

const now = new Date('2026-03-01T12:00:00Z');

const readerOver = (store: Store, timeZone = 'America/Mexico_City'): LedgerReader =>
  new LedgerReader({
    store,
    links: new SealedLinks(new KeyRing(['secret']), () => now),
    subjects: { hashes: hashSubject, openReference, missingKeys: async () => [] },
    flush: async () => undefined,
    erase: async () => 0,
    timeZone,
    now: () => now,
  });

describe.each(engines)('the ledger reader on the %s engine', (engine) => {
  const rig = engineRig(engine);
  const store = storeForTests(rig);
  const reader = readerOver(store);
  beforeEach(async () => {
    await store.query('DELETE FROM ledger_entries');
    await store.query('DELETE FROM ledger_subjects');
  });

  it('returns pages newest first, with each entry once, while new entries are added', async () => {
    const ids: string[] = [];
    // Several entries have the same time.
    for (let index = 0; index < 7; index += 1)
      ids.unshift(await insertRow(store, { at: `2026-02-0${1 + Math.floor(index / 3)}T00:00:00Z` }));
    const seen: string[] = [];
    for (let after: string | null = null; ; ) {
      const page = await reader.page(viewOf('a'), { filter: everything }, { first: 3, after });
      seen.push(...page.entries.map(({ id }) => id));
      await insertRow(store, { at: '2026-02-20T00:00:00Z' });
      if (page.next === null) break;
      after = page.next;
    }
    expect(seen).toEqual(ids);
  });

  it('includes the start of an interval and excludes its end', async () => {
    for (const moment of [
      '2026-01-31T23:59:59.999Z',
      '2026-02-01T00:00:00Z',
      '2026-02-28T23:59:59.999Z',
      '2026-03-01T00:00:00Z',
    ])
      await insertRow(store, { at: moment });
    const filter = { ...everything, from: new Date('2026-02-01T00:00:00Z'), to: new Date('2026-03-01T00:00:00Z') };
    const { entries } = await reader.page(viewOf('a'), { filter }, { first: 10, after: null });
    expect(entries.map(({ at }) => at.toISOString())).toEqual(['2026-02-28T23:59:59.999Z', '2026-02-01T00:00:00.000Z']);
  });

  it('accepts an interval from the year 1 to the year 9999', async () => {
    await insertRow(store, { at: '2026-02-01T00:00:00Z' });
    const filter = { ...everything, from: new Date('0001-01-01T00:00:00Z'), to: new Date('9999-12-31T23:59:59Z') };
    expect((await reader.page(viewOf('a'), { filter }, { first: 10, after: null })).entries).toHaveLength(1);
  });

  it('sums by days and months of its time zone', async () => {
    // The zone is six hours behind UTC, so this is the last evening of January.
    await insertRow(store, { at: '2026-02-01T05:59:59.999Z', price: 2 });
    await insertRow(store, { at: '2026-02-01T06:00:00Z', price: 3 });
    await insertRow(store, { at: '2026-02-28T12:00:00Z', price: 5 });
    const units = async (of: LedgerReader, key: 'DAY' | 'MONTH') =>
      (await of.spend(viewOf('a'), everything, [key])).map(({ day, month, units: sum }) => [day ?? month, sum]);
    expect(await units(reader, 'DAY')).toEqual([
      ['2026-01-31', 2],
      ['2026-02-01', 3],
      ['2026-02-28', 5],
    ]);
    expect(await units(reader, 'MONTH')).toEqual([
      ['2026-01', 2],
      ['2026-02', 8],
    ]);
    expect(await units(readerOver(store, 'UTC'), 'DAY')).toEqual([
      ['2026-02-01', 5],
      ['2026-02-28', 5],
    ]);
  });

  it('sums spent, uncertain and saved units by keys, with a separate sum for entries without a key', async () => {
    const noon = '2026-02-01T12:00:00Z';
    const hr = { at: noon, client: 'hr', price: 2 };
    await insertRow(store, { ...hr, tag: 'spring' });
    await insertRow(store, { ...hr, tag: 'spring', units: 0, billing: 'UNKNOWN', outcome: 'UNAVAILABLE' });
    await insertRow(store, { ...hr, units: 0, billing: 'NOT_CHARGED', servedFrom: 'REPLAY', saving: 'REPLAY' });
    await insertRow(store, { at: noon, client: null, price: 1 });
    const sums = await reader.spend(viewOf('a'), everything, ['CLIENT', 'TAG']);
    const none = {
      day: null,
      month: null,
      purpose: null,
      operation: null,
      endpoint: null,
      outcome: null,
      batch: null,
      saving: null,
      refusedCalls: null,
    };
    expect(sums).toEqual([
      { ...none, client: 'hr', tag: 'spring', calls: 2, units: 2, uncertainUnits: 2, savedUnits: 0 },
      { ...none, client: 'hr', tag: null, calls: 0, units: 0, uncertainUnits: 0, savedUnits: 2 },
      { ...none, client: null, tag: null, calls: 1, units: 1, uncertainUnits: 0, savedUnits: 0 },
    ]);
    const [all] = await reader.spend(viewOf('a'), everything, []);
    expect(all).toMatchObject({ calls: 3, units: 3, uncertainUnits: 2, savedUnits: 2 });
  });

  it('rejects more than 5,000 sums', async () => {
    await store.query(
      `INSERT INTO ledger_entries (id, at, account, process, operation, endpoint, outcome, units, price, billing, served_from)
       SELECT '0' || n, now(), 'a', 'p', 'o' || n, 'e', 'FOUND', 1, 1, 'CHARGED', 'LIVE' FROM generate_series(1, 5001) n`,
    );
    await expect(reader.spend(viewOf('a'), everything, ['OPERATION'])).rejects.toThrow(TooManySumsError);
    expect(await reader.spend(viewOf('a'), everything, ['ENDPOINT'])).toHaveLength(1);
  });

  it('filters by whether a call is settled', async () => {
    const noon = '2026-02-01T12:00:00Z';
    const [open, settled] = [
      await insertRow(store, { at: noon, billing: 'UNKNOWN', units: 0 }),
      await insertRow(store, { at: noon, billing: 'UNKNOWN', units: 0 }),
    ];
    const charged = await insertRow(store, { at: noon });
    await reader.settle(viewOf('a'), [{ id: settled, billing: 'CHARGED', note: null }]);
    const idsOf = async (filter: object) =>
      (await reader.page(viewOf('a'), { filter: { ...everything, ...filter } }, { first: 9, after: null })).entries.map(
        ({ id }) => id,
      );
    expect(await idsOf({ unsettled: true })).toEqual([open]);
    expect(await idsOf({ unsettled: false })).toEqual([charged, settled]);
    expect(await idsOf({ billing: 'UNKNOWN' })).toEqual([settled, open]);
  });
});

const hour = 3_600_000;
const otherAccount = { authorization: `Bearer ${OTHER_TOKEN}` };
const sandbox = { 'x-sandbox': 'true' };

describe('the last 24 hours of an endpoint', () => {
  const rig = engineRig();
  let now = new Date();
  let asked = 0;
  const start = async () => {
    const prepared = await preparePadron(rig);
    await prepared.read(async (store) => {
      const events = new EventStore(store);
      await events.recordRegistry('education', 'REGISTRY_UNREACHABLE', 30 * hour);
      await events.recordRegistry('education', null, 20 * hour);
      await events.recordRegistry('housing sandbox', 'REGISTRY_UNREACHABLE', hour);
      // Calls whose process died say nothing about the registry.
      await store.query(
        `INSERT INTO ledger_entries (id, at, account, process, endpoint, outcome, problem, units, price, billing, served_from) SELECT $1 || n, $2,
          'a', 'p', 'POST /api/infonavit/grupo/buscar-credito', 'UNAVAILABLE', 'ANSWER_LOST', 0, 1, 'UNKNOWN', 'LIVE' FROM generate_series(1, 20) n`,
        [firstIdOf(now), now],
      );
    });
    return runPadronBehindProxy(prepared.environment, { now: () => now });
  };
  const padron = startForTests(start, (running) => running.stop());

  const pass = (minutes: number): void => {
    now = new Date(now.getTime() + minutes * 60_000);
  };
  /** Asks about another person each time, because a call that still closes is shared. */
  const ask = async (times: number, headers = {}): Promise<void> => {
    for (let time = 0; time < times; time += 1) {
      asked += 1;
      await padron.ask(`{ person(nss: "${people[asked % people.length]?.nss}") { credit { outcome } } }`, {}, headers);
    }
  };
  const read = async (headers = {}, field = 'Person.credit', from: RunningPadron = padron) => {
    const query = '{ registryEndpoints { fields availability { lastDay { answeredPercent maxPauseSeconds } } } }';
    const { data, errors } = await from.ask(query, {}, headers);
    expect(errors).toBeUndefined();
    const endpoints: { fields: string[]; availability: { lastDay: Record<string, number> | null } }[] =
      data.registryEndpoints;
    const { lastDay } = findOrThrow(endpoints, ({ fields }) => fields.includes(field)).availability;
    return lastDay && [lastDay.answeredPercent, Math.round((lastDay.maxPauseSeconds ?? 0) / 300) * 5];
  };

  it('has the share of answered calls of all accounts, and the minutes without an answer, once a minute', async () => {
    await ask(6);
    await ask(2, otherAccount);
    expect(await read()).toEqual([null, 0]);
    padron.proxy.tamper(() => ({ status: 503 }));
    await ask(1);
    pass(5);
    await ask(1, otherAccount);
    padron.proxy.tamper(() => ({ status: 403, json: { success: false, status: 403, message: 'x', data: [] } }));
    await ask(4);
    padron.proxy.reset();
    pass(60);
    await ask(1);
    padron.proxy.tamper(() => (response) => response.destroy());
    await ask(1);
    for (const headers of [{}, otherAccount]) expect(await read(headers)).toEqual([75, 5]);
    padron.proxy.reset();
    await ask(10);
    expect(await read()).toEqual([75, 5]);
    pass(1);
    expect(await read()).toEqual([86, 5]);
  });

  it('has the pauses for all accounts, and sandbox mode apart', async () => {
    expect(await read({}, 'Person.licences')).toEqual([null, 4 * 60]);
    await ask(12, sandbox);
    pass(1);
    expect([await read(), await read(sandbox)]).toEqual([
      [86, 5],
      [100, 60],
    ]);
  });

  it('forgets what is older, and is null without a store', async () => {
    pass(24 * 60 - 61);
    expect(await read()).toEqual([91, 0]);
    const storeless = await runPadron();
    expect(await read({}, 'Person.credit', storeless)).toBeNull();
    await storeless.stop();
  });
});
