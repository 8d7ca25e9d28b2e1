import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { Client, fetchExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { parse } from 'graphql';
import { unitsLink } from '../../schema/client/apollo-units';
import { toBase64, toFile } from '../../schema/client/base64';
import { PersonProfileDocument, SignatureCheckDocument } from '../../schema/client/generated/graphql';
import { possibleTypes } from '../../schema/client/possible-types';
import { priceOf } from '../../schema/client/price-of';
import type { SpendingOperation, UnitUsage } from '../../schema/client/units';
import { keys } from '../../schema/client/urql-cache';
import { unitsExchange } from '../../schema/client/urql-units';
import { SANDBOX_TOKEN } from '../../src/extensions/sandbox/accounts/accounts';
import { credentialOf } from '../support/keys/signatures';
import { badge, debtor } from '../support/operations/person-components';
import { padronForTests } from '../support/padrons/padron-for-tests';

const { nss } = debtor;
const headers = { authorization: `Bearer ${SANDBOX_TOKEN}` };

const padron = padronForTests();

const reports: { usage: UnitUsage; operation: SpendingOperation }[] = [];
const onUnits = (usage: UnitUsage, operation: SpendingOperation): void => void reports.push({ usage, operation });
beforeEach(() => reports.splice(0));

const apollo = (requestHeaders: Readonly<Record<string, string>>): ApolloClient => {
  const http = new HttpLink({ uri: padron.url, headers: requestHeaders });
  return new ApolloClient({
    cache: new InMemoryCache({ possibleTypes }),
    link: ApolloLink.from([unitsLink(onUnits), http]),
  });
};
const urql = (requestHeaders: Readonly<Record<string, string>>): Client =>
  new Client({
    url: padron.url,
    preferGetMethod: false,
    fetchOptions: { headers: requestHeaders },
    exchanges: [cacheExchange({ keys, possibleTypes }), unitsExchange(onUnits), fetchExchange],
  });

const clients: readonly (readonly [
  string,
  (requestHeaders: Readonly<Record<string, string>>) => () => Promise<unknown>,
])[] = [
  [
    'Apollo Client',
    (requestHeaders) => {
      const client = apollo(requestHeaders);
      return () => client.query({ query: badge, variables: { nss } }).catch(() => undefined);
    },
  ],
  [
    'urql',
    (requestHeaders) => {
      const client = urql(requestHeaders);
      return () => client.query(badge, { nss }).toPromise();
    },
  ],
];

describe.each(clients)('the units of an operation with %s', (_name, connect) => {
  it('are reported once for each response from the network', async () => {
    const ask = connect(headers);
    await ask();
    await ask();
    expect(reports).toEqual([
      {
        operation: { name: 'Badge', variables: { nss } },
        usage: expect.objectContaining({ spent: 1, saved: 0, uncertain: 0 }),
      },
    ]);
    expect(reports[0]?.usage.calls).toMatchObject([
      { path: ['person', 'credit'], endpoint: 'POST /api/infonavit/grupo/buscar-credito', units: 1 },
    ]);
    expect(padron.calls().length).toBe(1);
  });

  it('are reported for an operation that is rejected', async () => {
    await connect({ ...headers, 'x-max-units': '0' })();
    expect(reports.map(({ usage }) => usage.spent)).toEqual([0]);
    expect(padron.calls()).toEqual([]);
  });
});

describe('priceOf', () => {
  const options = () => ({ url: padron.url, headers });

  it.each([
    ['a typed document', PersonProfileDocument],
    ['text', 'query($nss: NSS!) { person(nss: $nss) { credit { outcome } } }'],
    ['a parsed document', parse('query($nss: NSS!) { person(nss: $nss) { credit { outcome } } }')],
  ])('returns the price of %s without a call', async (_form, document) => {
    const { estimatedUnits, bounded, endpoints } = await priceOf(document, { nss }, options());
    expect([estimatedUnits, bounded]).toEqual([document === PersonProfileDocument ? 6 : 1, true]);
    expect(endpoints.map(({ url }) => url)).toContain('/api/infonavit/grupo/buscar-credito');
    expect(padron.calls()).toEqual([]);
  });

  it('returns the price of a signature check, and sends neither password nor files', async () => {
    const { rfc, password, certificate, privateKey } = credentialOf('person');
    const bodies: string[] = [];
    const spied: typeof fetch = (input, init) => {
      bodies.push(String(init?.body));
      return fetch(input, init);
    };
    const base64 = {
      certificate: { base64: certificate.toString('base64') },
      privateKey: { base64: privateKey.toString('base64') },
    };
    const upload = {
      certificate: { upload: new File(['x'], 'a.cer') },
      privateKey: { upload: new File(['x'], 'a.key') },
    };
    for (const files of [base64, upload]) {
      const price = await priceOf(
        SignatureCheckDocument,
        { input: { rfc, password, ...files } },
        { ...options(), fetch: spied },
      );
      expect(price.estimatedUnits).toBe(1);
    }
    for (const secret of [password, privateKey.toString('base64').slice(0, 40)])
      expect(bodies.join()).not.toContain(secret);
    expect(padron.calls()).toEqual([]);
  });

  it('throws with a reason if the operation cannot be priced', async () => {
    await expect(priceOf('{ person { shoeSize } }', {}, options())).rejects.toThrow(/does not match the schema/);
    const noBody = async () => new Response('<html>', { status: 502 });
    await expect(priceOf(badge, { nss }, { ...options(), fetch: noBody })).rejects.toThrow(/HTTP 502/);
    const aged = priceOf(badge, { nss }, { ...options(), maxAge: '30d' });
    await expect(aged).rejects.toThrow('The header `x-max-age` ');
    await expect(priceOf(badge, { nss }, { ...options(), url: `${padron.url}/nowhere` })).rejects.toThrow(/./);
  });
});

describe('files and base64', () => {
  it('are the same after a round trip, whatever their size', async () => {
    for (const size of [0, 1, 32_768, 100_001]) {
      const bytes = Uint8Array.from({ length: size }, (_byte, index) => index % 251);
      const base64 = await toBase64(new File([bytes], 'a.cer'));
      expect(base64).toBe(Buffer.from(bytes).toString('base64'));
      expect(await toBase64(toFile({ content: base64 }) ?? new Blob([]))).toBe(base64);
    }
  });

  it('make a file of an inline document, and null of a missing one', () => {
    const file = toFile({ content: 'JVBERi0=', contentType: 'application/pdf', filename: 'opinion.pdf' });
    expect([file?.name, file?.type, file?.size]).toEqual(['opinion.pdf', 'application/pdf', 5]);
    expect(toFile({ content: 'JVBERi0=' }, 'opinion')?.name).toBe('opinion');
    expect(toFile({ content: null })).toBeNull();
  });

  it('verify a signature', async () => {
    const { rfc, password, certificate, privateKey } = credentialOf('person');
    const input = {
      rfc,
      password,
      certificate: { base64: await toBase64(new File([new Uint8Array(certificate)], 'a.cer')) },
      privateKey: { base64: await toBase64(new File([new Uint8Array(privateKey)], 'a.key')) },
    };
    const { data } = await apollo(headers).mutate({ mutation: SignatureCheckDocument, variables: { input } });
    expect(data?.verifySignature?.valid).toBe(true);
  });
});
