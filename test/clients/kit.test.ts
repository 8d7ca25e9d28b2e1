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
import { findOrThrow } from '../support/find-or-throw';
import { credentialOf } from '../support/keys/signatures';
import { claudia, uriel } from '../support/operations/mixed-people';
import { badge, debtor, mixedIdentifiers } from '../support/operations/person-components';
import { padronForTests } from '../support/padrons/padron-for-tests';
import { card } from '../support/sandbox/cards';
import { apolloClient, networkForTests, urqlClient } from './clients';
import { present, type TypedClient, throughApollo, throughUrql } from './typed-client';

const { nss } = debtor;
const headers = { authorization: `Bearer ${SANDBOX_TOKEN}` };

const padron = padronForTests();
const network = networkForTests();

const reports: { usage: UnitUsage; operation: SpendingOperation }[] = [];
const onUnits = (usage: UnitUsage, operation: SpendingOperation): void => void reports.push({ usage, operation });
beforeEach(() => reports.splice(0));

/** Returns a function that asks for a badge with a client that reports units. */
type Connect = (requestHeaders: Readonly<Record<string, string>>) => () => Promise<unknown>;
const inApollo: Connect = (requestHeaders) => {
  const http = new HttpLink({ uri: padron.url, headers: requestHeaders });
  const link = ApolloLink.from([unitsLink(onUnits), http]);
  const client = new ApolloClient({ cache: new InMemoryCache({ possibleTypes }), link });
  return () => client.query({ query: badge, variables: { nss } }).catch(() => undefined);
};
const inUrql: Connect = (requestHeaders) => {
  const client = new Client({
    url: padron.url,
    preferGetMethod: false,
    fetchOptions: { headers: requestHeaders },
    exchanges: [cacheExchange({ keys, possibleTypes }), unitsExchange(onUnits), fetchExchange],
  });
  return () => client.query(badge, { nss }).toPromise();
};

