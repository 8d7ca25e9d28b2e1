import { PassThrough } from 'node:stream';
import { type GraphQLScalarType, Kind, parseValue as parseLiteralText } from 'graphql';
import { ScalarInputError } from '../../../../src/graph/core/client-error';
import * as scalars from '../../../../src/graph/core/scalars/scalars';
import { SecretBytes } from '../../../../src/graph/core/scalars/secret-bytes';
import { Upload, UploadedFile } from '../../../../src/graph/core/scalars/upload';
import type { GraphqlAnswer } from '../../../support/padrons/padron';
import { ledgerPadronForTests } from '../../../support/padrons/padron-for-tests';
import { type Sent, send } from '../../../support/requests/http';
import { engineRig } from '../../../support/stores/engines';

const { Base64, CertificateFolio, Curp, DateTime, Decimal, EmployerRegistration, Json, LicenceNumber, Nss, Rfc } =
  scalars;

const all: readonly GraphQLScalarType[] = [...Object.values(scalars), Upload];
const text = all.filter((scalar) => scalar !== Json && scalar !== Upload);

const literal = (source: string): Parameters<GraphQLScalarType['parseLiteral']>[0] => parseLiteralText(source);

describe('scalars', () => {
  it('have the names of the schema and a description', () => {
    expect(all.map(({ name }) => name).sort()).toEqual([
      ...['Base64', 'CURP', 'CertificateFolio', 'Date', 'DateTime', 'Decimal', 'EmployerRegistration', 'JSON'],
      ...['LicenceNumber', 'LocalDateTime', 'NSS', 'RFC', 'URL', 'Upload', 'YearMonth'],
    ]);
    for (const scalar of all) expect(scalar.description ?? '').toMatch(/^[A-Z].{10}/);
  });

  it.each<[GraphQLScalarType, string, string]>([
    [Nss, ' 84-96-63 1121-3 ', '84966311213'],
    [Nss, '0186 701 2344', '01867012344'],
    [Nss, 'not a number', 'NOTANUMBER'],
    [Curp, 'vada800927hsrsrl05', 'VADA800927HSRSRL05'],
    [Rfc, 'can\u0303f-770131–PA3', 'CAÑF770131PA3'],
    [Rfc, 'h&e 951128 469', 'H&E951128469'],
    [EmployerRegistration, 'y60-12345-10-1', 'Y6012345101'],
    [EmployerRegistration, 'Y60\u00a012345\u200b10‑1', 'Y6012345101'],
    [LicenceNumber, ' 0435151 ', '0435151'],
    [CertificateFolio, ' 3f2504e0-4F89 ', '3f2504e0-4F89'],
    [Base64, 'aGVs\r\nbG8=\n', 'aGVsbG8='],
    [Base64, 'aGVsbG8', 'aGVsbG8'],
    [Base64, '', ''],
  ])('%s reads %p as %p, as a variable and as a literal', (scalar, input, expected) => {
    expect(scalar.parseValue(input)).toBe(expected);
    expect(scalar.parseLiteral({ kind: Kind.STRING, value: input }, {})).toBe(expected);
  });

  it.each(text)('%s rejects every JSON value but a string, without repeating it', (scalar) => {
    for (const value of [8496631121, { secret: 'hunter2hunter2' }, ['hunter2hunter2'], true]) {
      const { message } = thrownBy(() => scalar.parseValue(value));
      expect(message).toMatch(new RegExp(`^${scalar.name} must be a string`));
      expect(message).not.toMatch(/8496631121|hunter2/);
    }
  });

  it.each(text)('%s rejects a literal without quotes, and points to it', (scalar) => {
    for (const source of ['8496631121', 'VADA800927HSRSRL05', '{hunter2hunter2: 1}', '[true]']) {
      const node = literal(source);
      const error = thrownBy(() => scalar.parseLiteral(node, {}));
      expect(error.message).toMatch(/must be a string/);
      expect(error.message).not.toMatch(/8496631121|VADA|hunter2/);
      expect(error.nodes).toEqual([node]);
    }
  });

  it.each(text)('%s serializes text unchanged and rejects anything else', (scalar) => {
    expect(scalar.serialize(' as it is ')).toBe(' as it is ');
    for (const value of [1, {}, [], true]) expect(() => scalar.serialize(value)).toThrow(TypeError);
  });

  it('DateTime serializes a Date as an instant in UTC, but not an invalid one', () => {
    expect(DateTime.serialize(new Date(0))).toBe('1970-01-01T00:00:00.000Z');
    expect(() => DateTime.serialize(new Date(Number.NaN))).toThrow(TypeError);
    expect(() => Decimal.serialize(new Date(0))).toThrow(TypeError);
  });

  it.each([
    ['data:application/octet-stream;base64,aGVsbG8=', /Remove the/],
    ['aGV_bG8-', /standard alphabet/],
    ['aGVsbG8==', /truncated/],
    ['aGVsb', /truncated/],
    ['a=b=', /must contain base64 text/],
    ['señal', /must contain base64 text/],
    ['=', /truncated/],
  ])('Base64 rejects %p and says why without repeating it', (value, message) => {
    expect(() => Base64.parseValue(value)).toThrow(message);
    expect(() => Base64.parseValue(value)).toThrow(ScalarInputError);
    if (value.length > 1) expect(thrownBy(() => Base64.parseValue(value)).message).not.toContain(value);
  });

  it('JSON accepts any value, and variables within a literal', () => {
    const value = { nss: '01867012344', list: [1, 2.5, true, null], deep: { given: 'x' } };
    expect(Json.parseValue(value)).toBe(value);
    expect(Json.serialize(value)).toBe(value);
    const source = '{nss: "01867012344", list: [1, 2.5, true, null], deep: {given: $x}}';
    expect(Json.parseLiteral(literal(source), { x: 'x' })).toEqual(value);
  });

  it('JSON rejects a bare name without repeating it', () => {
    const error = thrownBy(() => Json.parseLiteral(literal('{curp: VADA800927HSRSRL05}'), {}));
    expect(error.message).toBe('JSON has no bare names. Put the text in quotes.');
  });

  it('JSON keeps a key named __proto__ as data', () => {
    const value = Json.parseLiteral(literal('{__proto__: {admin: true}}'), {});
    expect(Object.keys(Object(value))).toEqual(['__proto__']);
    expect(Object(value).admin).toBeUndefined();
  });

  it('Upload accepts only a file part', () => {
    for (const value of ['hunter2hunter2', { promise: {} }, 1]) {
      expect(() => Upload.parseValue(value)).toThrow(/^Upload must be a file part [^2]*$/);
    }
    expect(() => Upload.parseLiteral(literal('"hunter2hunter2"'), {})).toThrow(/^Upload must be a file part [^2]*$/);
  });
});

