import { type DocumentNode, parse } from 'graphql';
import { retryFailed as retryInApollo } from '../../../schema/client/apollo-retry';
import type { FollowUpOptions } from '../../../schema/client/follow-up';
import { isPending } from '../../../schema/client/is-found';
import { retryFailed as retryInUrql } from '../../../schema/client/urql-retry';
import { debtor } from '../../support/operations/person-components';
import { type ProxiedPadron, runPadronBehindProxy } from '../../support/padrons/padron-behind-proxy';
import { holdResponses } from '../../support/proxies/held-responses';
import { apolloClient, networkForTests, urqlClient } from '../clients';

const profile = parse(`query Profile($nss: NSS!) {
  person(nss: $nss) { nss credit { ...Proof } housingAccount { ...Proof record { totalBalance } } }
}
fragment Proof on RegistryLookup { outcome evidence { checkedAt } problems { code retryable retryAfter } }`);
const licences = parse(`query Licences($nss: NSS!) {
  person(nss: $nss) { nss licences(match: EXACT) { outcome evidence { checkedAt } problems { code retryable retryAfter } } }
}`);
const variables = { nss: debtor.nss };

let padron: ProxiedPadron;
beforeEach(async () => {
  // Shorter than the longest follow-up below.
  padron = await runPadronBehindProxy({ REPLAY_SECONDS: '14', ANSWER_WITHIN: '300ms' });
});
afterEach(() => padron.stop());
const network = networkForTests();
let mounted: AbortController;
beforeEach(() => {
  mounted = new AbortController();
});
afterEach(() => mounted.abort());

/** A component: its query, what it shows, and the follow-up of its mount. */
interface Component {
  ask(): Promise<unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: the border to JSON; every test asserts what it reads.
  shown(): any;
  retry(options?: FollowUpOptions): Promise<boolean>;
}

const clients: readonly (readonly [string, (query?: DocumentNode) => Component])[] = [
  [
    'Apollo Client',
    (query = profile) => {
      const client = apolloClient(padron.url, network);
      return {
        ask: () => client.query({ query, variables }),
        shown: () => client.readQuery({ query, variables }),
        retry: (options) => retryInApollo(client, query, variables, { signal: mounted.signal, ...options }),
      };
    },
  ],
  [
    'urql',
    (query = profile) => {
      const client = urqlClient(padron.url, network);
      return {
        ask: () => client.query(query, variables).toPromise(),
        shown: () => client.readQuery(query, variables)?.data,
        retry: (options) => retryInUrql(client, query, variables, { signal: mounted.signal, ...options }),
      };
    },
  ],
];

describe.each(clients)('a component whose lookup is still running, with %s', (_name, mount) => {
  it('shows the answer when it has arrived, and pays once', async () => {
    const held = holdResponses(padron.proxy, 'buscar-credito');
    const component = mount();
    // The first response has not arrived yet when the component mounts.
    const asked = component.ask();
    expect(await component.retry()).toBe(false);
    await asked;
    const { credit, housingAccount } = component.shown().person;
    expect([isPending(credit), isPending(housingAccount)]).toEqual([true, false]);
    await until(() => network.sent.length === 2);
    held.release();
    await until(() => component.shown().person.credit.outcome === 'FOUND');
    expect(component.shown().person).toMatchObject({
      credit: { problems: [] },
      housingAccount: { outcome: 'FOUND', record: { totalBalance: expect.any(String) } },
    });
    expect(padron.calls()).toHaveLength(2);
    expect(padron.spent()).toBe(2);
    const { length } = network.sent;
    await network.quiet();
    expect(network.sent.length).toBe(length);
  });

  it('is asked for only what is still running', async () => {
    const held = holdResponses(padron.proxy, 'buscar-credito');
    const component = mount();
    await component.ask();
    padron.calls();
    await component.retry();
    await until(() => network.sent.length === 2);
    expect(network.bodies[1]).not.toContain('housingAccount');
    held.release();
  });

  it('stops when it unmounts', async () => {
    const held = holdResponses(padron.proxy, 'buscar-credito');
    const component = mount();
    await component.ask();
    const unmount = new AbortController();
    await component.retry({ signal: unmount.signal });
    unmount.abort();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(network.sent.length).toBe(1);
    held.release();
  });
});

describe('a follow-up that takes longer than answers are replayed', () => {
  it('pays for no identifier again, and shows the answer when it arrives', async () => {
    const held = holdResponses(padron.proxy, 'obtener-cedula');
    const components = clients.map(([, mount]) => mount(licences));
    for (const component of components) {
      await component.ask();
      await component.retry();
    }
    await new Promise((resolve) => setTimeout(resolve, 16_000));
    const outcomes = () => components.map((component) => component.shown().person.licences.outcome);
    expect(outcomes()).toEqual(['UNAVAILABLE', 'UNAVAILABLE']);
    const { length } = network.sent;
    held.release();
    await until(() => outcomes().every((outcome) => outcome === 'FOUND'));
    expect(padron.calls()).toEqual(['POST /api/infonavit/grupo/buscar-credito', 'POST /api/sep/grupo/obtener-cedula']);
    expect(network.sent.length).toBe(length);
  });
});

describe('a follow-up whose first response never arrives', () => {
  it('ends after a minute', async () => {
    jest.useFakeTimers({ doNotFake: ['performance'] });
    try {
      const client = apolloClient(padron.url, network);
      await retryInApollo(client, profile, variables);
      expect(client.getObservableQueries().size).toBe(1);
      jest.advanceTimersByTime(60_000);
      expect(client.getObservableQueries().size).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });
});

async function until(isTrue: () => boolean): Promise<void> {
  for (let attempt = 0; !isTrue(); attempt += 1) {
    if (attempt === 1_000) throw new Error('It has not happened within ten seconds.');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
