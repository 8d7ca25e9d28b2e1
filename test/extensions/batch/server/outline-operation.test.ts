import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, getNamedType, isObjectType } from 'graphql';
import { outlineOperation } from '../../../../src/extensions/batch/server/outline-operation';
import { spanishFields } from '../../../../src/extensions/batch/server/spanish-fields';

const schema = buildSchema(readFileSync(join(__dirname, '../../../../schema/api.graphql'), 'utf8'));

const outcomes = {
  FOUND: 'Found',
  NOT_FOUND: 'Not found',
  INVALID_INPUT: 'Invalid input',
  NOT_PERMITTED: 'Not permitted',
  UNAVAILABLE: 'Unavailable',
  NOT_RUN: 'Not run',
};

const headersOf = (operation: string, language: 'en' | 'es' = 'en'): readonly string[] =>
  outlineOperation(schema, operation, null, language).map(({ header }) => header);

/** Returns the names of all fields below these fields of the root. */
function fieldsBelow(roots: readonly string[]): ReadonlySet<string> {
  const names = new Set(roots);
  const types = new Set<string>();
  const visit = (name: string): void => {
    const type = schema.getType(name);
    if (!isObjectType(type) || types.has(name)) return;
    types.add(name);
    for (const field of Object.values(type.getFields())) {
      names.add(field.name);
      visit(getNamedType(field.type).name);
    }
  };
  for (const root of roots) visit(getNamedType(schema.getQueryType()?.getFields()[root]?.type)?.name ?? '');
  return names;
}

describe('the outline of an operation', () => {
  it('has a column for each field of fragments too, in the order of the answer and once', () => {
    const operation = `query Q($nss: NSS!, $all: Boolean = false) {
      person(nss: $nss) { ...Credit nss licences { ... on LicencesLookup { outcome } ... on RegistryLookup { problems { code } } } credit { outcome record { number } } }
    }
    fragment Credit on Person { credit { ...Proof record { openedOn } } }
    fragment Proof on RegistryLookup { outcome evidence { validationCode } problems @include(if: $all) { code message } }`;
    expect(outlineOperation(schema, operation, null, 'en')).toEqual([
      { path: ['person', 'credit', 'outcome'], header: 'Credit: outcome', kind: 'enum', words: outcomes },
      {
        path: ['person', 'credit', 'evidence', 'validationCode'],
        header: 'Credit: validation code',
        kind: 'text',
      },
      { path: ['person', 'credit', 'problems', 'code'], header: 'Credit: problems: code', kind: 'text' },
      { path: ['person', 'credit', 'problems', 'message'], header: 'Credit: problems: message', kind: 'message' },
      { path: ['person', 'credit', 'record', 'openedOn'], header: 'Credit: opened on', kind: 'day' },
      { path: ['person', 'credit', 'record', 'number'], header: 'Credit: number', kind: 'text' },
      { path: ['person', 'nss'], header: 'Person: NSS', kind: 'text' },
      { path: ['person', 'licences', 'outcome'], header: 'Licences: outcome', kind: 'enum', words: outcomes },
      { path: ['person', 'licences', 'problems', 'code'], header: 'Licences: problems: code', kind: 'text' },
    ]);
  });

  it('keeps the names that the caller chose, and gives the whole path to fields with the same header', () => {
    const operation =
      'query($nss: NSS!) { person(nss: $nss) { credit { outcome record { number } evidence { number: units } } } }';
    expect(headersOf(operation)).toEqual([
      ...['Credit: outcome', 'Person: credit: record: number', 'Person: credit: evidence: number'],
    ]);
    expect(headersOf(`query($nss: NSS!) { boss: person(nss: $nss) { myCredit: credit { outcome } } }`)).toEqual([
      'boss: myCredit: outcome',
    ]);
  });

  it('has numbers, decimals, days and booleans, which are texts within a list', () => {
    const operation = `query($registration: EmployerRegistration!, $nss: NSS!) {
      person(nss: $nss) { housingAccount { record { totalBalance } } credit { record { hasCredit monthsWithoutContribution } } }
      employer(registration: $registration) { snapshots { outcome records { riskPremium workers } setAside } } }`;
    expect(outlineOperation(schema, operation, null, 'en').map(({ kind }) => kind)).toEqual([
      ...['decimal', 'boolean', 'number', 'enum', 'text', 'text', 'number'],
    ]);
  });

  it('still has a column for a field that the schema no longer has', () => {
    expect(headersOf('{ person(nss: "1") { credit { gone outcome } former { value } } }')).toEqual([
      ...['Credit: gone', 'Credit: outcome', 'Person: former: value'],
    ]);
  });

  it('has Spanish headers, for every field that a batch can select', () => {
    expect(headersOf('{ person(nss: "1") { credit { outcome record { hasCredit } } nss } }', 'es')).toEqual([
      ...['Crédito: resultado', 'Crédito: tiene crédito', 'Persona: NSS'],
    ]);
    const isAcronym = (name: string): boolean => /^(?:cfdi|curp|id|nss|pdf|rfc|url|uuid|xml)$/.test(name);
    const names = fieldsBelow([
      ...['person', 'employer', 'professionalLicence', 'studyCertificate'],
      ...['registryEndpoints', 'registryUnitPrice', 'unitEstimate'],
    ]);
    expect(names.size).toBeGreaterThan(100);
    expect([...names].filter((name) => !isAcronym(name) && !Object.hasOwn(spanishFields, name))).toEqual([]);
  });
});
