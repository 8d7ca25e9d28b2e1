import { people } from '../../../src/extensions/sandbox/data/people';
import { findOrThrow } from '../../support/find-or-throw';
import { type ProxiedPadron, runPadronBehindProxy } from '../../support/padrons/padron-behind-proxy';
import { holdResponses } from '../../support/proxies/held-responses';
import { expectRefusal } from '../../support/requests/http';
import { asked } from '../attacks/probe';
import { holdRequests } from './held-requests';

const { nss } = findOrThrow(people, ({ credit }) => !!credit);
const paid = `{ person(nss: "${nss}") { credit { outcome } } }`;

let padron: ProxiedPadron;
afterEach(() => padron.stop());

describe('a service that does not answer', () => {
  it('has 1,000 waiting requests, which are all answered when it answers', async () => {
    padron = await runPadronBehindProxy({ REGISTRY_CONCURRENCY: '10000', REGISTRY_TIMEOUT_MS: '120000' });
    expect(await holdRequests(padron, 1_000, 5)).toEqual({ held: 1_000, answered: 1_000 });
  }, 120_000);
});

describe('more requests than LIMIT_REQUESTS', () => {
  it('are rejected at once with Retry-After, at no cost', async () => {
    padron = await runPadronBehindProxy({ LIMIT_REQUESTS: '2' });
    const held = holdResponses(padron.proxy);
    const waiting = [padron.ask(paid), padron.ask(paid, {}, { 'x-sandbox': 'true' })];
    await held.arrived(2);
    const refused = await asked(paid)(padron.url);
    expectRefusal(refused, 503, 'OVERLOADED');
    expect(refused.headers['retry-after']).toBe('1');
    held.release();
    for (const { data } of await Promise.all(waiting)) expect(data.person.credit.outcome).toBe('FOUND');
    expect((await padron.ask(paid)).data.person.credit.outcome).toBe('FOUND');
    expect(padron.proxy.requests).toHaveLength(3);
  });
});
