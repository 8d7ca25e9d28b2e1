import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ledgerPadronForTests, padronForTests } from '../../support/padrons/padron-for-tests';
import { agentsForTests } from '../../support/requests/agent';
import { BatchClient } from '../../support/requests/batches';
import { priceOf } from '../../support/requests/money';
import { engineRig } from '../../support/stores/engines';

const answer = '{ outcome problems { code path message } }';
const byName = `query ByName($names: String!, $paternalSurname: String!) {
  person(name: { names: $names, paternalSurname: $paternalSurname }) { licences ${answer} } }`;
const byNss = `query ByNss($nss: NSS!) { person(nss: $nss) { credit ${answer} } }`;
const byLicence = `query ByLicence($number: LicenceNumber!) { professionalLicence(number: $number) ${answer} }`;
const byRegistration = `query ByRegistration($registration: EmployerRegistration!) {
  employer(registration: $registration) { obligatedSubject ${answer} } }`;

const cases: readonly (readonly [what: string, query: string, variables: Record<string, string>, path: string])[] = [
  ['a lost letter in the given names', byName, { names: 'BEGO?A', paternalSurname: 'PEÑA' }, 'name.names'],
  ['mojibake in a surname', byName, { names: 'CLAUDIA', paternalSurname: 'MUÃ‘OZ' }, 'name.paternalSurname'],
  ['a letter of MS-DOS in a surname', byName, { names: 'CLAUDIA', paternalSurname: 'MU¥OZ' }, 'name.paternalSurname'],
  ['a digit in the given names', byName, { names: 'CLAUD1A', paternalSurname: 'MUÑOZ' }, 'name.names'],
  ['an NSS of zeros', byNss, { nss: '00000000000' }, 'nss'],
  ['an NSS of subdelegation 00', byNss, { nss: '00867012346' }, 'nss'],
  ['licence 0', byLicence, { number: '0' }, 'number'],
  ['a licence of zeros', byLicence, { number: '0000000' }, 'number'],
  ['a registration of zeros', byRegistration, { registration: '00000000000' }, 'registration'],
];

const folder = mkdtempSync(join(tmpdir(), 'padron-impossible-'));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, 'tools.graphql'), [byName, byNss, byLicence, byRegistration].join('\n'));

const rig = engineRig();
const padron = ledgerPadronForTests(rig);
const client = new BatchClient(padron);
const padronOfAgents = padronForTests({ environment: { MCP: 'on', MCP_MAX_UNITS: '3', TRUSTED_DOCUMENTS: folder } });
const connect = agentsForTests(padronOfAgents);
const toolOf = (query: string): string => /query (\w+)/.exec(query)?.[1] ?? '';

beforeAll(() => client.verifyToken());
beforeEach(() => void padron.calls());

describe('what cannot be true costs nothing', () => {
  it.each(cases)('in a request, nor in its price: %s', async (_what, query, variables, path) => {
    const problem = { code: 'INVALID_FORMAT', path: path.split('.') };
    const { data } = await padron.ask(query, variables);
    expect(Object.values(data.person ?? data.employer ?? data)[0]).toMatchObject({ problems: [problem] });
    const { estimatedUnits, problems } = await priceOf(padron, { query, variables });
    expect([estimatedUnits, problems]).toEqual([0, [expect.objectContaining(problem)]]);
    expect(padron.calls()).toEqual([]);
  });

  it.each(cases)('in a row of a batch: %s', async (_what, query, variables) => {
    const { id, progress } = await client.runRows(query, [variables]);
    expect(progress).toMatchObject({ failed: 1, spentUnits: 0, uncertainUnits: 0 });
    expect(await client.rows(id)).toMatchObject([
      { state: 'FAILED', problems: [{ code: 'INVALID_FORMAT' }], units: 0 },
    ]);
    expect(padron.calls()).toEqual([]);
  });

  it.each(cases)('in a tool of an agent: %s', async (_what, query, variables, path) => {
    const said = await (await connect()).say(toolOf(query), variables);
    expect(said).toContain(`- ${path}: INVALID_FORMAT`);
    expect(padronOfAgents.calls()).toEqual([]);
  });
});

it('an entity key of zeros costs nothing', async () => {
  const query = `query ($of: [_Any!]!) { _entities(representations: $of) { ... on Person { credit ${answer} } } }`;
  const { data } = await padron.ask(query, { of: [{ __typename: 'Person', nss: '00000000000' }] });
  expect(data._entities).toMatchObject([{ credit: { outcome: 'INVALID_INPUT', problems: [{ path: ['nss'] }] } }]);
  expect(padron.calls()).toEqual([]);
});

it.each([
  ['name: { names: "CLAUDIA", paternalSurname: "MUÃ‘OZ" }', '`subject.name.paternalSurname` is invalid.'],
  ['nss: "00000000000"', '`subject.nss` is invalid.'],
  ['licence: "0"', '`subject.licence` is invalid.'],
  ['rfc: "XXXX010101000"', '`subject.rfc` is invalid.'],
])('a search of the ledger refuses %s', async (subject, message) => {
  const { errors } = await padron.ask(`{ registryProofs(subject: { ${subject} }) { next } }`);
  expect(errors).toMatchObject([{ message: expect.stringContaining(message) }]);
});
