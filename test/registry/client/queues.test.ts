import { setTimeout as sleep } from 'node:timers/promises';
import { OTHER_TOKEN, SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../src/extensions/sandbox/data/people';
import { findCredit } from '../../../src/graph/domains/housing/endpoints';
import { findIdentity } from '../../../src/graph/domains/population/endpoints';
import { ParseQueue } from '../../../src/registry/client/client';
import { AccountPauses, pauseOf } from '../../../src/registry/client/request-sender';
import type { HttpResult } from '../../../src/registry/transport/transport';
import { type ProxiedPadron, runPadronBehindProxy } from '../../support/padrons/padron-behind-proxy';
import { deferred, waitUntil } from '../../support/proxies/deferred';
import { askPriced } from '../../support/requests/money';

const CREDIT = findCredit.path;
const credit = 'credit { outcome evidence { servedFrom billing units } problems { code retryable } }';

/** One credit a person: as many calls as there are people. */
function wideQuery(width: number, from = 0): string {
  const fields = people
    .slice(from, from + width)
    .map(({ nss }, index) => `p${index}: person(nss: "${nss}") { ${credit} }`);
  return `{ ${fields.join(' ')} }`;
}

const personQuery = (index: number): string => `{ person(nss: "${people[index]?.nss}") { ${credit} } }`;

/** Sends free queries in sequence. When the last one is answered, padron has received everything that was sent before. */
async function waitUntilReceived(padron: ProxiedPadron): Promise<void> {
  for (let round = 0; round < 5; round += 1) await padron.ask('{ registryEndpoints { units } }');
}

let padron: ProxiedPadron;

/** Starts a request, and disconnects its client when its first call has arrived. */
async function abandon(query: string): Promise<void> {
  const caller = new AbortController();
  const abandoned = askPriced(padron, { query }, {}, caller.signal);
  await waitUntil(() => padron.proxy.requests.length === 1);
  caller.abort();
  await expect(abandoned).rejects.toThrow();
  await waitUntilReceived(padron);
}

afterEach(() => padron.stop());

describe('concurrent calls', () => {
  it('never exceed the limit of an account', async () => {
    padron = await runPadronBehindProxy({ REGISTRY_CONCURRENCY: '3' });
    const answers = await Promise.all(
      [wideQuery(12), wideQuery(8, 20), personQuery(40)].map((query) => padron.ask(query)),
    );
    expect(answers.map(({ errors }) => errors)).toEqual([undefined, undefined, undefined]);
    expect(padron.proxy.requests).toHaveLength(21);
    expect(padron.proxy.maxConcurrent(SANDBOX_TOKEN)).toBe(3);
  });

  it('are shared fairly: a wide request does not starve a small one of the same account', async () => {
    padron = await runPadronBehindProxy({ REGISTRY_CONCURRENCY: '2' });
    const { tamper, release } = deferred();
    padron.proxy.tamper(tamper);
    const wide = padron.ask(wideQuery(20));
    await waitUntil(() => padron.proxy.requests.length === 2);
    const small = padron.ask(`{ person(curp: "${people[0]?.curp}") { identity { outcome } } }`);
    await waitUntilReceived(padron);
    release();
    await Promise.all([wide, small]);
    const order = padron.proxy.requests.map(({ path }) => path);
    expect(order).toHaveLength(21);
    // Two are under way, one of the wide request was next in line, and then it is the small one's turn.
    expect(order.indexOf(findIdentity.path)).toBeLessThanOrEqual(4);
  });

  it('of one account do not wait for those of another account', async () => {
    padron = await runPadronBehindProxy({ REGISTRY_CONCURRENCY: '1' });
    const { tamper, release } = deferred();
    padron.proxy.tamper((answer, arrived) =>
      arrived.headers.authorization === `Bearer ${SANDBOX_TOKEN}` ? tamper(answer, arrived) : null,
    );
    const held = padron.ask(personQuery(0));
    await waitUntil(() => padron.proxy.requests.length === 1);
    const unhindered = await padron.ask(personQuery(1), {}, { authorization: `Bearer ${OTHER_TOKEN}` });
    expect(unhindered.data.person.credit.outcome).toBe('FOUND');
    release();
    expect((await held).data.person.credit.outcome).toBe('FOUND');
  });
});

describe('questions that wait for their turn', () => {
  it('have the whole REGISTRY_TIMEOUT_MS for their answer, and are not sent if their turn does not come within it', async () => {
    padron = await runPadronBehindProxy({ REGISTRY_CONCURRENCY: '2', REGISTRY_TIMEOUT_MS: '3000' });
    padron.proxy.tamper(() => sleep(1_800).then(() => null));
    const { data } = await padron.ask(wideQuery(7));
    const credits = Object.values<{ readonly credit: object }>(data).map((person) => person.credit);
    const answered = { outcome: 'FOUND', evidence: { servedFrom: 'LIVE', billing: 'CHARGED', units: 1 }, problems: [] };
    const free = {
      outcome: 'NOT_RUN',
      evidence: { servedFrom: 'NOT_SENT', billing: 'NOT_CHARGED', units: 0 },
      problems: [{ code: 'TOO_MANY_CALLS', retryable: true }],
    };
    // The second two are sent when more than half of the time is over, and the last three would be when all of it is.
    expect(credits).toEqual([...Array(4).fill(answered), ...Array(3).fill(free)]);
    expect(padron.proxy.requests).toHaveLength(4);
    expect(padron.calls()).toHaveLength(4);
  });
});

describe('a caller that disconnects', () => {
  it('lets calls in progress finish, and its queued calls are not sent', async () => {
    padron = await runPadronBehindProxy({ REGISTRY_CONCURRENCY: '1' });
    const { tamper, release } = deferred();
    padron.proxy.tamper(tamper);
    await abandon(wideQuery(5));
    release();
    const { data } = await padron.ask(personQuery(7));
    expect(data.person.credit.outcome).toBe('FOUND');
    expect(padron.proxy.requests).toHaveLength(2);
    const calls = padron.log.filter((line) => line.includes('registry call')).map((line) => JSON.parse(line));
    expect(calls).toMatchObject(Array(2).fill({ result: 'delivered', status: 200 }));
  });

  it('causes no retry after a rate limit, and is not waited for', async () => {
    padron = await runPadronBehindProxy();
    const limited = { status: 429, headers: { 'retry-after': '25' }, json: { message: 'Demasiadas peticiones.' } };
    padron.proxy.standIn(({ arrivals }) => (arrivals === 1 ? limited : null));
    await abandon(personQuery(0));
    // The call has finished when the log contains it.
    await waitUntil(() => padron.log.some((line) => line.includes('registry call')));
    expect(padron.proxy.requests).toHaveLength(1);
  });

  it('causes no further call of a chain', async () => {
    padron = await runPadronBehindProxy();
    const { tamper, release } = deferred();
    padron.proxy.tamper(tamper);
    await abandon(`{ person(nss: "${people[1]?.nss}") { licences { outcome } } }`);
    release();
    await padron.ask(personQuery(7));
    expect(padron.proxy.requests.map(({ path }) => path)).toEqual([CREDIT, CREDIT]);
  });
});

const rejectedCalls = (headers: Readonly<Record<string, string>>, status = 429): HttpResult => ({
  kind: 'delivered',
  status,
  headers,
  body: Buffer.alloc(0),
});

describe('an account that the service asks to wait', () => {
  it.each<[string, HttpResult, number]>([
    ['no calls left, two seconds', rejectedCalls({ 'x-ratelimit-remaining': '0', 'retry-after': '2' }), 2_000],
    ['no calls left, a day', rejectedCalls({ 'x-ratelimit-remaining': '0', 'retry-after': '86400' }), 60_000],
    ['no calls left, without a waiting time', rejectedCalls({ 'x-ratelimit-remaining': '0' }), 0],
    ['calls left: one question was rejected', rejectedCalls({ 'x-ratelimit-remaining': '3', 'retry-after': '2' }), 0],
    ['no rate limit headers', rejectedCalls({ 'retry-after': '2' }), 0],
    ['the last call was answered', rejectedCalls({ 'x-ratelimit-remaining': '0', 'retry-after': '2' }, 200), 0],
    ['the last call was answered, without a waiting time', rejectedCalls({ 'x-ratelimit-remaining': '0' }, 200), 0],
    ['no answer', { kind: 'failed', reason: 'TIMEOUT', sent: true, detail: '' }, 0],
  ])('waits as the documented headers say: %s', (_what, result, ms) => {
    expect(pauseOf(result)).toBe(ms);
  });

  it('is called again after that time, and other accounts immediately', () => {
    const pauses = new AccountPauses();
    pauses.pause('account', 5_000);
    pauses.pause('account', 1_000);
    pauses.pause('over', -1);
    expect(pauses.remainingMs('account')).toBeGreaterThan(1_000);
    expect([pauses.remainingMs('over'), pauses.remainingMs('another')]).toEqual([0, 0]);
  });
});

describe('the queue for parsing answers', () => {
  it('lets small answers pass immediately', () => {
    expect(new ParseQueue().wait(63_999)).toBeNull();
  });

  it('parses large answers one at a time, with other work between them', async () => {
    const turns = new ParseQueue();
    const order: string[] = [];
    const read = async (name: string): Promise<void> => {
      await turns.wait(500_000);
      order.push(name);
      // Queued behind this answer.
      setImmediate(() => order.push(`after ${name}`));
    };
    await Promise.all([read('first'), read('second'), read('third')]);
    expect(order.filter((name) => !name.startsWith('after'))).toEqual(['first', 'second', 'third']);
    expect(order.indexOf('after first')).toBeLessThan(order.indexOf('third'));
  });
});
