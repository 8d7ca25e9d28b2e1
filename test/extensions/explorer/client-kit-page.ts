import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { Client, fetchExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { parse } from 'graphql';
import { typePolicies } from '../../../schema/client/apollo-cache';
import { retryFailed as retryInApollo } from '../../../schema/client/apollo-retry';
import { unitsLink } from '../../../schema/client/apollo-units';
import { toBase64, toFile } from '../../../schema/client/base64';
import { PersonProfileDocument, SignatureCheckDocument } from '../../../schema/client/generated/graphql';
import { isPending } from '../../../schema/client/is-found';
import { possibleTypes } from '../../../schema/client/possible-types';
import { priceOf } from '../../../schema/client/price-of';
import type { UnitUsage } from '../../../schema/client/units';
import { keys } from '../../../schema/client/urql-cache';
import { retryFailed as retryInUrql } from '../../../schema/client/urql-retry';
import { unitsExchange } from '../../../schema/client/urql-units';

/** Request headers that docs/configuration.md names, and those that OpenTelemetry adds to the requests of a page. */
const furtherHeaders = {
  'x-operation-id': 'profile-1',
  'x-client-name': 'portal',
  'x-tag': 'onboarding',
  'x-sandbox-delay': 'valida-curp=1ms',
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  tracestate: 'vendor=1',
  baggage: 'page=profile',
};

/** Values that the test passes to the page, whose script uses the whole client kit. */
interface Given {
  readonly url: string;
  readonly token: string;
  readonly nss: string;
  readonly credential: Readonly<Record<'rfc' | 'password' | 'certificate' | 'privateKey', string>>;
}

const creditAndAccount = parse(`query CreditAndAccount($nss: NSS!) {
  person(nss: $nss) { nss credit { ...Proof } housingAccount { ...Proof } }
}
fragment Proof on RegistryLookup { outcome evidence { checkedAt } problems { code retryable retryAfter } }`);

interface ShownLookup {
  readonly outcome: string;
  readonly problems: readonly { readonly code: string }[];
}
interface CreditAndAccountQuery {
  readonly person: { readonly credit: ShownLookup; readonly housingAccount: ShownLookup };
}

/** A minimal frontend. */
async function useKit({ url, token, nss, credential }: Given): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}` };
  const spent: unknown[] = [];
  const apollo = new ApolloClient({
    clientAwareness: { name: 'portal', version: '1.2' },
    cache: new InMemoryCache({ typePolicies, possibleTypes }),
    link: ApolloLink.from([
      unitsLink((usage, { name }) => void spent.push(['apollo', name, usage.spent])),
      new HttpLink({ uri: url, headers }),
    ]),
  });
  const urql = new Client({
    url,
    preferGetMethod: false,
    fetchOptions: { headers: { ...headers, ...furtherHeaders } },
    exchanges: [
      cacheExchange({ keys, possibleTypes }),
      unitsExchange((usage, { name }) => void spent.push(['urql', name, usage.spent])),
      fetchExchange,
    ],
  });
  const { estimatedUnits } = await priceOf(PersonProfileDocument, { nss }, { url, headers });
  await apollo.query({ query: PersonProfileDocument, variables: { nss } });
  await urql.query(PersonProfileDocument, { nss }).toPromise();
  const retried = await retryInApollo(apollo, PersonProfileDocument, { nss });
  const { rfc, password, certificate, privateKey } = credential;
  const toInput = async (content: string) => ({ base64: await toBase64(toFile({ content }) ?? new Blob([])) });
  const input = { rfc, password, certificate: await toInput(certificate), privateKey: await toInput(privateKey) };
  const { data } = await apollo.mutate({ mutation: SignatureCheckDocument, variables: { input } });
  const refused = await fetch(url, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x' });
  const readable = ['x-units-spent', 'x-request-id', 'x-registry-service'].filter((name) => refused.headers.has(name));
  return { readable, estimatedUnits, retried, valid: data?.verifySignature?.valid, spent };
}

/** Shows a profile whose housing credit takes ten seconds, until it is complete. Returns what the screen showed, and the units spent. */
async function fillIn(client: 'apollo' | 'urql', { url, token, nss }: Given): Promise<unknown> {
  const headers = {
    authorization: `Bearer ${token}`,
    'x-answer-within': '1s',
    'x-sandbox-delay': 'buscar-credito=10s',
  };
  const usages: UnitUsage[] = [];
  const screens: string[] = [];
  const unmount = new AbortController();
  await new Promise<void>((resolve) => {
    const show = (data: CreditAndAccountQuery | null | undefined): void => {
      const { credit, housingAccount } = data?.person ?? {};
      if (!credit || !housingAccount) return;
      const screen = `credit ${isPending(credit) ? '…' : credit.outcome}, account ${housingAccount.outcome}`;
      if (screens.at(-1) !== screen) screens.push(screen);
      if (!isPending(credit)) resolve();
    };
    if (client === 'apollo') {
      const apollo = new ApolloClient({
        cache: new InMemoryCache({ typePolicies, possibleTypes }),
        link: ApolloLink.from([unitsLink((usage) => void usages.push(usage)), new HttpLink({ uri: url, headers })]),
      });
      apollo
        .watchQuery({ query: creditAndAccount, variables: { nss } })
        .subscribe(({ data }) => show(data as CreditAndAccountQuery));
      void retryInApollo(apollo, creditAndAccount, { nss }, unmount);
      return;
    }
    const exchanges = [
      cacheExchange({ keys, possibleTypes }),
      unitsExchange((usage) => void usages.push(usage)),
      fetchExchange,
    ];
    const urql = new Client({ url, preferGetMethod: false, fetchOptions: { headers }, exchanges });
    urql.query<CreditAndAccountQuery>(creditAndAccount, { nss }).subscribe(({ data }) => show(data));
    void retryInUrql(urql, creditAndAccount, { nss }, unmount);
  });
  unmount.abort();
  return { screens, requests: usages.length > 1, spent: usages.reduce((sum, { spent }) => sum + spent, 0) };
}

Object.assign(globalThis, { useKit, fillIn });
