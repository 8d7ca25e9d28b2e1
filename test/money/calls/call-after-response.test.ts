import { setFlagsFromString } from 'node:v8';
import { Agent, request } from 'undici';
import { OTHER_TOKEN, SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../src/extensions/sandbox/data/people';
import { luhnDigit } from '../../../src/identifiers/subjects';
import { signedBySecret } from '../../support/keys/identity-provider';
import { type ProxiedPadron, runPadronBehindProxy } from '../../support/padrons/padron-behind-proxy';
import { holdResponses, waitForDisconnect } from '../../support/proxies/held-responses';
import { askPriced } from '../../support/requests/money';
import { curp, nss, profile, query } from '../../support/requests/slow-profile';

// It computes for seconds: see quick-tests.ts.
setFlagsFromString('--opt');

const creditOf = 'query ($nss: NSS) { person(nss: $nss) { credit { outcome } } }';
const identityOf = 'query ($curp: CURP) { person(curp: $curp) { identity { outcome } } }';
const soon = { 'x-answer-within': '1500ms' };

let padron: ProxiedPadron;
const start = async (environment: Readonly<Record<string, string>> = {}): Promise<void> => {
  padron = await runPadronBehindProxy({ REPLAY_SECONDS: '60', ...environment });
  // The first calls of a process may take longer than the time of an early response.
  await askPriced(padron, profile, { 'x-sandbox': 'true' });
  padron.proxy.reset();
  padron.calls();
};
afterEach(() => padron.stop());

const unknownPeople = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => {
    const stem = String(4_159_600_000 + index).padStart(10, '0');
    return `${stem}${luhnDigit(stem)}`;
  });

