import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { Client, fetchExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { typePolicies } from '../../../schema/client/apollo-cache';
import { retryFailed as retryInApollo } from '../../../schema/client/apollo-retry';
import { unitsLink } from '../../../schema/client/apollo-units';
import { toBase64, toFile } from '../../../schema/client/base64';
import { PersonProfileDocument, SignatureCheckDocument } from '../../../schema/client/generated/graphql';
import { possibleTypes } from '../../../schema/client/possible-types';
import { priceOf } from '../../../schema/client/price-of';
import { keys } from '../../../schema/client/urql-cache';
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

Object.assign(globalThis, { useKit });
