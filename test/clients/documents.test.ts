import {
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
import { apolloClient, urqlClient, type WatchedNetwork, watchNetwork } from './clients';
import { present, type TypedClient, throughApollo, throughUrql } from './typed-client';

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
