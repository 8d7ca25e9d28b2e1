import { parse } from 'graphql';
import { retryFailed as retryInApollo } from '../../../schema/client/apollo-retry';
import { retryFailed as retryInUrql } from '../../../schema/client/urql-retry';
import { employers } from '../../../src/sandbox/data/employers';
import { findOrThrow } from '../../support/find-or-throw';
import { debtor } from '../../support/operations/person-components';
import { type RunningPadron, runPadron } from '../../support/padrons/padron';
import { startProxy, type TamperingProxy } from '../../support/proxies/tampering-proxy';
import { apolloClient, urqlClient, type WatchedNetwork, watchNetwork } from '../clients';

const { nss } = debtor;
const proof = 'outcome evidence { checkedAt } problems { code retryable retryAfter }';
const profile = parse(`query Profile($nss: NSS!, $match: NameMatch!) {
  person(nss: $nss) {
    nss
    credit { ...Proof record { hasCredit } }
    ...Account
    licences(match: $match) { ...Proof }
  }
}
fragment Account on Person { housingAccount { ...Proof record { totalBalance } } }
fragment Proof on RegistryLookup { ${proof} }`);
const variables = { nss, match: 'EXACT' };

const employerYear = parse(`query Year($registration: EmployerRegistration!) {
  employer(registration: $registration) {
    registration
    receiptsBetween(from: "2025-02", to: "2025-04") { ${proof} period }
  }
}`);

/** What both clients do for a component that is mounted: ask or read, and retry beside it. */
interface Mounting {
  ask(document: typeof profile, variables: Readonly<Record<string, string>>): Promise<unknown>;
  retry(document: typeof profile, variables: Readonly<Record<string, string>>, now?: number): Promise<boolean>;
}

const connections: readonly (readonly [string, (url: string, network: WatchedNetwork) => Mounting])[] = [
  [
    'Apollo Client',
    (url, network) => {
      const client = apolloClient(url, network);
      return {
        ask: async (query, values) => (await client.query({ query, variables: values })).data,
        retry: (query, values, now) => retryInApollo(client, query, values, now === undefined ? {} : { now }),
      };
    },
  ],
  [
    'urql',
    (url, network) => {
      const client = urqlClient(url, network);
      return {
        ask: async (query, values) => (await client.query(query, values).toPromise()).data,
        retry: (query, values, now) => retryInUrql(client, query, values, now === undefined ? {} : { now }),
      };
    },
  ],
];

let padron: RunningPadron;
let proxy: TamperingProxy;
beforeAll(async () => {
  let target = '';
  proxy = await startProxy(() => target);
  const registryUrl = (sandbox: { readonly url: string }): string => {
    target = sandbox.url;
    return proxy.url;
  };
  padron = await runPadron({ registryUrl });
});
afterAll(async () => {
  await padron.stop();
  await proxy.close();
});

/** The service fails on one path. */
function fail(path: string, status = 503, headers: Readonly<Record<string, string>> = {}): void {
  proxy.standIn((request) =>
    request.path.includes(path) ? { status, headers, json: {}, bytes: Buffer.from('{}') } : null,
  );
}

describe.each(connections)('the retry of failed lookups on the next mount, with %s', (_name, connect) => {
  let client: Mounting;
  let network: WatchedNetwork;
  beforeEach(() => {
    proxy.reset();
    padron.calls();
    network = watchNetwork();
    client = connect(padron.url, network);
  });

  it('asks again what passes, buys nothing again that was found, and shows it', async () => {
    fail('obtener-cuenta');
    expect(await client.ask(profile, variables)).toMatchObject({
      person: { credit: { outcome: 'FOUND' }, housingAccount: { outcome: 'UNAVAILABLE' } },
    });
    proxy.reset();
    padron.calls();
    expect(await client.retry(profile, variables)).toBe(true);
    expect(padron.calls()).toEqual(['POST /api/infonavit/grupo/obtener-cuenta']);
    expect(await client.ask(profile, variables)).toMatchObject({
      person: { credit: { outcome: 'FOUND' }, housingAccount: { outcome: 'FOUND', problems: [] } },
    });
    expect(await client.retry(profile, variables)).toBe(false);
    expect(network.sent).toEqual(['Profile', 'Profile']);
  });

  it('asks again what was not run because the lookup failed that would have found its identifier', async () => {
    fail('buscar-credito');
    expect(await client.ask(profile, variables)).toMatchObject({
      person: { credit: { outcome: 'UNAVAILABLE' }, licences: { outcome: 'NOT_RUN' } },
    });
    proxy.reset();
    padron.calls();
    expect(await client.retry(profile, variables)).toBe(true);
    expect(padron.calls()).toEqual(['POST /api/infonavit/grupo/buscar-credito', 'POST /api/sep/grupo/obtener-cedula']);
    expect(await client.ask(profile, variables)).toMatchObject({
      person: { credit: { outcome: 'FOUND' }, licences: { problems: [] } },
    });
  });

  it('asks nothing where nothing was asked yet', async () => {
    expect(await client.retry(profile, variables)).toBe(false);
    expect([network.sent, padron.calls()]).toEqual([[], []]);
  });

  it('leaves alone what will not change', async () => {
    fail('obtener-cuenta', 400);
    expect(await client.ask(profile, variables)).toMatchObject({
      person: { housingAccount: { outcome: 'INVALID_INPUT' } },
    });
    expect(await client.retry(profile, variables)).toBe(false);
  });

  it('waits until a wait that the service named is over', async () => {
    fail('obtener-cuenta', 429, { 'retry-after': '3600' });
    const before = Date.now();
    expect(await client.ask(profile, variables)).toMatchObject({
      person: { housingAccount: { problems: [{ code: 'RATE_LIMITED', retryAfter: 3600 }] } },
    });
    proxy.reset();
    expect(await client.retry(profile, variables, before + 3_000_000)).toBe(false);
    expect(network.sent.length).toBe(1);
    expect(await client.retry(profile, variables, before + 7_300_000)).toBe(true);
    expect(network.sent.length).toBe(2);
  });

  it('leaves a list alone of which some was found', async () => {
    const { registration } = findOrThrow(employers, ({ owes }) => !owes);
    let months = 0;
    proxy.standIn(({ path }) => {
      if (!path.includes('comprobantes-fiscales')) return null;
      months += 1;
      return months === 1 ? { status: 503, json: {}, bytes: Buffer.from('{}') } : null;
    });
    const data = await client.ask(employerYear, { registration });
    expect(JSON.stringify(data)).toMatch(/UNAVAILABLE.*FOUND|FOUND.*UNAVAILABLE/);
    expect(await client.retry(employerYear, { registration })).toBe(false);
  });
});
