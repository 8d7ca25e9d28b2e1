import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { Client, fetchExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { parse } from 'graphql';
import { unitsLink } from '../../schema/client/apollo-units';
import { toBase64, toFile } from '../../schema/client/base64';
import {
  LicenceCheckDocument,
  PersonProfileDocument,
  ReceiptFilesDocument,
  SignatureCheckDocument,
} from '../../schema/client/generated/graphql';
import { isFound } from '../../schema/client/is-found';
import { possibleTypes } from '../../schema/client/possible-types';
import { priceOf } from '../../schema/client/price-of';
import type { SpendingOperation, UnitUsage } from '../../schema/client/units';
import { keys } from '../../schema/client/urql-cache';
import { unitsExchange } from '../../schema/client/urql-units';
import { SANDBOX_TOKEN } from '../../src/extensions/sandbox/accounts/accounts';
import { employers } from '../../src/extensions/sandbox/data/employers';
import { people } from '../../src/extensions/sandbox/data/people';
import { findReceipts } from '../../src/extensions/sandbox/documents/receipts';
import { sandboxCredentials } from '../../src/extensions/sandbox/efirma/credentials';
import { findOrThrow } from '../support/find-or-throw';
import { credentialOf } from '../support/keys/signatures';
import { claudia, uriel } from '../support/operations/mixed-people';
import { badge, debtor, mixedIdentifiers } from '../support/operations/person-components';
import { type RunningPadron, runPadron } from '../support/padrons/padron';
import { padronForTests } from '../support/padrons/padron-for-tests';
import { card } from '../support/sandbox/cards';
import { apolloClient, urqlClient, type WatchedNetwork, watchNetwork } from './clients';
import { present, type TypedClient, throughApollo, throughUrql } from './typed-client';

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

const owner = findOrThrow(
  people,
  ({ credit, account, licences }) => credit !== null && credit !== '' && account !== null && licences.length === 1,
);
const credential = findOrThrow(sandboxCredentials, ({ name }) => name === 'person');
const now = new Date('2026-01-31T18:00:00Z');
const employer = findOrThrow(employers, (candidate) => findReceipts(candidate, '202503', now).length === 1);
const paid = findReceipts(employer, '202503', now);

const clients: readonly (readonly [string, (url: string, network: WatchedNetwork) => TypedClient])[] = [
  ['Apollo Client', (url, network) => throughApollo(apolloClient(url, network))],
  ['urql', (url, network) => throughUrql(urqlClient(url, network))],
];

let padron: RunningPadron;
const start = async () => {
  padron = await runPadron();
};
const stop = () => padron.stop();

describe.each(clients)('the typed documents through %s', (_name, connect) => {
  let client: TypedClient;
  let network: WatchedNetwork;
  beforeAll(start);
  afterAll(stop);
  beforeEach(() => {
    padron.calls();
    network = watchNetwork();
    client = connect(padron.url, network);
  });

  it("reads a person's profile", async () => {
    const { person } = await client.query(PersonProfileDocument, { nss: owner.nss });
    const { credit, housingAccount, identity, licences, professionalStatus } = present(person);
    if (!isFound(credit) || !isFound(housingAccount) || !isFound(identity)) throw new Error('not found');
    if (!isFound(licences) || !isFound(professionalStatus)) throw new Error('not found');
    expect(credit.record.hasCredit).toBe(true);
    expect(credit.evidence.validationCode).toMatch(/^\w{20}$/);
    expect(housingAccount.record.totalBalance).toMatch(/^\d+(\.\d+)?$/);
    expect(identity.record.birthDate).toBe(owner.birthDate);
    expect(licences.records.map(({ number }) => number)).toEqual(owner.licences.map(({ number }) => number));
    expect(professionalStatus.record.document.url).toMatch(/^http/);
    expect([network.sent, padron.calls().length]).toEqual([['PersonProfile'], 5]);
  });

  it('reads the files of a receipt', async () => {
    const { registration } = employer;
    const variables = { registration, period: '2025-03', folio: paid[0]?.folio ?? '' };
    const files = (await client.query(ReceiptFilesDocument, variables)).employer?.receiptFiles;
    if (!isFound(files)) throw new Error('not found');
    expect(
      Buffer.from(files.pdf?.content ?? '', 'base64')
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
    expect(Buffer.from(files.xml?.content ?? '', 'base64').toString()).toContain('<cfdi:Comprobante');
  });

  it("takes no stranger's record for a finding", async () => {
    const { professionalLicence: licence } = await client.query(LicenceCheckDocument, {
      number: card('somebody-else', 'licence'),
    });
    expect([licence?.outcome, licence?.records?.length, isFound(licence)]).toEqual(['FOUND', 1, false]);
    const { person } = await client.query(PersonProfileDocument, { nss: card('somebody-else', 'nss') });
    expect([person?.credit?.outcome, isFound(person?.credit)]).toEqual(['FOUND', false]);
    expect(person?.consistency?.status).toBe('CONFLICTING');
    const { person: mixed } = await client.query(mixedIdentifiers, { nss: uriel.nss, curp: claudia.curp });
    expect([mixed?.credit?.outcome, mixed?.credit?.problems]).toMatchObject(['FOUND', [{ code: 'IDENTITY_CONFLICT' }]]);
    expect([isFound(mixed?.credit), isFound(mixed?.identity)]).toEqual([false, true]);
  });
});

describe('a signature and the clients', () => {
  const { rfc, password } = credential;
  beforeAll(start);
  afterAll(stop);

  it('goes through urql as a multipart request, by File objects in the variables', async () => {
    const network = watchNetwork();
    const certificate = { upload: new File([new Uint8Array(credential.certificate)], 'person.cer') };
    const privateKey = { upload: new File([new Uint8Array(credential.privateKey)], 'person.key') };
    const client = throughUrql(urqlClient(padron.url, network));
    const { verifySignature } = await client.mutate(SignatureCheckDocument, {
      input: { rfc, password, certificate, privateKey },
    });
    expect(verifySignature?.outcome).toBe('FOUND');
    expect([network.sent, network.multipart]).toEqual([['SignatureCheck'], [true]]);
  });

  it('leaves no password in the cache of Apollo Client', async () => {
    const client = apolloClient(padron.url, watchNetwork());
    const file = { base64: credential.certificate.toString('base64') };
    const input = { rfc, password, certificate: file, privateKey: file };
    await client.mutate({ mutation: SignatureCheckDocument, variables: { input } });
    expect(JSON.stringify(client.cache.extract())).not.toContain(password);
  });
});
