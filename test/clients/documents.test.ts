import {
  CertificateCheckDocument,
  ComplianceOpinionDocument,
  EmployerYearDocument,
  EndpointPricesDocument,
  LicenceCheckDocument,
  PersonProfileDocument,
  ReceiptFilesDocument,
  SignatureCheckDocument,
} from '../../schema/client/generated/graphql';
import { isFound } from '../../schema/client/is-found';
import { employers } from '../../src/extensions/sandbox/data/employers';
import { people } from '../../src/extensions/sandbox/data/people';
import { findReceipts } from '../../src/extensions/sandbox/documents/receipts';
import { sandboxCredentials } from '../../src/extensions/sandbox/efirma/credentials';
import { findOrThrow } from '../support/find-or-throw';
import { claudia, uriel } from '../support/operations/mixed-people';
import { mixedIdentifiers } from '../support/operations/person-components';
import { type RunningPadron, runPadron } from '../support/padrons/padron';
import { card } from '../support/sandbox/cards';
import { unusedLicence } from '../support/sandbox/identifiers';
import { apolloClient, urqlClient, type WatchedNetwork, watchNetwork } from './clients';
import { present, type TypedClient, throughApollo, throughUrql } from './typed-client';

const owner = findOrThrow(
  people,
  ({ credit, account, licences }) => credit !== null && credit !== '' && account !== null && licences.length === 1,
);
const student = findOrThrow(people, ({ certificate }) => certificate !== null);
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

  it("reads an employer's months, snapshots and obligated subject", async () => {
    const { registration } = employer;
    const data = await client.query(EmployerYearDocument, { registration, from: '2025-03', to: '2025-04' });
    const { receiptsBetween, snapshots, obligatedSubject } = present(data.employer);
    expect(receiptsBetween?.map(({ period }) => period)).toEqual(['2025-03', '2025-04']);
    const records = present(receiptsBetween)
      .filter(isFound)
      .flatMap((month) => month.records);
    expect(records.map(({ folio }) => folio)).toContain(paid[0]?.folio);
    expect(records.filter(({ files }) => isFound(files)).length).toBe(records.length);
    if (!isFound(snapshots) || !isFound(obligatedSubject)) throw new Error('not found');
    expect(snapshots.records[0]?.rfc).toBe(employer.rfc);
    expect(obligatedSubject.record.id).toBe(employer.obligatedSubjectId);
    expect(network.sent).toEqual(['EmployerYear']);
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

  it('reads a compliance opinion, whose employer is not asked for its registration', async () => {
    const { registration } = employer;
    const opinion = (await client.query(ComplianceOpinionDocument, { registration })).employer?.complianceOpinion;
    if (!isFound(opinion)) throw new Error('not found');
    expect(
      Buffer.from(opinion.document.content ?? '', 'base64')
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
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

  it('checks a licence, and one that does not exist', async () => {
    const number = owner.licences[0]?.number ?? '';
    const { professionalLicence: licence } = await client.query(LicenceCheckDocument, { number });
    if (!isFound(licence)) throw new Error('not found');
    expect(licence.records[0]?.paternalSurname).toBe(owner.paternalSurname);
    const { professionalLicence: none } = await client.query(LicenceCheckDocument, { number: unusedLicence });
    expect([none?.outcome, isFound(none)]).toEqual(['NOT_FOUND', false]);
  });

  it('checks a certificate of studies', async () => {
    const folio = student.certificate?.folio ?? '';
    const { studyCertificate } = await client.query(CertificateCheckDocument, { folio });
    if (!isFound(studyCertificate)) throw new Error('not found');
    expect(studyCertificate.record.folio).toBe(folio);
  });

  it('reads the prices, at no price', async () => {
    const { registryEndpoints } = await client.query(EndpointPricesDocument, {});
    expect(registryEndpoints?.find(({ fields }) => fields.includes('Person.credit'))?.units).toBe(1);
    expect(padron.calls()).toEqual([]);
  });

  it('checks a signature sent as base64', async () => {
    const { rfc, password, certificate, privateKey } = credential;
    const { verifySignature } = await client.mutate(SignatureCheckDocument, {
      input: {
        rfc,
        password,
        certificate: { base64: certificate.toString('base64') },
        privateKey: { base64: privateKey.toString('base64') },
      },
    });
    if (!isFound(verifySignature)) throw new Error('not valid');
    expect(verifySignature.valid).toBe(true);
    expect(network.multipart).toEqual([false]);
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
