import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { buildSchema, type GraphQLEnumType, getNamedType, isEnumType, isObjectType } from 'graphql';
import { ResultTable } from '../../../../src/extensions/batch/results/result-table';
import { outlineOperation } from '../../../../src/extensions/batch/server/outline-operation';
import { spanishFields } from '../../../../src/extensions/batch/server/spanish-fields';
import type { BatchRow } from '../../../../src/extensions/batch/storage/row-store';
import { people } from '../../../../src/extensions/sandbox/data/people';
import { uncleanPeople } from '../../../../src/extensions/sandbox/data/unclean-people';
import { readWorkbook } from '../../../support/documents/read-workbook';
import { ledgerPadronForTests } from '../../../support/padrons/padron-for-tests';
import { BatchClient, CREDIT, NSS } from '../../../support/requests/batches';
import { engineRig } from '../../../support/stores/engines';

const [first = '', second = ''] = NSS;
const mistyped = `${first.slice(0, 10)}${(Number(first[10]) + 1) % 10}`;
const operation = `query($nss: NSS!) { person(nss: $nss) { credit { outcome problems { code message retryable } evidence { billing servedFrom checkedAt } }
  consistency { status fields { field provided agree differ silent } } } }`;

describe('the results in Spanish', () => {
  // In Mexico City it is the evening of 23 November.
  const now = () => new Date('2026-11-24T01:30:05.678Z');
  const padron = ledgerPadronForTests(engineRig(), { TIME_ZONE: 'America/Mexico_City', REPLAY_SECONDS: '0' }, { now });
  const english = new BatchClient(padron);

  it('have words for every value, and the times of TIME_ZONE, also if the batch was created in English', async () => {
    const people = [first, mistyped, first].map((nss) => ({ nss }));
    const { csvUrl, xlsxUrl, jsonlUrl } = await english.runRows(operation, people);
    const { text } = await english.download(`${csvUrl}&language=es`);
    const rows: Record<string, string>[] = parse(text, { bom: true, columns: true });
    expect(rows[0]).toMatchObject({
      'Crédito: resultado': 'Encontrado',
      'Crédito: cobro': 'Cobrado',
      'Crédito: origen': 'Consulta nueva',
      'Crédito: fecha de consulta': '2026-11-23 19:30:05',
      'Persona: concordancia: estatus': 'Datos insuficientes',
      'Persona: concordancia: datos: dato': expect.stringMatching(/^NSS; CURP; .*Apellido paterno/),
      'Persona: concordancia: datos: coinciden': expect.stringContaining('Infonavit'),
    });
    expect(rows[1]).toMatchObject({
      Problema: expect.stringContaining('dígito verificador'),
      'Códigos de problema': 'WRONG_CHECK_DIGIT',
      'Crédito: resultado': 'Dato no válido',
      'Crédito: problemas: código': 'WRONG_CHECK_DIGIT',
      'Crédito: problemas: mensaje': expect.stringContaining('dígito verificador'),
      'Crédito: problemas: se puede reintentar': 'No',
      'Crédito: cobro': 'No cobrado',
      'Crédito: origen': 'No enviada',
      'Crédito: fecha de consulta': '',
    });
    // The rows run beside each other: the second one shares the call, or gets what the batch has kept.
    const shared = expect.stringMatching(/^Respuesta (reutilizada|guardada)$/);
    expect(rows[2]).toMatchObject({ 'Crédito: cobro': 'No cobrado', 'Crédito: origen': shared });

    const { texts, kinds } = await readWorkbook(await english.downloadBytes(`${xlsxUrl}&language=es`));
    const place = texts[0]?.indexOf('Crédito: fecha de consulta') ?? -1;
    expect(texts.slice(1).map((row) => row[place])).toEqual(rows.map((row) => row['Crédito: fecha de consulta']));
    expect(kinds.slice(1).map((row) => row[place])).toEqual(['day', 'empty', 'day']);

    const [line = ''] = (await english.download(`${jsonlUrl}&language=es`)).text.split('\n');
    expect(JSON.parse(line).data.person.credit).toMatchObject({
      outcome: 'FOUND',
      evidence: { billing: 'CHARGED', servedFrom: 'LIVE', checkedAt: '2026-11-24T01:30:05.678Z' },
    });
  });

  it('tell a row that is done and may be about another person from one that is only done, in every table', async () => {
    const [, uriel, claudia] = people;
    const credit = readFileSync(join(__dirname, '../../../../schema/examples/person-credit.graphql'), 'utf8');
    const { csvUrl, xlsxUrl, progress } = await english.runRows(credit, [
      { nss: uriel?.nss, curp: uriel?.curp },
      { nss: uriel?.nss, curp: claudia?.curp },
      { nss: uriel?.nss },
    ]);
    expect(progress).toMatchObject({ done: 3, doubtful: 1 });
    const states = async (url: string, name: string) =>
      (parse((await english.download(url)).text, { bom: true, columns: true }) as Record<string, string>[]).map(
        (row) => row[name],
      );
    expect(await states(`${csvUrl}&language=es`, 'Estado')).toEqual(['Hecha', 'Hecha, revisar', 'Hecha']);
    expect(await states(`${csvUrl}`, 'State')).toEqual(['Done', 'Done, review', 'Done']);
    const { texts } = await readWorkbook(await english.downloadBytes(`${xlsxUrl}&language=es`));
    expect(texts.flat().filter((text) => text.startsWith('Hecha'))).toEqual(['Hecha', 'Hecha, revisar', 'Hecha']);
  });

  it('tell a row whose person may have a licence from one without any', async () => {
    const { names, paternalSurname, maternalSurname } = uncleanPeople.otherSpelling.person;
    const licences = `query ($names: String!, $paternalSurname: String!, $maternalSurname: String) {
      person(name: { names: $names, paternalSurname: $paternalSurname, maternalSurname: $maternalSurname }) { licences { outcome } } }`;
    const { csvUrl, progress } = await english.runRows(licences, [
      { names, paternalSurname, maternalSurname },
      { names: 'NADIE', paternalSurname: 'SINHALLAZGO', maternalSurname },
    ]);
    expect(progress).toMatchObject({ done: 2, doubtful: 1, spentUnits: 2 });
    const { text } = await english.download(csvUrl);
    expect(parse(text, { bom: true, columns: true })).toMatchObject([
      { State: 'Done, review', 'Problem codes': 'POSSIBLE_RECORDS' },
      { State: 'Done', 'Problem codes': '' },
    ]);
  });

  it('have a word for every value of the enums that a row can contain, except codes of problems', () => {
    const schema = buildSchema(readFileSync(join(__dirname, '../../../../schema/api.graphql'), 'utf8'));
    const enums = new Map<string, GraphQLEnumType>();
    const seen = new Set<string>();
    /** Operations that select each enum by the path of the field. */
    const visit = (typeName: string, path: readonly string[]): void => {
      const type = schema.getType(typeName);
      if (isEnumType(type)) enums.set(path.join('.'), type);
      if (!isObjectType(type) || seen.has(typeName)) return;
      seen.add(typeName);
      for (const field of Object.values(type.getFields())) visit(getNamedType(field.type).name, [...path, field.name]);
    };
    for (const root of ['person', 'employer', 'professionalLicence', 'studyCertificate', 'unitEstimate'])
      visit(getNamedType(schema.getQueryType()?.getFields()[root]?.type)?.name ?? '', [root]);
    expect(new Set([...enums.values()].map(({ name }) => name)).size).toBeGreaterThan(6);
    for (const [path, type] of enums) {
      if (type.name === 'ProblemCode') continue;
      const selection = `{ ${path.replaceAll('.', ' { ')} ${'}'.repeat(path.split('.').length)}`;
      const [{ words = {} } = {}] = outlineOperation(schema, selection, null, 'es');
      expect(Object.keys(words)).toEqual(type.getValues().map(({ name }) => name));
      // Each value has its own word. Identifiers have the same name in both languages.
      const same = Object.entries(words).filter(([value, word]) => word === value || word === '');
      expect([type.name, same.filter(([value]) => !/^(NSS|CURP|RFC)$/.test(value))]).toEqual([type.name, []]);
    }
  });

  it('tell of an error of a field, whose message is in English, in Spanish', () => {
    const row: BatchRow = {
      ...{ number: 1, state: 'FAILED', attempts: 1, units: 0, uncertain: 0, doubtful: false, ref: null, line: 2 },
      ...{ variables: {}, cells: [], remarks: [] },
      result: {
        data: null,
        errors: [{ message: 'Internal error.', path: ['person', 'credit'] }],
        lookups: [],
        problems: [],
      },
    };
    expect(new ResultTable('es', [], [], 'UTC').toCells(row)[1]).toBe(
      'Ocurrió un error en `person.credit`. Avise al operador.',
    );
    expect(new ResultTable('en', [], [], 'UTC').toCells(row)[1]).toBe('Internal error.');
  });

  it('are called after the file, and say if the batch is not over', async () => {
    const spanish = new BatchClient(padron, undefined, { 'accept-language': 'es-MX' });
    const { batch } = await spanish.create({ operation: CREDIT, name: 'Nómina "5000"/2026.xlsx' });
    await spanish.upload(batch.uploadUrl, `nss\n${first}\n${second}\n`);
    const { csvUrl, jsonlUrl } = await spanish.run(batch.id, 1);
    expect(await spanish.downloadName(csvUrl)).toBe(
      `attachment; filename="Nomina -5000--2026.resultados.parcial.csv"; filename*=UTF-8''N%C3%B3mina%20-5000--2026.resultados.parcial.csv`,
    );
    expect(await spanish.downloadName(`${jsonlUrl}&language=en`)).toContain(
      `N%C3%B3mina%20-5000--2026.results.partial.jsonl`,
    );
    await spanish.change(`resumeRegistryBatch(id: "${batch.id}", maxUnits: 2)`);
    const { xlsxUrl } = await spanish.until(batch.id, 'DONE');
    expect(await spanish.downloadName(xlsxUrl)).toContain(`N%C3%B3mina%20-5000--2026.resultados.xlsx`);
  });

  it.each([
    ['people.csv', 'attachment; filename="people.results.csv"'],
    [null, expect.stringMatching(/^attachment; filename="batch-[\w-]{22}\.results\.csv"$/)],
    ['..', expect.stringMatching(/^attachment; filename="batch-[\w-]{22}\.results\.csv"$/)],
    [
      '100% 社員 v1.2',
      `attachment; filename="100_ __ v1.2.results.csv"; filename*=UTF-8''100%25%20%E7%A4%BE%E5%93%A1%20v1.2.results.csv`,
    ],
    [`\u202Egnp.x\r\n(a)'*;=\ue000`, `attachment; filename="-gnp.x--(a)'-;=-.results.csv"`],
    [
      'ñ'.repeat(200),
      expect.stringMatching(
        /^attachment; filename="n{100}\.results\.csv"; filename\*=UTF-8''(%C3%B1){100}\.results\.csv$/,
      ),
    ],
  ])('have a name that is safe for a batch with the name %j', async (name, expected) => {
    const { batch } = await english.create({ operation: CREDIT, name, rows: [{ nss: mistyped }] });
    const { csvUrl } = await english.run(batch.id, 1);
    expect(await english.downloadName(csvUrl)).toEqual(expected);
  });
});

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
      { path: ['person', 'credit', 'evidence', 'validationCode'], header: 'Credit: validation code', kind: 'text' },
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