describe.each([
  ['Apollo Client', inApollo],
  ['urql', inUrql],
])('the units of an operation with %s', (_name, connect) => {
  it('are reported once for each response from the network', async () => {
    const ask = connect(headers);
    await ask();
    await ask();
    const usage = expect.objectContaining({ spent: 1, saved: 0, uncertain: 0 });
    expect(reports).toEqual([{ operation: { name: 'Badge', variables: { nss } }, usage }]);
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
  const credit = 'query($nss: NSS!) { person(nss: $nss) { credit { outcome } } }';

  it.each([
    ['a typed document', PersonProfileDocument],
    ['text', credit],
    ['a parsed document', parse(credit)],
  ])('returns the price of %s without a call', async (_form, document) => {
    const { estimatedUnits, bounded, endpoints } = await priceOf(document, { nss }, options());
    expect([estimatedUnits, bounded]).toEqual([document === PersonProfileDocument ? 6 : 1, true]);
    expect(endpoints.map(({ url }) => url)).toContain('/api/infonavit/grupo/buscar-credito');
    expect(padron.calls()).toEqual([]);
  });

  it('returns the price of a signature check, and sends neither password nor files', async () => {
    const { rfc, password, certificate, privateKey } = credentialOf('person');
    const [base64, upload] = [
      [certificate, privateKey].map((bytes) => ({ base64: bytes.toString('base64') })),
      ['a.cer', 'a.key'].map((name) => ({ upload: new File(['x'], name) })),
    ];
    for (const [cer, key] of [base64, upload]) {
      const input = { rfc, password, certificate: cer ?? {}, privateKey: key ?? {} };
      const price = await priceOf(SignatureCheckDocument, { input }, { ...options(), fetch: network.fetch });
      expect(price.estimatedUnits).toBe(1);
    }
    for (const secret of [password, privateKey.toString('base64').slice(0, 40)])
      expect(network.bodies.join()).not.toContain(secret);
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
});

describe('a signature and the clients', () => {
  const { rfc, password, ...files } = credentialOf('person');
  const [certificate, privateKey] = [files.certificate, files.privateKey].map((bytes) => new Uint8Array(bytes));
  const file = (bytes = new Uint8Array()) => new File([bytes], 'a.cer');

  it('goes through urql as a multipart request, by File objects in the variables', async () => {
    const client = throughUrql(urqlClient(padron.url, network));
    const input = {
      rfc,
      password,
      certificate: { upload: file(certificate) },
      privateKey: { upload: file(privateKey) },
    };
    const { verifySignature } = await client.mutate(SignatureCheckDocument, { input });
    expect(verifySignature?.outcome).toBe('FOUND');
    expect([network.sent, network.multipart]).toEqual([['SignatureCheck'], [true]]);
  });

  it('is verified through Apollo Client, which keeps no password in its cache', async () => {
    const client = apolloClient(padron.url, network);
    const base64 = async (bytes?: Uint8Array<ArrayBuffer>) => ({ base64: await toBase64(file(bytes)) });
    const input = { rfc, password, certificate: await base64(certificate), privateKey: await base64(privateKey) };
    const { data } = await client.mutate({ mutation: SignatureCheckDocument, variables: { input } });
    expect(data?.verifySignature?.valid).toBe(true);
    expect(JSON.stringify(client.cache.extract())).not.toContain(password);
  });
});

const owner = findOrThrow(
  people,
  ({ credit, account, licences }) => Boolean(credit && account) && licences.length === 1,
);

describe.each<[string, () => TypedClient]>([
  ['Apollo Client', () => throughApollo(apolloClient(padron.url, network))],
  ['urql', () => throughUrql(urqlClient(padron.url, network))],
])('the typed documents through %s', (_name, connect) => {
  it("reads a person's profile", async () => {
    const { person } = await connect().query(PersonProfileDocument, { nss: owner.nss });
    const { credit, housingAccount, identity, licences, professionalStatus } = present(person);
    if (!isFound(credit) || !isFound(housingAccount) || !isFound(identity)) throw new Error('not found');
    if (!isFound(licences) || !isFound(professionalStatus)) throw new Error('not found');
    expect(credit.record.hasCredit).toBe(true);
    expect(credit.evidence.validationCode).toMatch(/^\w{20}$/);
    expect(housingAccount.record.totalBalance).toMatch(/^\d+(\.\d+)?$/);
    expect(identity.record.birthDate).toBe(owner.birthDate);
    expect(licences.records.map(({ number }) => number)).toEqual(owner.licences.map(({ number }) => number));
    expect(professionalStatus.record.document.url).toMatch(/^http/);
    expect(network.sent).toEqual(['PersonProfile']);
  });

  it('reads the files of a receipt', async () => {
    const receiptsOf = (employer: (typeof employers)[number]) =>
      findReceipts(employer, '202503', new Date('2026-01-31'));
    const employer = findOrThrow(employers, (candidate) => receiptsOf(candidate).length === 1);
    const { registration } = employer;
    const variables = { registration, period: '2025-03', folio: receiptsOf(employer)[0]?.folio ?? '' };
    const found = (await connect().query(ReceiptFilesDocument, variables)).employer?.receiptFiles;
    if (!isFound(found)) throw new Error('not found');
    expect(Buffer.from(found.pdf?.content ?? '', 'base64').toString()).toMatch(/^%PDF-/);
    expect(Buffer.from(found.xml?.content ?? '', 'base64').toString()).toContain('<cfdi:Comprobante');
  });

  it("takes no stranger's record for a finding", async () => {
    const client = connect();
    const { professionalLicence: licence } = await client.query(LicenceCheckDocument, {
      number: card('somebody-else', 'licence'),
    });
    expect([licence?.outcome, licence?.records?.length, isFound(licence)]).toEqual(['FOUND', 1, false]);
    const { person } = await client.query(PersonProfileDocument, { nss: card('somebody-else', 'nss') });
    expect([person?.credit?.outcome, isFound(person?.credit)]).toEqual(['FOUND', false]);
    expect(person?.consistency?.status).toBe('CONFLICTING');
    const { person: mixed } = await client.query(mixedIdentifiers, { nss: uriel.nss, curp: claudia.curp });
    expect([mixed?.credit?.outcome, mixed?.credit?.problems]).toMatchObject(['FOUND', [{ code: 'IDENTITY_CONFLICT' }]]);
    // The identity agrees with the CURP, but which identifier is wrong is unknown.
    expect([isFound(mixed?.credit), isFound(mixed?.identity)]).toEqual([false, false]);
  });
});
