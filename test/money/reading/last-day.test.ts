import { OTHER_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../src/extensions/sandbox/data/people';
import { firstIdOf } from '../../../src/money/entries/entry-json';
import { EventStore } from '../../../src/money/events/event-store';
import { findOrThrow } from '../../support/find-or-throw';
import { preparePadron } from '../../support/padrons/ledger';
import { type RunningPadron, runPadron } from '../../support/padrons/padron';
import { runPadronBehindProxy } from '../../support/padrons/padron-behind-proxy';
import { startForTests } from '../../support/start-for-tests';
import { engineRig } from '../../support/stores/engines';

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
