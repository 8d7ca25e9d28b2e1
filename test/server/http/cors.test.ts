import { SANDBOX_TOKEN } from '../../../src/sandbox/accounts/accounts';
import { people } from '../../../src/sandbox/data/people';
import { findOrThrow } from '../../support/find-or-throw';
import { expectRefusal, type HttpAnswer, type Sent, send } from '../../support/http';
import { type RunningPadron, runPadron, type Setup } from '../../support/padron';

const { nss } = findOrThrow(people, ({ credit }) => Boolean(credit));
const APP = 'https://app.example';
const ROUTER = 'what-only-the-router-knows';
const question: Sent = {
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: `Bearer ${SANDBOX_TOKEN}` },
  body: JSON.stringify({ query: `{ person(nss: "${nss}") { credit { outcome } } }` }),
};
const outcomeIn = ({ text }: HttpAnswer): unknown => JSON.parse(text).data.person.credit.outcome;
const asking = (headers: Readonly<Record<string, string>>): Sent => ({
  ...question,
  headers: { ...question.headers, ...headers },
});
const preflight = (origin: string): Sent => ({
  method: 'OPTIONS',
  headers: {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type,x-max-units',
  },
});
const corsHeaders = ({ headers }: HttpAnswer): readonly string[] =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'));

const running: RunningPadron[] = [];
const start = async (environment: NonNullable<Setup['environment']> = {}): Promise<RunningPadron> => {
  const padron = await runPadron({ environment });
  running.push(padron);
  return padron;
};
afterEach(() => Promise.all(running.splice(0).map((padron) => padron.stop())));

describe('browsers of other origins', () => {
  it('get nothing that they may read, unless the operator names them', async () => {
    const { url } = await start();
    const refused = await send(url, preflight(APP));
    expectRefusal(refused, 405, 'METHOD_NOT_ALLOWED');
    expect(corsHeaders(refused)).toEqual([]);
    expect(corsHeaders(await send(url, asking({ origin: APP })))).toEqual([]);
  });

  it('may ask when they are named: the preflight lets our headers through, and never cookies', async () => {
    const { url } = await start({ CORS_ORIGINS: `${APP}, https://desk.example` });
    for (const origin of [APP, 'https://desk.example']) {
      const { status, headers } = await send(url, preflight(origin));
      expect(status).toBe(204);
      expect(headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-methods': 'GET, POST',
        vary: expect.stringContaining('Origin'),
      });
      const allowed = String(headers['access-control-allow-headers']).toLowerCase();
      for (const name of [
        'authorization',
        'content-type',
        'x-max-units',
        'x-sandbox',
        'x-dry-run',
        'apollo-require-preflight',
      ])
        expect(allowed).toContain(name);
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
      const answer = await send(url, asking({ origin }));
      expect(outcomeIn(answer)).toBe('FOUND');
      expect(answer.headers['access-control-allow-origin']).toBe(origin);
      expect(answer.headers['access-control-expose-headers']).toContain('x-units-spent');
    }
  });

  it.each([
    'https://app.example.evil',
    'http://app.example',
    'https://app.example:8443',
    'https://evil.app.example',
    'null',
  ])('are not taken for one that is named: %s', async (origin) => {
    const { url } = await start({ CORS_ORIGINS: APP });
    for (const answer of [await send(url, preflight(origin)), await send(url, asking({ origin }))]) {
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    }
  });

  it('can read why they were refused', async () => {
    const { url } = await start({ CORS_ORIGINS: APP, SUBGRAPH_SECRET: ROUTER });
    const refused = await send(url, asking({ origin: APP }));
    expectRefusal(refused, 403, 'FORBIDDEN');
    expect(refused.headers['access-control-allow-origin']).toBe(APP);
  });

  it('change nothing for everybody else: other addresses and methods are refused as before', async () => {
    const { url } = await start({ CORS_ORIGINS: APP });
    expectRefusal(await send(url.replace('graphql', 'nothing')), 404, 'NOT_FOUND');
    expectRefusal(await send(url, { method: 'DELETE' }), 405, 'METHOD_NOT_ALLOWED');
    expect(outcomeIn(await send(url, question))).toBe('FOUND');
  });
});

describe('a secret between the router and padron', () => {
  it.each([
    ['none', {}],
    ['an empty one', { 'x-subgraph-secret': '' }],
    ['another one', { 'x-subgraph-secret': 'what-only-the-router-knowz' }],
    ['its beginning', { 'x-subgraph-secret': ROUTER.slice(0, -1) }],
    ['more than it', { 'x-subgraph-secret': `${ROUTER} ${ROUTER}` }],
    ['it, elsewhere', { authorization: `Bearer ${ROUTER}` }],
  ])('closes the graph to whoever brings %s', async (_, headers) => {
    const padron = await start({ SUBGRAPH_SECRET: ROUTER });
    expectRefusal(await send(padron.url, asking(headers)), 403, 'FORBIDDEN');
    expectRefusal(await send(`${padron.url}?query={__typename}`, { headers }), 403, 'FORBIDDEN');
    expect(padron.calls()).toEqual([]);
    expect(padron.log.join()).not.toContain(ROUTER);
  });

  it('lets the router in, and stays between the two', async () => {
    const padron = await start({ SUBGRAPH_SECRET: ROUTER });
    expect(outcomeIn(await send(padron.url, asking({ 'x-subgraph-secret': ROUTER })))).toBe('FOUND');
    expect(padron.log.join()).not.toContain(ROUTER);
  });

  it.each(['health/live', 'health/ready', 'metrics'])(
    'is not asked of those who watch the process: %s',
    async (path) => {
      const { url } = await start({ SUBGRAPH_SECRET: ROUTER });
      expect((await send(url.replace('graphql', path))).status).toBe(200);
    },
  );

  it('does not replace the account: the router still says who pays', async () => {
    const padron = await start({ SUBGRAPH_SECRET: ROUTER });
    const { errors } = await padron.ask(
      `{ person(nss: "${nss}") { credit { outcome } } }`,
      {},
      {
        'x-subgraph-secret': ROUTER,
        authorization: '',
      },
    );
    expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
    expect(padron.calls()).toEqual([]);
  });
});
