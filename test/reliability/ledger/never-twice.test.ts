import { setTimeout as sleep } from 'node:timers/promises';
import { type Account, builtInAccounts } from '../../../src/extensions/sandbox/accounts/accounts';
import {
  answeredLive,
  answeredShared,
  askCredit,
  type SharingPadrons,
  startSharingPadrons,
} from '../../support/padrons/sharing-padrons';
import { type PadronProcess, startProcess } from '../../support/processes/process';
import { waitUntil } from '../../support/proxies/deferred';
import { holdResponses } from '../../support/proxies/held-responses';
import { BatchClient } from '../../support/requests/batches';
import { indebted } from '../../support/requests/credit-request';
import { paidTwice } from '../../support/sandbox/paid-twice';
import { ownServerRig } from '../../support/stores/engines';

const [model] = builtInAccounts as readonly [Account];
const accounts = Array.from({ length: 15 }, (_, index) => ({ ...model, token: `account-${index}` }));

describe('processes that share one PostgreSQL', () => {
  const rig = ownServerRig();
  let padrons: SharingPadrons;
  afterEach(() => padrons?.stop());

  const spawn = async (settings: Readonly<Record<string, string>> = {}): Promise<[PadronProcess, { url: string }]> => {
    const spawned = startProcess({ ...padrons.settings(), ...settings });
    rig.atEnd(async () => void spawned.child.kill('SIGKILL'));
    return [spawned, { url: await spawned.address() }];
  };

  it('pay once and refuse nothing when PostgreSQL grants them 14 connections', async () => {
    const url = await rig.cluster.createDatabase('limited');
    await rig.cluster.run('ALTER ROLE limited CONNECTION LIMIT 14');
    padrons = await startSharingPadrons(rig, { DATABASE_URL: url }, {}, { sandbox: { accounts } });
    const questions = accounts.flatMap(({ token }) => indebted.slice(0, 16).map((nss) => ({ token, nss })));
    const answers = await Promise.all(
      questions.flatMap(({ token, nss }) =>
        [padrons.first, padrons.second].map((padron) => askCredit(padron, nss, { authorization: `Bearer ${token}` })),
      ),
    );
    const sum = (of: 'spent' | 'uncertain'): number => answers.reduce((total, answer) => total + answer[of], 0);
    expect({
      outcomes: [...new Set(answers.map(({ outcome }) => outcome))],
      twice: padrons.proxy.requests.filter(({ arrivals }) => arrivals > 1).length,
      spent: sum('spent'),
      uncertain: sum('uncertain'),
      problems: [...new Set(answers.flatMap(({ problems }) => problems))],
    }).toEqual({ problems: [], outcomes: ['FOUND'], twice: 0, spent: 240, uncertain: 0 });
  });

  it('pay once for a question of a row that waits long for its turn, and of a request to another process', async () => {
    padrons = await startSharingPadrons(rig, { REGISTRY_TIMEOUT_MS: '3000', BATCH_CONCURRENCY: '1' });
    const client = new BatchClient(padrons.first);
    await client.verifyToken();
    padrons.proxy.reset();
    padrons.proxy.tamper(() => sleep(2_500).then(() => null));
    const fields = [1, 2, 3, 4].map((index) => `q${index}: person(nss: "${indebted[index]}") { credit { outcome } }`);
    const operation = `query Five($nss: NSS!) { q: person(nss: $nss) { credit { outcome } } ${fields.join(' ')} }`;
    const ran = client.runRows(operation, [{ nss: indebted[0] }]);
    await waitUntil(() => padrons.calls() === 1);
    // Longer than a call may wait for its turn and its answer. The last question of the row still waits.
    await sleep(9_300);
    const asked = await askCredit(padrons.second, indebted[4] ?? '');
    const { progress } = await ran;
    expect(paidTwice(padrons.first.callsInFull())).toEqual([]);
    expect([asked.outcome, asked.uncertain, progress.done, progress.uncertainUnits]).toEqual(['FOUND', 0, 1, 0]);
    expect(padrons.calls()).toBe(5);
  });

  it('pay once if one of them is stopped while questions wait for their turn, and continues later', async () => {
    padrons = await startSharingPadrons(rig, { REGISTRY_CONCURRENCY: '3' });
    const [stopped, url] = await spawn();
    await waitUntil(async () => (await padrons.query('SELECT FROM processes')).length === 3);
    const [running = '', ...waiting] = indebted.slice(0, 3);
    const held = holdResponses(padrons.proxy);
    const answers = [askCredit(url, running)];
    await held.arrived(1);
    answers.push(...waiting.map((nss) => askCredit(url, nss)));
    // The process has received the questions before this request, which it answers.
    await sleep(500);
    await fetch(new URL('/health/live', url.url));
    stopped.child.kill('SIGSTOP');
    padrons.proxy.tamper(null);
    const answersOfOther = await Promise.all(waiting.map((nss) => askCredit(padrons.second, nss)));
    expect(answersOfOther.map(({ outcome }) => outcome)).toEqual(['FOUND', 'FOUND']);
    stopped.child.kill('SIGCONT');
    held.release();
    expect((await Promise.all(answers)).map(({ outcome }) => outcome)).toEqual(['FOUND', 'FOUND', 'FOUND']);
    expect(paidTwice(padrons.first.callsInFull())).toEqual([]);
    expect(padrons.calls()).toBe(3);
    await stopped.stop();
  });

  it('pay once for a call that is running when PostgreSQL crashes, and ask nothing before it is known again', async () => {
    padrons = await startSharingPadrons(rig);
    const [caller, url] = await spawn();
    const [nss = ''] = indebted;
    const held = holdResponses(padrons.proxy);
    const first = askCredit(url, nss);
    await held.arrived(1);
    // The process that calls cannot register its call again.
    caller.child.kill('SIGSTOP');
    await rig.cluster.kill();
    await rig.cluster.start();
    const second = askCredit(padrons.second, nss);
    await sleep(1_500);
    const callsBefore = padrons.calls();
    caller.child.kill('SIGCONT');
    await sleep(1_500);
    held.release();
    expect([await first, await second]).toEqual([answeredLive, answeredShared]);
    expect([callsBefore, padrons.calls()]).toEqual([1, 1]);
    await caller.stop();
  });

  it('register a running call with its age after a crash, so that none takes it for a newer one', async () => {
    padrons = await startSharingPadrons(rig);
    const opened = async (): Promise<readonly Date[]> =>
      (await padrons.query<{ readonly at: Date }>(`SELECT opened_at AS at FROM calls WHERE state = 'OPEN'`)).map(
        ({ at }) => at,
      );
    const held = holdResponses(padrons.proxy);
    const asked = askCredit(padrons.first, indebted[0] ?? '');
    await held.arrived(1);
    const [before] = await opened();
    // Longer than the statements that register take.
    await sleep(3_000);
    const crashed = new Date();
    await rig.cluster.kill();
    await rig.cluster.start();
    await waitUntil(async () => (await opened().catch(() => [])).length > 0);
    const [after] = await opened();
    expect([before && before < crashed, after && after < crashed]).toEqual([true, true]);
    held.release();
    expect(await asked).toMatchObject({ outcome: 'FOUND', spent: 1 });
  });

  it.each(['60', '0'])(
    'pay once for calls that end while PostgreSQL is down after a crash, with REPLAY_SECONDS=%s',
    async (replaySeconds) => {
      // Four processes share the turns. A question that waits for its turn does not wait for the call of another process.
      padrons = await startSharingPadrons(rig, { REPLAY_SECONDS: replaySeconds, REGISTRY_CONCURRENCY: '128' });
      const [[one, first], [other, second]] = [await spawn(), await spawn()];
      await waitUntil(async () => (await padrons.query('SELECT FROM call_processes')).length === 4);
      const people = indebted.slice(0, 20);
      const held = holdResponses(padrons.proxy);
      const asked = people.flatMap((nss) => [askCredit(first, nss), askCredit(second, nss)]);
      await held.arrived(people.length);
      const awaited = (): Promise<readonly object[]> => padrons.query('SELECT FROM calls WHERE awaited');
      await waitUntil(async () => (await awaited()).length === people.length);
      await rig.cluster.kill();
      held.release();
      // The answers arrive, and their closings wait for longer than a heartbeat.
      await sleep(2_500);
      await rig.cluster.start();
      const answers = await Promise.all(asked);
      const sum = (of: 'spent' | 'uncertain'): number => answers.reduce((total, answer) => total + answer[of], 0);
      expect([...new Set(answers.map(({ outcome }) => outcome))]).toEqual(['FOUND']);
      expect([padrons.calls(), sum('spent'), sum('uncertain')]).toEqual([people.length, people.length, 0]);
      await Promise.all([one.stop(), other.stop()]);
    },
  );
});
