import { padronStarter } from '../../support/padrons/padron-for-tests';
import { asking, nss, outcomeIn } from '../../support/requests/credit-request';
import { expectRefusal, send } from '../../support/requests/http';

const ROUTER = 'what-only-the-router-knows';

const start = padronStarter();

describe('a secret between the router and padron', () => {
  it.each([
    ['none', {}],
    ['an empty one', { 'x-subgraph-secret': '' }],
    ['another one', { 'x-subgraph-secret': 'what-only-the-router-knowz' }],
    ['its beginning', { 'x-subgraph-secret': ROUTER.slice(0, -1) }],
    ['more than it', { 'x-subgraph-secret': `${ROUTER} ${ROUTER}` }],
    ['it, elsewhere', { authorization: `Bearer ${ROUTER}` }],
  ])('rejects requests with %s', async (_, headers) => {
    const padron = await start({ SUBGRAPH_SECRET: ROUTER });
    expectRefusal(await send(padron.url, asking(headers)), 403, 'FORBIDDEN');
    expectRefusal(await send(`${padron.url}?query={__typename}`, { headers }), 403, 'FORBIDDEN');
    expect(padron.calls()).toEqual([]);
    expect(padron.log.join()).not.toContain(ROUTER);
  });

  it('accepts the router, and is not sent to the service', async () => {
    const padron = await start({ SUBGRAPH_SECRET: ROUTER });
    expect(outcomeIn(await send(padron.url, asking({ 'x-subgraph-secret': ROUTER })))).toBe('FOUND');
    expect(padron.log.join()).not.toContain(ROUTER);
  });

  it.each(['health/live', 'health/ready', 'metrics'])('is not needed for health and metrics: %s', async (path) => {
    const { url } = await start({ SUBGRAPH_SECRET: ROUTER });
    expect((await send(url.replace('graphql', path))).status).toBe(200);
  });

  it('does not replace the token of the account that pays', async () => {
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
