import { type DocumentNode, parse } from 'graphql';
import { type FollowedQuery, followUp } from '../../../schema/client/follow-up';
import { isPending } from '../../../schema/client/is-found';
import { debtor } from '../../support/operations/person-components';
import { proxiedPadronForEachTest } from '../../support/padrons/padron-for-tests';
import { waitUntil } from '../../support/proxies/deferred';
import { holdResponses } from '../../support/proxies/held-responses';
import { engineRig } from '../../support/stores/engines';
import { networkForTests } from '../clients';
import { pageClients } from '../lookups-page';

const profile = parse(`query Profile($nss: NSS!) {
  person(nss: $nss) { nss credit { ...Proof } housingAccount { ...Proof record { totalBalance } } }
}
fragment Proof on RegistryLookup { outcome evidence { checkedAt } problems { code retryable retryAfter } }`);
const licences = parse(`query Licences($nss: NSS!) {
  person(nss: $nss) { nss licences(match: EXACT) { outcome evidence { checkedAt } problems { code retryable retryAfter } } }
}`);
const variables = { nss: debtor.nss };

const settings = { REPLAY_SECONDS: '30', REUSE_DAYS: '30', ANSWER_WITHIN: '4s' };
const padron = proxiedPadronForEachTest(settings, engineRig());
const network = networkForTests();
let mounted: AbortController;
beforeEach(() => {
  mounted = new AbortController();
});
afterEach(() => mounted.abort());

describe.each(pageClients)('a component whose lookup is still running, with %s', (_name, open) => {
  const mount = (query: DocumentNode = profile, headers = {}) =>
    open(padron.url, network, query, variables, { headers });

  it.each([null, '0s'])('sends the same again, with the age %s, shows what arrives, and pays once', async (maxAge) => {
    const held = holdResponses(padron.proxy, 'buscar-credito');
    const component = mount(profile, maxAge === null ? {} : { 'x-max-age': maxAge });
    // The first response has not arrived yet when the component mounts.
    const asked = component.ask();
    const { signal } = mounted;
    const retried = component.retry(maxAge === null ? { signal } : { signal, maxAge });
    await asked;
    const { credit, housingAccount } = component.shown().person;
    expect([isPending(credit), isPending(housingAccount)]).toEqual([true, false]);
    await waitUntil(() => network.sent.length === 2);
    held.release();
    expect(await retried).toBe('complete');
    expect(component.shown().person).toMatchObject({
      credit: { outcome: 'FOUND', problems: [] },
      housingAccount: { outcome: 'FOUND', record: { totalBalance: expect.any(String) } },
    });
    expect(new Set(network.bodies).size).toBe(1);
    expect([...new Set(network.ages)]).toEqual([maxAge]);
    expect([padron.calls().length, padron.spent()]).toEqual([2, 2]);
    const { length } = network.sent;
    await network.quiet();
    expect(network.sent.length).toBe(length);
  });

  it('retries a failure if the age makes the rest free, and not with `0s`', async () => {
    padron.proxy.standIn(({ path }) => (path.includes('obtener-cuenta') ? { status: 503, json: {} } : null));
    const component = mount(profile, { 'x-max-age': '30d' });
    await component.ask();
    padron.proxy.reset();
    padron.calls();
    expect(await component.retry({ maxAge: '0s' })).toBe('expired');
    expect(await component.retry({ replaySeconds: 0, maxAge: '1d' })).toBe('complete');
    expect([padron.calls(), network.ages]).toEqual([['POST /api/infonavit/grupo/obtener-cuenta'], ['30d', '1d']]);
  });

  it('pays once for an identifier that is found while the call that needs it waits', async () => {
    const held = holdResponses(padron.proxy, 'obtener-cedula');
    const component = mount(licences);
    await component.ask();
    const retried = component.retry(mounted);
    await waitUntil(() => network.sent.length === 3);
    held.release();
    expect(await retried).toBe('complete');
    expect(component.shown().person.licences.outcome).toBe('FOUND');
    expect(padron.calls()).toEqual(['POST /api/infonavit/grupo/buscar-credito', 'POST /api/sep/grupo/obtener-cedula']);
  });

  it('stops when it unmounts', async () => {
    const held = holdResponses(padron.proxy, 'buscar-credito');
    const component = mount();
    await component.ask();
    const retried = component.retry(mounted);
    mounted.abort();
    expect(await retried).toBe('aborted');
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(network.sent.length).toBe(1);
    held.release();
  });

  it('sends a request again that was lost', async () => {
    const held = holdResponses(padron.proxy, 'buscar-credito');
    const component = mount();
    await component.ask();
    const { fetch } = network;
    let lost = 0;
    const lose: typeof fetch = async (...request) => {
      lost += 1;
      if (lost > 1) return fetch(...request);
      throw new TypeError('Failed to fetch');
    };
    Object.assign(network, { fetch: lose });
    const retried = component.retry(mounted);
    await waitUntil(() => lost === 2);
    held.release();
    expect(await retried).toBe('complete');
    expect(component.shown().person.credit.outcome).toBe('FOUND');
    expect(padron.spent()).toBe(2);
  });
});

describe('the minute of a follow-up', () => {
  const running = {
    credit: { outcome: 'UNAVAILABLE', problems: [{ code: 'STILL_RUNNING', retryable: true, retryAfter: 1 }] },
  };
  /** Runs a follow-up until its end, with its own clock. Returns its result, and the seconds at which it has sent requests. */
  const run = async (data: unknown, respond: FollowedQuery['send']) => {
    jest.useFakeTimers();
    try {
      const sent: number[] = [];
      const started = performance.now();
      let stopped = false;
      const query: FollowedQuery = {
        read: () => data,
        watch: () => () => {
          stopped = true;
        },
        send: () => {
          sent.push(Math.round((performance.now() - started) / 1_000));
          return respond();
        },
      };
      const result = followUp(query, {});
      await jest.advanceTimersByTimeAsync(70_000);
      return { result: await result, sent, stopped };
    } finally {
      jest.useRealTimers();
    }
  };

  it('ends if the first response never arrives', async () => {
    expect(await run(null, async () => 'answered')).toEqual({ result: 'pending', sent: [], stopped: true });
  });

  it('ends if something is still running', async () => {
    const { result, sent } = await run(running, async () => 'answered');
    expect(result).toBe('pending');
    expect([sent[0], sent.at(-1), sent.length]).toEqual([1, 60, 60]);
  });

  it('ends if no request arrives, with growing pauses between them', async () => {
    expect(await run(running, async () => 'lost')).toMatchObject({ result: 'pending', sent: [1, 2, 4, 8, 16, 32, 59] });
  });
});