describe('a call that continues after the response', () => {
  it('takes the budget of its request', async () => {
    await start();
    const held = holdResponses(padron.proxy, 'buscar-credito');
    const operation = { 'x-operation-id': 'one', 'x-max-units': '2' };
    await askPriced(padron, profile, { ...soon, ...operation });
    held.release();
    const secondPerson = people.find((person) => person.nss !== nss && Boolean(person.credit));
    const { errors } = await askPriced(padron, { query, variables: { nss: secondPerson?.nss, curp } }, operation);
    expect(errors?.[0].extensions.code).toBe('UNIT_BUDGET_EXCEEDED');
    expect(padron.spent()).toBe(2);
  });

  it('does not count as a running request', async () => {
    await start({ LIMIT_REQUESTS: '1' });
    const held = holdResponses(padron.proxy, 'buscar-credito');
    await askPriced(padron, profile, soon);
    expect((await padron.ask('{ __typename }')).status).toBe(200);
    held.release();
  });

  it('leaves padron open for other accounts, however many requests of one account are answered early', async () => {
    await start({ LIMIT_REQUESTS: '100', REGISTRY_TIMEOUT_MS: '120000' });
    const held = holdResponses(padron.proxy, 'buscar-credito');
    const numbers = unknownPeople(400);
    const otherAccount = { authorization: `Bearer ${OTHER_TOKEN}` };
    const outcomes = { early: new Set<string>(), other: new Set<string>() };
    const flood = async (): Promise<void> => {
      for (let next = numbers.pop(); next !== undefined; next = numbers.pop()) {
        const { data, units } = await askPriced(
          padron,
          { query: creditOf, variables: { nss: next } },
          { 'x-answer-within': '1ms' },
        );
        outcomes.early.add(`${data.person.credit.outcome} ${units?.uncertain}`);
      }
    };
    const floods = Promise.all(Array.from({ length: 50 }, flood));
    while (numbers.length > 0) {
      const free = await padron.ask('{ registryEndpoints { endpoint } }', {}, otherAccount);
      const paid = await askPriced(padron, { query: identityOf, variables: { curp } }, otherAccount);
      outcomes.other.add(`${free.status} ${paid.data.person.identity.outcome}`);
    }
    await floods;
    // 64 calls were sent, and are still running. The others were dropped unsent, and cost nothing.
    expect([...outcomes.early].sort()).toEqual(['NOT_RUN 0', 'UNAVAILABLE 1']);
    expect([...outcomes.other]).toEqual(['200 FOUND']);
    expect(padron.proxy.requests.filter(({ path }) => path.endsWith('buscar-credito'))).toHaveLength(64);
    held.release();
  });

  describe('of a client that a JWT names', () => {
    const secret = 'a secret that is long enough for a test';
    const jwt = {
      REGISTRY_TOKEN: SANDBOX_TOKEN,
      JWT_SECRET: secret,
      REGISTRY_CONCURRENCY: '1100',
      REGISTRY_TIMEOUT_MS: '120000',
    };
    const scope = 'use_buscar_credito';
    const as = (client_id: string) => ({ authorization: `Bearer ${signedBySecret(secret, { client_id, scope })}` });
    const free = '{ registryEndpoints { endpoint } }';
    const flood = async (questions: readonly string[], time: string): Promise<ReadonlySet<number>> => {
      const statuses = new Set<number>();
      const rest = questions.values();
      const next = async (): Promise<void> => {
        for (const nss of rest) {
          const headers = { ...as('kiosk'), 'x-answer-within': time };
          statuses.add((await askPriced(padron, { query: creditOf, variables: { nss } }, headers)).status);
          if (statuses.has(503)) return;
        }
      };
      await Promise.all(Array.from({ length: 200 }, next));
      return statuses;
    };

    it('does not count for a request that only shares it', async () => {
      await start(jwt);
      const held = holdResponses(padron.proxy, 'buscar-credito');
      expect(await flood([nss], '300ms')).toEqual(new Set([200]));
      expect(await flood(Array(1_100).fill(nss), '1ms')).toEqual(new Set([200]));
      expect((await padron.ask(free, {}, as('payroll'))).status).toBe(200);
      expect((await padron.ask(free, {}, as('kiosk'))).status).toBe(200);
      held.release();
      expect((await askPriced(padron, { query: creditOf, variables: { nss } }, as('kiosk'))).units?.spent).toBe(0);
      expect(padron.spent()).toBe(1);
    });

    it('counts for the client that pays for it, and for no other client of the account', async () => {
      await start(jwt);
      const held = holdResponses(padron.proxy, 'buscar-credito');
      // A question that is not sent in time on a busy machine is dropped, and does not count.
      expect(await flood(unknownPeople(5_000), '500ms')).toContain(503);
      expect((await padron.ask(free, {}, as('kiosk'))).status).toBe(503);
      expect((await padron.ask(free, {}, as('payroll'))).status).toBe(200);
      held.release();
    });
  });

  it('keeps its answer for a client that shared it and was answered early, whose request it does not hold', async () => {
    await start({ REPLAY_SECONDS: '0' });
    const held = holdResponses(padron.proxy, 'buscar-credito');
    const [payer, sharer, third] = ['payer', 'sharer', 'third'].map((name) => ({ 'x-client-name': name }));
    const paid = askPriced(padron, profile, payer);
    await held.arrived(2);
    const early = await askPriced(padron, profile, { ...soon, ...sharer });
    expect(early.data.slow.credit.problems).toMatchObject([{ code: 'STILL_RUNNING' }]);
    held.release();
    expect((await paid).units).toMatchObject({ spent: 2 });
    const again = await askPriced(padron, { query: creditOf, variables: { nss } }, sharer);
    expect([again.data.person.credit.outcome, again.units?.spent]).toEqual(['FOUND', 0]);
    const stranger = await askPriced(padron, { query: creditOf, variables: { nss } }, third);
    expect(stranger.units?.spent).toBe(1);
  });

  it('may fail without harm, also by a token that the service refuses', async () => {
    await start();
    const held = holdResponses(padron.proxy, 'buscar-credito', { status: 401, json: { success: false, message: 'x' } });
    const { data } = await askPriced(padron, profile, soon);
    expect(data.slow.credit.problems).toMatchObject([{ code: 'STILL_RUNNING' }]);
    held.release();
    expect((await askPriced(padron, profile)).errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
  });

  it('keeps its answer if the client disconnects after the response', async () => {
    await start();
    const held = holdResponses(padron.proxy, 'buscar-credito');
    const client = new Agent();
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${SANDBOX_TOKEN}`, ...soon };
    const early = await request(padron.url, {
      dispatcher: client,
      method: 'POST',
      headers,
      body: JSON.stringify(profile),
    });
    expect(await early.body.text()).toContain('STILL_RUNNING');
    await client.destroy();
    await waitForDisconnect(padron.url);
    held.release();
    const { data, units } = await askPriced(padron, profile);
    expect(data.slow.credit).toMatchObject({ outcome: 'FOUND', evidence: { servedFrom: 'REPLAY' } });
    expect(units).toMatchObject({ spent: 0, uncertain: 0, saved: 0, settled: { spent: 1, uncertain: 1 } });
    expect([padron.calls().length, padron.spent()]).toEqual([2, 2]);
  });
});
