import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { SANDBOX_TOKEN } from '../../../src/sandbox/accounts/accounts';
import { people } from '../../../src/sandbox/data/people';
import { type ProxiedPadron, runPadronBehindProxy } from '../../support/padrons/padron-behind-proxy';
import { holdResponses, waitForDisconnect } from '../../support/proxies/held-responses';
import { askPriced } from '../../support/requests/money';
import { curp, nss, profile, query } from '../../support/requests/slow-profile';

const soon = { 'x-answer-within': '300ms' };

let padron: ProxiedPadron;
const start = async (environment: Readonly<Record<string, string>> = {}): Promise<void> => {
  padron = await runPadronBehindProxy({ REPLAY_SECONDS: '60', ...environment });
};
afterEach(() => padron.stop());

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

  it('counts as a running request until it has ended', async () => {
    await start({ LIMIT_REQUESTS: '1' });
    const held = holdResponses(padron.proxy, 'buscar-credito');
    await askPriced(padron, profile, soon);
    const refused = await padron.ask('{ __typename }');
    expect([refused.status, refused.errors?.[0].extensions.code]).toEqual([503, 'OVERLOADED']);
    held.release();
    await untilAccepted();
  });

  it('delivers its failure once to the next request, which makes no other call', async () => {
    await start({ LIMIT_REQUESTS: '1' });
    const held = holdResponses(padron.proxy, 'buscar-credito', { status: 503, json: {} });
    await askPriced(padron, profile, soon);
    held.release();
    await untilAccepted();
    const credits = () => padron.proxy.requests.filter(({ path }) => path.includes('buscar-credito')).length;
    const { data, units } = await askPriced(padron, profile);
    expect(data.slow.credit).toMatchObject({
      outcome: 'UNAVAILABLE',
      problems: [{ code: 'REGISTRY_ERROR' }],
      evidence: { billing: 'NOT_CHARGED', servedFrom: 'REPLAY' },
    });
    expect([units?.spent, units?.uncertain, credits()]).toEqual([0, 0, 1]);
    // The first response has counted this price.
    expect(units?.calls).toContainEqual(expect.objectContaining({ outcome: 'UNAVAILABLE', uncertain: 1 }));
    await askPriced(padron, profile);
    expect(credits()).toBe(2);
  });

  it('may fail without harm, also by a token that the service refuses', async () => {
    await start({ LIMIT_REQUESTS: '1' });
    const held = holdResponses(padron.proxy, 'buscar-credito', { status: 401, json: { success: false } });
    const { data } = await askPriced(padron, profile, soon);
    expect(data.slow.credit.problems).toMatchObject([{ code: 'STILL_RUNNING' }]);
    held.release();
    await untilAccepted();
  });

  it.each([
    ['before the response', '20s'],
    ['after the response', '300ms'],
  ])('keeps its answer if the client disconnects %s', async (when, time) => {
    await start();
    const held = holdResponses(padron.proxy, 'buscar-credito');
    const client = new Agent();
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${SANDBOX_TOKEN}`,
      'x-answer-within': time,
    };
    const body = JSON.stringify(profile);
    const answer = request(padron.url, { dispatcher: client, method: 'POST', headers, body }).then(
      (response) => response.body.text(),
      () => 'gone',
    );
    await held.arrived(2);
    if (when === 'after the response') expect(await answer).toContain('STILL_RUNNING');
    await client.destroy();
    if (when === 'before the response') expect(await answer).toBe('gone');
    await waitForDisconnect(padron.url);
    held.release();
    const { data, units } = await askPriced(padron, profile);
    expect(data.slow.credit).toMatchObject({ outcome: 'FOUND', evidence: { servedFrom: 'REPLAY' } });
    expect(units).toMatchObject({ spent: 0, uncertain: 0, saved: 2 });
    expect([padron.calls().length, padron.spent()]).toEqual([2, 2]);
  });
});

/** Resolves when padron accepts requests again. */
async function untilAccepted(): Promise<void> {
  for (let attempt = 1; (await padron.ask('{ __typename }')).status !== 200; attempt += 1) {
    if (attempt > 500) throw new Error('The call that continues has not ended.');
    await sleep(10);
  }
}
