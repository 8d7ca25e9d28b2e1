import { OTHER_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../src/extensions/sandbox/data/people';
import { firstIdOf } from '../../../src/money/entries/entry-json';
import { EventStore } from '../../../src/money/events/event-store';
import { findOrThrow } from '../../support/find-or-throw';
import { preparePadron } from '../../support/padrons/ledger';
import { type RunningPadron, runPadron } from '../../support/padrons/padron';
import { startProxy, type TamperingProxy } from '../../support/proxies/tampering-proxy';
import { engineRig } from '../../support/stores/engines';

describe('the last 24 hours of an endpoint', () => {
  const rig = engineRig();
  let now = new Date();
  let proxy: TamperingProxy;
  let padron: RunningPadron;
  const { nss } = findOrThrow(people, ({ credit }) => !!credit);
  const nobody = findOrThrow(people, ({ credit }) => !credit).nss;
  const other = { authorization: `Bearer ${OTHER_TOKEN}` };

  beforeAll(async () => {
    const prepared = await preparePadron(rig);
    await prepared.read(async (store) => {
      const events = new EventStore(store);
      // A pause that began before the day, and one that no answer has ended.
      await events.recordRegistry('education', 'REGISTRY_UNREACHABLE', 30 * 3_600_000);
      await events.recordRegistry('education', null, 20 * 3_600_000);
      await events.recordRegistry('housing sandbox', 'REGISTRY_UNREACHABLE', 600_000);
      // A call whose process died says nothing about the registry.
      await store.query(
        `INSERT INTO ledger_entries (id, at, account, process, endpoint, outcome, problem, units, price, billing, served_from)
         SELECT $1 || n, $2, 'a', 'p', 'POST /api/infonavit/grupo/buscar-credito', 'UNAVAILABLE', 'ANSWER_LOST', 0, 1, 'UNKNOWN', 'LIVE' FROM generate_series(1, 20) n`,
        [firstIdOf(now), now],
      );
    });
    let target = '';
    proxy = await startProxy(() => target);
    padron = await prepared.start({
      now: () => now,
      registryUrl: (sandbox) => {
        target = sandbox.url;
        return proxy.url;
      },
    });
  });
  afterAll(async () => {
    await proxy.close();
    await padron.stop();
  });

  const pass = (minutes: number): void => {
    now = new Date(now.getTime() + minutes * 60_000);
  };
  const ask = async (times: number, headers = {}, about = nss): Promise<void> => {
    for (let time = 0; time < times; time += 1)
      await padron.ask(`{ person(nss: "${about}") { credit { outcome } } }`, {}, headers);
  };
  const read = async (field = 'Person.credit', headers = {}, from = padron) => {
    const query = '{ registryEndpoints { fields availability { lastDay { answeredPercent longestPauseSeconds } } } }';
    const { data, errors } = await from.ask(query, {}, headers);
    expect(errors).toBeUndefined();
    const endpoints: { fields: string[]; availability: { lastDay: ReturnType<typeof day> | null } }[] = data.registryEndpoints;
    return findOrThrow(endpoints, ({ fields }) => fields.includes(field)).availability.lastDay;
  };
  const day = (answeredPercent: number | null, longestPauseSeconds: number) => ({  answeredPercent, longestPauseSeconds });

  it('counts the calls of all accounts that the registry answered, and the time in which it answered none', async () => {
    await ask(6);
    await ask(2, other, nobody);
    expect(await read()).toEqual(day(null, 0));
    proxy.tamper(() => ({ status: 503 }));
    await ask(1);
    pass(5);
    await ask(1, other);
    proxy.tamper(() => ({ status: 403, json: { success: false, status: 403, message: 'x', data: [] } }));
    await ask(4);
    proxy.reset();
    pass(60);
    await ask(1);
    proxy.tamper(() => (response) => response.destroy());
    await ask(1);
    expect(await read()).toEqual(day(75, 300));
    expect(await read('Person.credit', other)).toEqual(day(75, 300));
    expect(await read('Person.housingAccount')).toEqual(day(null, 0));
  });

  it('reads the store once a minute', async () => {
    proxy.reset();
    await ask(10);
    expect(await read()).toEqual(day(75, 300));
    pass(1);
    expect(await read()).toEqual(day(86, 300));
  });

  it('has the pauses for all accounts within the day, with sandbox mode apart', async () => {
    const paused = await read('Person.licences');
    expect(paused).toEqual(day(null, expect.any(Number)));
    expect(Math.abs(Number(paused?.longestPauseSeconds) - 4 * 3_600)).toBeLessThan(120);
    await ask(12, { 'x-sandbox': 'true' });
    pass(1);
    expect(await read()).toEqual(day(86, 300));
    const inSandbox = await read('Person.credit', { 'x-sandbox': 'true' });
    expect(inSandbox).toEqual(day(100, expect.any(Number)));
    expect(Math.abs(Number(inSandbox?.longestPauseSeconds) - 600)).toBeLessThan(120);
  });

  it('forgets what is older, and is null without a store', async () => {
    pass(24 * 60 - 61);
    expect(await read()).toEqual(day(91, 0));
    pass(62);
    expect(await read()).toEqual(day(null, 0));
    const storeless = await runPadron();
    expect(await read('Person.credit', {}, storeless)).toBeNull();
    await storeless.stop();
  });
});
