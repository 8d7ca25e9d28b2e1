import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { OTHER_TOKEN, SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../src/extensions/sandbox/data/people';
import { findCredit } from '../../../src/graph/domains/housing/endpoints';
import { findIdentity } from '../../../src/graph/domains/population/endpoints';
import { type ProxiedPadron, runPadronBehindProxy } from '../../support/padrons/padron-behind-proxy';
import { deferred, waitUntil } from '../../support/proxies/deferred';

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

function post(query: string, signal: AbortSignal): Promise<unknown> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${SANDBOX_TOKEN}` };
  return request(padron.url, { method: 'POST', signal, headers, body: JSON.stringify({ query }) });
}

afterEach(() => padron.stop());

describe('concurrent calls', () => {
  it('never exceed the limit of an account', async () => {
    padron = await runPadronBehindProxy({ REGISTRY_CONCURRENCY: '3' });
    const answers = await Promise.all([
      padron.ask(wideQuery(12)),
      padron.ask(wideQuery(8, 20)),
      padron.ask(personQuery(40)),
    ]);
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
    const small = padron.ask('query ($curp: CURP) { person(curp: $curp) { identity { outcome } } }', {
      curp: people[0]?.curp,
    });
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
    const caller = new AbortController();
    const abandoned = post(wideQuery(5), caller.signal);
    await waitUntil(() => padron.proxy.requests.length === 1);
    caller.abort();
    await expect(abandoned).rejects.toThrow();
    await waitUntilReceived(padron);
    release();
    const { data } = await padron.ask(personQuery(7));
    expect(data.person.credit.outcome).toBe('FOUND');
    expect(padron.proxy.requests).toHaveLength(2);
    const calls = padron.log.filter((line) => line.includes('registry call')).map((line) => JSON.parse(line));
    expect(calls).toMatchObject([
      { result: 'delivered', status: 200 },
      { result: 'delivered', status: 200 },
    ]);
  });

  it('causes no retry after a rate limit', async () => {
    padron = await runPadronBehindProxy();
    const limited = { status: 429, headers: { 'retry-after': '1' }, json: { message: 'Demasiadas peticiones.' } };
    padron.proxy.standIn(({ arrivals }) => (arrivals === 1 ? limited : null));
    const caller = new AbortController();
    const abandoned = post(personQuery(0), caller.signal);
    await waitUntil(() => padron.proxy.requests.length === 1);
    await waitUntilReceived(padron);
    caller.abort();
    await expect(abandoned).rejects.toThrow();
    // The call has finished when the log contains it, one second later.
    await waitUntil(() => padron.log.some((line) => line.includes('registry call')));
    expect(padron.proxy.requests).toHaveLength(1);
  });

  it('causes no further call of a chain', async () => {
    padron = await runPadronBehindProxy();
    const { tamper, release } = deferred();
    padron.proxy.tamper(tamper);
    const query = `{ person(nss: "${people[1]?.nss}") { licences { outcome } } }`;
    const caller = new AbortController();
    const abandoned = post(query, caller.signal);
    await waitUntil(() => padron.proxy.requests.length === 1);
    caller.abort();
    await expect(abandoned).rejects.toThrow();
    await waitUntilReceived(padron);
    release();
    await padron.ask(personQuery(7));
    expect(padron.proxy.requests.map(({ path }) => path)).toEqual([CREDIT, CREDIT]);
  });
});
