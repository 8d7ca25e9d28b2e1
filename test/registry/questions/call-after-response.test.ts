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

  it('does not count as a running request', async () => {
    await start({ LIMIT_REQUESTS: '1' });
    const held = holdResponses(padron.proxy, 'buscar-credito');
    await askPriced(padron, profile, soon);
    expect((await padron.ask('{ __typename }')).status).toBe(200);
    held.release();
  });

  it('may fail without harm, also by a token that the service refuses', async () => {
    await start();
    const held = holdResponses(padron.proxy, 'buscar-credito', { status: 401, json: { success: false } });
    const { data } = await askPriced(padron, profile, soon);
    expect(data.slow.credit.problems).toMatchObject([{ code: 'STILL_RUNNING' }]);
    held.release();
    expect((await askPriced(padron, profile)).errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
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
