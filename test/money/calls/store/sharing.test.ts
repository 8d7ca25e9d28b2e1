import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { OTHER_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import {
  answeredLive,
  answeredShared,
  askCredit,
  isAwaited,
  questionStates,
  type SharingPadrons,
  sharingRig,
  startSharingPadrons,
} from '../../../support/padrons/sharing-padrons';
import { waitUntil } from '../../../support/proxies/deferred';
import { holdResponses, waitForDisconnect } from '../../../support/proxies/held-responses';
import { nss } from '../../../support/requests/credit-request';
import { askPriced } from '../../../support/requests/money';
import { waitForMetric } from '../../../support/requests/scrape-metrics';
import { engineRig } from '../../../support/stores/engines';

const limit = 6;
const rig = sharingRig({ REGISTRY_CONCURRENCY: String(limit) });
const { nextPerson } = rig;

/** Asks the first process and then the second, which waits. The service answers both, or fails. */
async function askBoth(nss: string, response?: Parameters<typeof holdResponses>[2]) {
  const { padrons } = rig;
  const held = holdResponses(padrons.proxy, '', response);
  const payer = askCredit(padrons.first, nss);
  await held.arrived(1);
  const waiter = askCredit(padrons.second, nss);
  await waitUntil(() => isAwaited(padrons));
  held.release();
  return Promise.all([payer, waiter]);
}

describe('a process that asks what another process is asking', () => {
  it('makes no call after its client has disconnected', async () => {
    const nss = nextPerson();
    const held = holdResponses(rig.padrons.proxy);
    const payer = askCredit(rig.padrons.first, nss);
    await held.arrived(1);
    const client = new AbortController();
    const waiter = askCredit(rig.padrons.second, nss, {}, client.signal).catch(() => null);
    await waitUntil(() => isAwaited(rig.padrons));
    client.abort();
    expect(await waiter).toBeNull();
    await waitForDisconnect(rig.padrons.second.url);
    held.release();
    expect(await payer).toEqual(answeredLive);
    expect(await askCredit(rig.padrons.second, nss)).toEqual(answeredShared);
    expect(rig.padrons.calls()).toBe(1);
  });

  it('asks itself at once if the service refused the token of the other process without a charge', async () => {
    const nss = nextPerson();
    const [payer, waiter] = await askBoth(nss, { status: 401, json: { message: 'x' } });
    expect([payer.problems, waiter.problems]).toEqual([['UNAUTHENTICATED'], ['UNAUTHENTICATED']]);
    expect(rig.padrons.calls()).toBe(2);
    await waitUntil(async () => !(await questionStates(rig.padrons)).includes('OPEN'));
  });

  it('replays no answer that is older than its own REPLAY_SECONDS', async () => {
    const nss = nextPerson();
    expect(await askCredit(rig.padrons.first, nss)).toEqual(answeredLive);
    const later = { now: () => new Date(Date.now() + 180_000) };
    const padron = await rig.padrons.add({ REPLAY_SECONDS: '0' }, later);
    expect(await askCredit(padron, nss)).toEqual(answeredLive);
    await padron.stop();
  });

  it('shares answers of a megabyte', async () => {
    const nss = nextPerson();
    rig.padrons.proxy.tamper(({ bytes }) => ({ bytes: Buffer.concat([bytes, Buffer.alloc(1_000_000, ' ')]) }));
    expect(await askCredit(rig.padrons.first, nss)).toEqual(answeredLive);
    expect(await askCredit(rig.padrons.second, nss)).toEqual(answeredShared);
    expect(rig.padrons.calls()).toBe(1);
  });
});

describe('a process with a shorter timeout than the process that asks', () => {
  it('waits as long as its own call could take, and pays nothing', async () => {
    const { first, proxy, add, calls } = rig.padrons;
    const impatient = await add({ REGISTRY_TIMEOUT_MS: '400' });
    const nss = nextPerson();
    const held = holdResponses(proxy);
    const payer = askCredit(first, nss);
    await held.arrived(1);
    const late = { outcome: 'NOT_RUN', servedFrom: 'NOT_SENT', problems: ['REGISTRY_TIMEOUT'], spent: 0, uncertain: 0 };
    expect(await askCredit(impatient, nss)).toEqual(late);
    held.release();
    expect(await payer).toEqual(answeredLive);
    expect(await askCredit(impatient, nss)).toEqual(answeredShared);
    expect(calls()).toBe(1);
    await impatient.stop();
  });
});

describe('a call that waits for its turn', () => {
  const answerMs = 2_500;
  const timeoutMs = 4_000;
  const afterAnswer = () => sleep(answerMs).then(() => null);

  it('leaves its question to a process that can send it at once', async () => {
    const { first, proxy, add, calls } = rig.padrons;
    const narrow = await add({ REGISTRY_CONCURRENCY: '1' });
    const [earlier, nss] = [nextPerson(), nextPerson()];
    const held = holdResponses(proxy);
    const ahead = askCredit(narrow, earlier);
    await held.arrived(1);
    const queued = askCredit(narrow, nss);
    await waitForMetric(narrow, 'padron_registry_calls_waiting', 1);
    const sent = askCredit(first, nss);
    await held.arrived(2);
    held.release();
    expect(await Promise.all([ahead, sent, queued])).toEqual([answeredLive, answeredLive, answeredShared]);
    expect(calls()).toBe(2);
    await narrow.stop();
  });

  it('has the whole time for its answer after it has waited for a process that died', async () => {
    const { first, proxy, add, calls, query } = rig.padrons;
    const heir = await add({ REGISTRY_TIMEOUT_MS: String(timeoutMs) });
    const nss = nextPerson();
    const held = holdResponses(proxy);
    const lost = askCredit(first, nss);
    await held.arrived(1);
    const answer = askCredit(heir, nss);
    await waitUntil(() => isAwaited(rig.padrons));
    await sleep(answerMs);
    proxy.tamper(afterAnswer);
    await query(`UPDATE calls SET state = 'LOST' WHERE state = 'OPEN'`);
    expect(await answer).toEqual({ ...answeredLive, uncertain: 1 });
    expect(calls()).toBe(2);
    held.release();
    await lost;
    await heir.stop();
  });
});

describe('a process that stops while it waits for an answer without a client', () => {
  it('leaves the paid answer to the other processes', async () => {
    const { first, proxy, calls, add } = rig.padrons;
    const stopping = await add();
    const nss = nextPerson();
    const held = holdResponses(proxy);
    const client = new AbortController();
    const answer = askCredit(stopping, nss, {}, client.signal).catch(() => null);
    await held.arrived(1);
    client.abort();
    await answer;
    await waitForDisconnect(stopping.url);
    const stopped = stopping.stop();
    held.release();
    await stopped;
    expect(await askCredit(first, nss)).toEqual(answeredShared);
    expect(calls()).toBe(1);
  });
});

describe('a process whose account the service has asked to wait', () => {
  it('tells the other processes, which send no call meanwhile', async () => {
    const { first, second, proxy, calls, query } = rig.padrons;
    const headers = { authorization: `Bearer ${OTHER_TOKEN}` };
    proxy.standIn(() => ({
      status: 429,
      headers: { 'retry-after': '60', 'x-ratelimit-remaining': '0' },
      json: { message: 'x' },
    }));
    const throttled = await askCredit(first, nextPerson(), headers);
    expect(throttled).toMatchObject({ servedFrom: 'LIVE', problems: ['RATE_LIMITED'] });
    await waitUntil(async () => (await query('SELECT FROM call_pauses')).length > 0);
    proxy.reset();
    const paused = await askCredit(second, nextPerson(), headers);
    expect(paused).toMatchObject({ outcome: 'NOT_RUN', servedFrom: 'NOT_SENT' });
    expect(calls()).toBe(0);
  });
});

describe('REGISTRY_CONCURRENCY of an account', () => {
  const licence = (number: number) =>
    `q${number}: professionalLicence(number: "${1_000_000 + number}") { outcome evidence { servedFrom } }`;
  const licences = (from: number) => ({
    query: `{ ${[0, 1, 2, 3, 4, 5].map((index) => licence(from + index)).join(' ')} }`,
  });

  it('is divided from the first call of the second process', async () => {
    const { first, proxy, add, calls } = rig.padrons;
    proxy.tamper(async () => {
      await sleep(60);
      return null;
    });
    const added = await add();
    await Promise.all([askPriced(first, licences(0)), askPriced(added, licences(100))]);
    expect(calls()).toBe(12);
    expect(proxy.maxConcurrent('sandbox-token')).toBeLessThanOrEqual(limit);
  });
});

describe('processes over one PostgreSQL', () => {
  const rig = engineRig('postgres');
  const [old, fresh] = ['0123456789abcdef'.repeat(3), 'fedcba9876543210'.repeat(3)];

  async function withPadrons(
    settings: Readonly<Record<string, string>>,
    ofSecond: Readonly<Record<string, string>>,
    use: (padrons: SharingPadrons) => Promise<void>,
  ): Promise<void> {
    const padrons = await startSharingPadrons(rig, settings, ofSecond);
    await use(padrons).finally(() => padrons.stop());
  }

  it.each([
    ['while a key is added', old, `${fresh},${old}`],
    ['while a key is added, the other way round', `${fresh},${old}`, old],
    ['while their keys are in different orders', `${old},${fresh}`, `${fresh},${old}`],
  ])('share answers %s', async (_when, first, second) => {
    await withPadrons({ DATA_KEYS: first }, { DATA_KEYS: second }, async (padrons) => {
      expect(await askCredit(padrons.first, nss)).toEqual(answeredLive);
      expect(await askCredit(padrons.second, nss)).toEqual(answeredShared);
      expect(padrons.calls()).toBe(1);
    });
  });

  it('replay an answer for its window, which does not start again in the process that takes the answer over', async () => {
    await withPadrons({ REPLAY_SECONDS: '2' }, {}, async (padrons) => {
      expect(await askCredit(padrons.first, nss)).toEqual(answeredLive);
      await sleep(1_200);
      expect(await askCredit(padrons.second, nss)).toEqual(answeredShared);
      await sleep(1_000);
      expect(await askCredit(padrons.second, nss)).toEqual(answeredLive);
      expect(await askCredit(padrons.first, nss)).toEqual(answeredShared);
      expect(padrons.calls()).toBe(2);
    });
  });

  it('leave no call open that ends while its process registers it again', async () => {
    await withPadrons({ REPLAY_SECONDS: '0' }, {}, async (padrons) => {
      const { proxy, query } = padrons;
      const held = holdResponses(proxy);
      const answer = askCredit(padrons.first, nss);
      await held.arrived(1);
      const [call] = await query<{ name: string; process: string }>(
        `SELECT name, process FROM calls WHERE state = 'OPEN'`,
      );
      await query('DELETE FROM calls');
      // The registration waits for this row, and the closing does not.
      const blocking = new Client({ connectionString: padrons.settings().DATABASE_URL });
      await blocking.connect();
      await blocking.query('BEGIN');
      const sql = `INSERT INTO calls (name, id, process, state, price, expires_at) VALUES ($1, '', '', 'OPEN', 0, 'infinity')`;
      await blocking.query(sql, [call?.name]);
      await query(`DELETE FROM call_processes WHERE id = '${call?.process}'`);
      const waiting = `SELECT FROM pg_stat_activity WHERE query LIKE '%process_beat%' AND wait_event_type = 'Lock'`;
      await waitUntil(async () => (await query(waiting)).length > 0);
      held.release();
      expect(await answer).toEqual(answeredLive);
      await waitForMetric(padrons.first, 'padron_ledger_entries_waiting', 0);
      await blocking.query('ROLLBACK');
      await blocking.end();
      const open = async () => (await query(`SELECT FROM calls WHERE state = 'OPEN'`)).length;
      const processes = async () => (await query('SELECT FROM call_processes')).length;
      await waitUntil(async () => (await processes()) === 2 && (await open()) === 0, 20_000);
      expect(await askCredit(padrons.second, nss)).toEqual(answeredLive);
    });
  });
});
