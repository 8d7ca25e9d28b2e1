import { request } from 'undici';
import { times } from '../../../../src/times';
import type { RunningPadron } from '../../../support/padrons/padron';
import { askCredit, sharingRig } from '../../../support/padrons/sharing-padrons';
import { padronCommand } from '../../../support/processes/padron-command';
import { waitUntil } from '../../../support/proxies/deferred';
import { ownServerRig } from '../../../support/stores/engines';

const month = 30.5 * 86_400_000;
const reuse = { 'x-max-age': '30d' };

describe('processes of one store', () => {
  const rig = ownServerRig();
  const shared = sharingRig({ REPLAY_SECONDS: '0', REUSE_DAYS: '30' }, rig);
  const hourly = times.purge;
  beforeAll(() => {
    times.purge = { first: 1, every: 3_600_000 };
  });
  afterAll(() => {
    times.purge = hourly;
  });

  let running: RunningPadron[] = [];
  const added: typeof shared.padrons.add = async (...settings) => {
    const padron = await shared.padrons.add(...settings);
    running.push(padron);
    return padron;
  };
  afterEach(async () => {
    for (const padron of running) await padron.stop();
    running = [];
  });

  const count = async (table: string): Promise<number> =>
    (await shared.padrons.query<{ readonly rows: number }>(`SELECT count(*)::int AS rows FROM ${table}`))[0]?.rows ?? 0;
  const rows = async (table: string): Promise<readonly string[]> =>
    (await shared.padrons.query<{ readonly row: string }>(`SELECT t::text AS row FROM ${table} t`)).map(
      ({ row }) => row,
    );
  /** Adds a row that the next purge deletes. */
  const addExpired = () =>
    shared.padrons.query(`INSERT INTO request_results (name, id, account, digest, process, is_erasure, expires_at)
      VALUES ('n', 'i', 'a', 'd', 'p', false, '2020-01-01') ON CONFLICT DO NOTHING`);
  const buy = async (): Promise<string> => {
    const person = shared.nextPerson();
    const kept = await count('answers_lasting');
    expect(await askCredit(shared.padrons.first, person, reuse)).toMatchObject({ servedFrom: 'LIVE' });
    await waitUntil(async () => (await count('answers_lasting')) > kept);
    return person;
  };

  it('keep the answers of those that reuse them, also if another one without REUSE_DAYS deletes what has expired', async () => {
    const person = await buy();
    await addExpired();
    const third = await added({ REUSE_DAYS: '0' });
    await waitUntil(() => third.log.some((line) => line.includes('"rows":{"request_results":1}')));
    expect(await askCredit(shared.padrons.second, person, reuse)).toMatchObject({ servedFrom: 'KEPT', spent: 0 });
  });

  it('keep the ledger if the clock of one of them is wrong, which says so', async () => {
    await buy();
    await addExpired();
    const stored = async () =>
      (await Promise.all(['ledger_entries', 'ledger_subjects', 'request_results'].map(rows))).flat();
    const before = await stored();
    const wrong = await added({}, { now: () => new Date(Date.now() + 62 * month) });
    await waitUntil(() => wrong.log.some((line) => line.includes('this process deletes no expired rows')));
    // An entry of an answer before may still be on its way to the ledger, so there may be more.
    expect(await stored()).toEqual(expect.arrayContaining(before));
  });

  it('say at the start and in `padron check` which settings differ, and start nevertheless', async () => {
    const differences = ['SUBJECT_MONTHS is 12 here and 24 elsewhere', 'UNIT_PRICE is 1.20 here and not set elsewhere'];
    const settings = { SUBJECT_MONTHS: '12', UNIT_PRICE: '1.20' };
    const third = await added(settings);
    expect(third.log.find((line) => line.includes('different settings'))).toContain(
      `"settings":${JSON.stringify(differences)}`,
    );
    expect(shared.padrons.second.log.some((line) => line.includes('different settings'))).toBe(false);
    await third.stop();
    for (const [given, status, message] of [
      [settings, 'warning', differences.join('. ')],
      [{}, 'ok', 'the same'],
    ] as const) {
      const environment = { ...shared.padrons.settings(), ...given };
      const { code, output } = await padronCommand(['check', '--json'], environment);
      const checks: readonly { readonly name: string }[] = JSON.parse(output).checks;
      expect(checks.find(({ name }) => name === 'shared settings')).toMatchObject({
        status,
        message: expect.stringContaining(message),
      });
      expect(code).toBe(0);
    }
  });

  it('notice that an older copy has taken the place of the store, and use no answer that was kept before', async () => {
    const { first, second } = shared.padrons;
    const person = await buy();
    const { cluster } = rig;
    await cluster.stop();
    await cluster.saveData();
    await cluster.start();
    await buy();
    // A process that the copy knows by its last heartbeat could not notice the copy.
    const beats = 'SELECT 1 FROM processes WHERE seen_at > pg_postmaster_start_time()';
    await waitUntil(async () => (await shared.padrons.query(beats)).length >= 2);
    const hasNoticed = ({ log }: typeof second): boolean =>
      log.some((line) => line.includes('is older than this process'));
    // A restart alone does not make the copy older.
    expect([first, second].some(hasNoticed)).toBe(false);
    await cluster.stop();
    await cluster.restoreData();
    await cluster.start();
    await waitUntil(() => [first, second].every(hasNoticed));
    expect(await askCredit(second, person, reuse)).toMatchObject({ servedFrom: 'LIVE', spent: 1 });
    await waitUntil(async () => (await askCredit(first, person, reuse)).servedFrom === 'KEPT');
    const metrics = await (await request(new URL('/metrics', first.url))).body.text();
    expect(metrics).toContain('padron_ledger_store_older_total 1');
  });
});