function thrownBy(act: () => unknown): ScalarInputError {
  try {
    act();
  } catch (error) {
    if (error instanceof ScalarInputError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

const secret = () => Buffer.from('secret');
const wiped = Buffer.alloc(secret().length);

describe('the owner of secret bytes', () => {
  it('overwrites a buffer that arrives after its release', () => {
    const owner = new SecretBytes();
    owner.release();
    expect(owner.keep(secret())).toEqual(wiped);
  });

  it('waits for the last of its borrowers, and takes over what arrives meanwhile', async () => {
    const lender = new SecretBytes();
    const buffers = [lender.keep(secret())];
    const first = new SecretBytes();
    first.borrow(lender);
    await SecretBytes.using(async (second) => {
      second.borrow(lender);
      lender.release();
      buffers.push(lender.keep(secret()));
      first.release();
      expect(buffers).toEqual([secret(), secret()]);
    });
    expect(buffers).toEqual([wiped, wiped]);
  });

  it('is released when its work fails', async () => {
    let kept: Buffer | null = null;
    const work = SecretBytes.using(async (secrets) => {
      kept = secrets.keep(secret());
      throw new Error('failed');
    });
    await expect(work).rejects.toThrow('failed');
    expect(kept).toEqual(wiped);
  });
});

const read = (arriving: ConstructorParameters<typeof UploadedFile>[0]) =>
  new UploadedFile(arriving, new SecretBytes()).content(new SecretBytes());

describe('an uploaded file', () => {
  it('is incomplete when its part is refused or its stream fails, and never rejects', async () => {
    const failing = new PassThrough();
    const content = read(Promise.resolve({ createReadStream: () => failing }));
    await Promise.resolve();
    failing.destroy(new Error('aborted'));
    expect(await content).toBeNull();
    expect(await read(Promise.reject(new Error('gone')))).toBeNull();
  });

  it('is not a promise, so that it is not awaited before the resolver runs', async () => {
    const file = new UploadedFile(new Promise(() => {}), new SecretBytes());
    expect(await file).toBe(file);
    expect(Upload.parseValue(file)).toBe(file);
    expect(JSON.stringify(file)).toBe('{}');
  });
});

const NUL = 'a\u0000b';
const files = { certificate: { base64: 'AAAA' }, privateKey: { base64: 'AAAA' } };

/** A text with a NUL in each kind of input: the type of the argument, the field, and the value with the text in it. */
const inputs: readonly (readonly [type: string, field: string, value: unknown])[] = [
  ['ID!', 'registryBatch(id: $value) { id }', NUL],
  ['String', 'registryBatches(after: $value) { next }', NUL],
  ['[_Any!]!', '_entities(representations: $value) { __typename }', [{ __typename: 'RegistryBatch', id: NUL }]],
  ['RegistryLedgerFilter', 'registryLedger(filter: $value) { next }', { from: NUL }],
  ['PersonNameInput', 'person(name: $value) { nss }', { names: 'A', paternalSurname: 'B', maternalSurname: NUL }],
  ['NSS', 'person(nss: $value) { credit { outcome } }', NUL],
  [
    'UnitEstimateInput!',
    'unitEstimate(input: $value) { atMost }',
    { operation: '{ __typename }', rows: [{ id: NUL }] },
  ],
  ['RegistryBatchInput!', 'mutation createRegistryBatch(input: $value) { batch { id } }', { operation: 'x', tag: NUL }],
  ['ID!', 'mutation removeRegistryBudget(id: $value)', NUL],
  ['[RegistryBillingInput!]!', 'mutation settleRegistryBilling(input: $value) { id }', [{ id: '1', note: NUL }]],
  ['SignatureInput!', 'mutation verifySignature(input: $value) { valid }', { ...files, rfc: 'X', password: NUL }],
];

describe('a NUL in a text that a client sends', () => {
  const rig = engineRig('embedded');
  const padron = ledgerPadronForTests(rig);
  afterEach(() => {
    expect(padron.calls()).toEqual([]);
    expect(padron.log.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
  });

  const refusal = ({ data, errors }: GraphqlAnswer) => [
    data ?? null,
    ...(errors ?? []).map(({ extensions, message }) => `${extensions.code}: ${message}`),
  ];
  const inVariable = 'Variable "$value": a text in it has a NUL character (U+0000). Remove it.';
  const inDocument = 'A text in the document has a NUL character (U+0000). Remove it.';

  it.each(inputs)('is rejected as a variable and as a literal: %s, %s', async (type, field, value) => {
    const [kind, selection] = [/^mutation|/.exec(field)?.[0] || 'query', field.replace('mutation ', '')];
    const byVariable = await padron.ask(`${kind} ($value: ${type}) { ${selection} }`, { value });
    expect(refusal(byVariable)).toEqual([null, `BAD_USER_INPUT: ${inVariable}`]);
    const literal = JSON.stringify(value).replace(/"(\w+)":/g, '$1: ');
    const byLiteral = await padron.ask(`${kind} { ${selection.replace('$value', () => literal)} }`);
    expect(refusal(byLiteral)).toEqual([null, `GRAPHQL_PARSE_FAILED: ${inDocument}`]);
  });

  it.each([
    ['by its number in braces', '{ registryBatch(id: "\\u{000}") { id } }'],
    ['in a block of text', '{ registryBatch(id: """a\u0000""") { id } }'],
    ['in a default', 'query($id: ID! = "\\u0000") { registryBatch(id: $id) { id } }'],
    ['in a directive', '{ __typename @skip(if: "\\u0000") }'],
  ])('is rejected in a document %s', async (_what, query) => {
    expect(refusal(await padron.ask(query))).toEqual([null, `GRAPHQL_PARSE_FAILED: ${inDocument}`]);
  });

  it('is rejected in the operation of a batch and of an estimate', async () => {
    const operation = '{ person(nss: "\\u0000") { credit { outcome } } }';
    const created = await padron.ask(
      `mutation($operation: String!) { createRegistryBatch(input: { operation: $operation }) {
        batch { id } problems { code message } } }`,
      { operation },
    );
    const message = expect.stringContaining('NUL');
    const problems = [{ code: 'INVALID_FORMAT', message }];
    expect(created.data.createRegistryBatch).toMatchObject({ batch: null, problems });
    const estimate = 'query($o: String!) { unitEstimate(input: { operation: $o }) { estimatedUnits } }';
    expect((await padron.ask(estimate, { o: operation })).errors).toMatchObject([{ message }]);
  });

  it('is not confused with a text that only contains the code of a NUL', async () => {
    const found = { data: { registryBatch: null }, errors: undefined };
    expect(await padron.ask('{ registryBatch(id: "a\\\\u0000") { id } }')).toMatchObject(found);
    const byVariable = 'query($id: ID!) { registryBatch(id: $id) { id } }';
    expect(await padron.ask(byVariable, { id: '\\u0000' })).toMatchObject(found);
  });

  const expectNoInternalError = async (path: string, sent: Sent = {}): Promise<void> => {
    const { status, text } = await send(new URL(path, padron.url).href, sent);
    expect(status).toBeLessThan(500);
    expect(text).not.toContain('INTERNAL_SERVER_ERROR');
  };

  it.each([
    ['the name of an operation', { query: 'query A { __typename }', operationName: 'A\u0000' }],
    ['the hash of a document', { extensions: { persistedQuery: { version: 1, sha256Hash: '\u0000' } } }],
    ['a variable that is not declared', { query: '{ __typename }', variables: { 'a\u0000': '\u0000' } }],
  ])('does not cause an internal error as %s', (_what, body) => {
    const json = { 'content-type': 'application/json' };
    return expectNoInternalError('/graphql', { method: 'POST', headers: json, body: JSON.stringify(body) });
  });

  it.each([
    '/batches/%00/rows?link=%00',
    '/batches/a/results.csv?link=a%00',
    '/graphql?query=%7B__typename%7D%00',
    '/graphql/errors/%00',
    '/%00',
    '/graphql/ledger/%00.csv',
  ])('does not cause an internal error in the path %s', (path) => expectNoInternalError(path));
});
