import { createHash } from 'node:crypto';
import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { Client, fetchExchange, formatDocument, makeOperation, mapExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { type DocumentNode, parse, print } from 'graphql';
import { typePolicies } from '../../schema/client/apollo-cache';
import { possibleTypes } from '../../schema/client/possible-types';
import { keys, resolvers } from '../../schema/client/urql-cache';
import { type LookupsPage, pageInApollo, pageInUrql } from '../clients/lookups-page';
import { temporaryFile } from '../support/keys/signatures';
import { CREDIT, IDENTITY } from '../support/operations/people-endpoints';
import { card } from '../support/sandbox/cards';
import { askGateway, type Gateway, gateways } from './gateways/gateway';
import { hiveInstalled, startHive } from './gateways/hive';
import { ana } from './hr';
import { type Subgraphs, startSubgraphs } from './subgraphs';

const query = `query ($slow: NSS, $curp: CURP) {
  slow: person(nss: $slow) { credit { outcome problems { code } evidence { servedFrom } } }
  fast: person(curp: $curp) { identity { outcome } }
}`;
/** Latency of the slow card. Much longer than the time that a busy machine takes for the other call. */
const slowMs = 6_000;
const request = { query, variables: { slow: card('slow', 'nss'), curp: ana.curp } };

const slowCredit = parse(`query SlowCredit($nss: NSS!) {
  person(nss: $nss) { nss credit { ...Proof } }
}
fragment Proof on RegistryLookup { outcome evidence { checkedAt } problems { code retryable retryAfter } }`);
const variables = { nss: card('slow', 'nss') };

for (const kind of gateways) {
  (kind.installed ? describe : describe.skip)(`${kind.name} that forwards \`x-answer-within\``, () => {
    let subgraphs: Subgraphs;
    let gateway: Gateway;
    beforeAll(async () => {
      subgraphs = await startSubgraphs({ REPLAY_SECONDS: '30' }, undefined, slowMs);
      gateway = await kind.start(subgraphs.supergraph);
    }, 60_000);
    afterAll(async () => {
      await gateway?.stop();
      await subgraphs?.stop();
    });

    it('passes on what has arrived in time, and then the rest, for one charge', async () => {
      const authorization = subgraphs.freshAuthorization();
      // The first request of a gateway takes longer than any other.
      await askGateway(gateway, { query: '{ registryEndpoints { units } }' }, { authorization });
      const early = await askGateway(gateway, request, { authorization, 'x-answer-within': '2s' });
      expect(early.data.slow.credit).toMatchObject({ outcome: 'UNAVAILABLE', problems: [{ code: 'STILL_RUNNING' }] });
      expect(early.data.fast.identity.outcome).toBe('FOUND');

      const late = await askGateway(gateway, request, { authorization, 'x-answer-within': '20s' });
      expect(late.data.slow.credit).toEqual({ outcome: 'FOUND', problems: [], evidence: { servedFrom: 'REPLAY' } });
      expect([...subgraphs.padron.calls()].sort()).toEqual([CREDIT, IDENTITY].sort());
      expect(subgraphs.padron.spent(authorization.replace('Bearer ', ''))).toBe(2);
    }, 60_000);

    it('lets the client kit fill in a lookup that was still running, for one charge', async () => {
      const authorization = subgraphs.freshAuthorization();
      const headers = { authorization, 'x-answer-within': '1s' };
      const client = new ApolloClient({
        cache: new InMemoryCache({ typePolicies, possibleTypes }),
        link: new HttpLink({ uri: gateway.url, headers }),
      });
      const page = pageInApollo(client, slowCredit, variables);
      await page.ask();
      expect(page.shown().person.credit.problems).toMatchObject([{ code: 'STILL_RUNNING' }]);
      expect(await page.retry()).toBe('complete');
      expect(page.shown().person.credit.outcome).toBe('FOUND');
      expect(subgraphs.padron.calls()).toEqual([CREDIT]);
      expect(subgraphs.padron.spent(authorization.replace('Bearer ', ''))).toBe(1);
    }, 60_000);
  });
}

(hiveInstalled ? describe : describe.skip)('Hive Gateway that takes only hashes of trusted documents', () => {
  const text = print(formatDocument(slowCredit) as DocumentNode);
  const hash = `sha256:${createHash('sha256').update(text).digest('hex')}`;
  const document: DocumentNode = Object.assign(parse(text), { __meta__: { hash } });
  const generateHash = (sent: object): string => Object(sent).__meta__.hash;
  const sendHash = mapExchange({
    onOperation: (operation) => {
      const persistedQuery = { version: 1 as const, sha256Hash: generateHash(operation.query) };
      const extensions = { ...operation.extensions, persistedQuery };
      return { ...makeOperation(operation.kind, operation), extensions };
    },
  });
  let subgraphs: Subgraphs;
  let gateway: Gateway;
  beforeAll(async () => {
    subgraphs = await startSubgraphs({ REPLAY_SECONDS: '30' }, undefined, slowMs);
    const file = temporaryFile('persisted-documents.json', JSON.stringify({ [hash]: text }));
    gateway = await startHive(subgraphs.supergraph, { PERSISTED_DOCUMENTS: file });
  }, 60_000);
  afterAll(async () => {
    await gateway?.stop();
    await subgraphs?.stop();
  });

  it.each<[string, (headers: Readonly<Record<string, string>>) => LookupsPage]>([
    [
      'Apollo Client',
      (headers) => {
        const links = [new PersistedQueryLink({ generateHash }), new HttpLink({ uri: gateway.url, headers })];
        const cache = new InMemoryCache({ typePolicies, possibleTypes });
        return pageInApollo(new ApolloClient({ cache, link: ApolloLink.from(links) }), document, variables);
      },
    ],
    [
      'urql',
      (headers) => {
        const cache = cacheExchange({ keys, resolvers, possibleTypes });
        const exchanges = [cache, sendHash, fetchExchange];
        const fetchOptions = { headers };
        const client = new Client({ url: gateway.url, fetchOptions, preferGetMethod: false, exchanges });
        return pageInUrql(client, document, variables);
      },
    ],
  ])(
    'lets a page of %s fill in a lookup that was still running, for one charge',
    async (_, open) => {
      const authorization = subgraphs.freshAuthorization();
      const refused = await askGateway(gateway, { query: text, variables }, { authorization });
      expect(refused.errors?.[0]?.message).toBe('PersistedQueryOnly');
      const page = open({ authorization, 'x-answer-within': '1s' });
      await page.ask();
      expect(page.shown().person.credit.problems).toMatchObject([{ code: 'STILL_RUNNING' }]);
      expect(await page.retry()).toBe('complete');
      expect(page.shown().person.credit.outcome).toBe('FOUND');
      expect(subgraphs.padron.calls()).toEqual([CREDIT]);
    },
    60_000,
  );
});
