import { SANDBOX_TOKEN } from '../../../src/sandbox/accounts/accounts';
import { people } from '../../../src/sandbox/data/people';
import { findOrThrow } from '../../support/find-or-throw';
import { type RunningPadron, runPadron, type Setup } from '../../support/padrons/padron';
import { expectRefusal, type HttpAnswer, type Sent, send } from '../../support/requests/http';

const { nss } = findOrThrow(people, ({ credit }) => Boolean(credit));
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

const running: RunningPadron[] = [];
const start = async (environment: NonNullable<Setup['environment']> = {}): Promise<RunningPadron> => {
  const padron = await runPadron({ environment });
  running.push(padron);
  return padron;
};
afterEach(() => Promise.all(running.splice(0).map((padron) => padron.stop())));

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
