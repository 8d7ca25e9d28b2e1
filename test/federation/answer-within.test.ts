import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { parse } from 'graphql';
import { typePolicies } from '../../schema/client/apollo-cache';
import { retryFailed } from '../../schema/client/apollo-retry';
import { isPending } from '../../schema/client/is-found';
import { possibleTypes } from '../../schema/client/possible-types';
import { CREDIT, IDENTITY } from '../support/operations/people-endpoints';
import { card } from '../support/sandbox/cards';
import { askGateway, type Gateway, gateways } from './gateways/gateway';
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
interface SlowCreditQuery {
  readonly person: {
    readonly credit: { readonly outcome: string; readonly problems: readonly { readonly code: string }[] };
  };
}

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
      const variables = { nss: card('slow', 'nss') };
      const watched = client.watchQuery<SlowCreditQuery>({ query: slowCredit, variables });
      const screens: string[] = [];
      const unmount = new AbortController();
      await new Promise<void>((resolve) => {
        watched.subscribe(({ data, dataState }) => {
          if (dataState !== 'complete') return;
          const { credit } = data.person;
          screens.push(isPending(credit) ? '…' : credit.outcome);
          if (!isPending(credit)) resolve();
        });
        void retryFailed(client, slowCredit, variables, unmount);
      });
      unmount.abort();
      expect([...new Set(screens)]).toEqual(['…', 'FOUND']);
      expect(subgraphs.padron.calls()).toEqual([CREDIT]);
      expect(subgraphs.padron.spent(authorization.replace('Bearer ', ''))).toBe(1);
    }, 60_000);
  });
}
