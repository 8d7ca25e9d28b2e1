import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'graphql';
import type { Estimate } from '../../../../schema/client/price-of';
import { SANDBOX_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../../src/extensions/sandbox/data/people';
import type { Context } from '../../../../src/graph/core/context';
import { estimateUnits } from '../../../../src/graph/core/pricing/estimate';
import { bearer, JWT_SECRET } from '../../../support/keys/identity-provider';
import { verifyMutation } from '../../../support/keys/signatures';
import { payer } from '../../../support/operations/employer-graph';
import { somebody } from '../../../support/operations/people-fields';
import { padronForTests } from '../../../support/padrons/padron-for-tests';
import { buildGraph } from '../../../support/padrons/whole-padron';
import { withPadron } from '../../../support/padrons/with-padron';
import { askPriced, callsBy, nothingSpent, priceOf } from '../../../support/requests/money';

const { nss, curp } = somebody;
const estimateQuery = `query ($input: UnitEstimateInput!) { unitEstimate(input: $input) {
  dataset rowCount endpoints { url route fields calls unitsPerCall subtotal } estimatedUnits atMost unitsWithPermission amount bounded
  invalidRows problems { code path message } currentBalance sufficient } }`;
const creditByNss = 'query ($nss: NSS!) { person(nss: $nss) { credit { outcome } } }';
const by = (...fields: readonly string[]) => `query ($nss: NSS, $curp: CURP) { person(nss: $nss, curp: $curp) {
  ${fields.map((field) => `${field} { outcome }`).join(' ')} } }`;
const ofPayer = (fields: string): string => `{ employer(registration: "${payer.registration}") { ${fields} } }`;

const padron = padronForTests();
afterEach(() => expect(padron.calls()).toEqual([]));

const ask = (input: unknown, headers = {}) =>
  askPriced(padron, { query: estimateQuery, variables: { input } }, headers);

async function estimate(input: unknown): Promise<Estimate> {
  const { data, errors } = await ask(input);
  expect(errors).toBeUndefined();
  return data.unitEstimate;
}

async function refusal(input: unknown): Promise<string> {
  const { data, errors } = await ask(input);
  expect(data?.unitEstimate ?? null).toBeNull();
  expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
  return errors?.[0].message;
}

describe('Query.unitEstimate over a dataset', () => {
  it('counts each distinct question of all rows once', async () => {
    const [first = '', second = ''] = people.slice(1, 3).map((person) => person.nss);
    const rows = [first, second, first, ` ${second.slice(0, 4)}-${second.slice(4)} `].map((written) => ({
      nss: written,
    }));
    const counted = { calls: 2, unitsPerCall: 1, subtotal: 2 };
    const credit = { url: '/api/infonavit/grupo/buscar-credito', route: 'findCredit', fields: ['person.credit'] };
    expect(await estimate({ operation: creditByNss, rows, dataset: 'payroll of May' })).toEqual({
      ...{ dataset: 'payroll of May', rowCount: 4, endpoints: [{ ...credit, ...counted }] },
      ...{ estimatedUnits: 2, atMost: 2, amount: null, bounded: true, invalidRows: 0, problems: [] },
      ...{ unitsWithPermission: null, currentBalance: null, sufficient: null },
    });
  });

  it.each<[string, string, readonly object[], number, Readonly<Record<string, number>>]>([
    [
      'rows that are invalid',
      creditByNss,
      [{ nss }, { nss: '123' }, { nss: '12345678901' }, {}, { nss: null }, { nss: 5 }],
      5,
      { findCredit: 1 },
    ],
    [
      'the invalid part of a row, but not its valid part',
      by('credit', 'professionalStatus'),
      [{ nss: '123', curp }],
      1,
      { downloadProfessionalStatus: 1 },
    ],
    ['a row with a wrong identifier in its chain', by('licences'), [{ nss: '123' }], 1, {}],
    ['no row that only lacks an identifier', by('credit'), [{}], 0, {}],
  ])('counts %s separately, and not their cost', async (_what, operation, rows, invalidRows, calls) => {
    const result = await estimate({ operation, rows });
    expect(result).toMatchObject({ rowCount: rows.length, invalidRows });
    expect(callsBy(result)).toEqual(calls);
  });

  it('lists the problems of rows once', async () => {
    const rows = [
      { nss: '1', curp },
      { nss: '2', curp },
      { nss, curp: '3' },
      { nss, curp },
    ];
    const { invalidRows, problems } = await estimate({ operation: by('credit', 'identity'), rows });
    expect(invalidRows).toBe(3);
    expect(problems).toEqual([
      { code: 'INVALID_FORMAT', path: ['nss'], message: expect.stringContaining('An NSS has 11 digits') },
      { code: 'INVALID_FORMAT', path: ['curp'], message: expect.stringContaining('A CURP has 18 characters') },
    ]);
  });

  it('includes the limit of each batch that the rows start, and rejects one without a limit', async () => {
    const operation =
      'mutation ($id: ID!, $max: Int) { resumeRegistryBatch(id: $id, maxUnits: $max) { batch { id } } }';
    const rows = [5, 7, 20].map((max) => ({ id: max < 10 ? 'a' : 'b', max }));
    expect(await estimate({ operation, rows })).toMatchObject({ estimatedUnits: 27, atMost: 27, endpoints: [] });
    expect(await refusal({ operation, rows: [...rows, { id: 'c' }] })).toContain('The price is unknown');
  });

  it('assumes one empty row if no rows are given', async () => {
    const operation = ofPayer('receipts(period: "2026-01") { records { files { outcome } } }');
    const unbounded = { estimatedUnits: 3, atMost: null, bounded: false };
    expect(await estimate({ operation })).toMatchObject({ dataset: null, rowCount: 1, ...unbounded });
    expect(await estimate({ operation, rows: [] })).toMatchObject({ rowCount: 0, estimatedUnits: 0 });
  });

  it('is free, whatever the budget', async () => {
    const { data, units, unitsSpent } = await ask({ operation: creditByNss, rows: [{ nss }] }, { 'x-max-units': '0' });
    expect([data.unitEstimate.estimatedUnits, units, unitsSpent]).toEqual([1, nothingSpent, '0']);
  });

  it('does not count estimates within estimates', async () => {
    const operation = `{ unitEstimate(input: { operation: ${JSON.stringify(by('credit'))} }) { estimatedUnits } }`;
    expect(await estimate({ operation })).toMatchObject({ endpoints: [], estimatedUnits: 0, invalidRows: 0 });
  });
});

describe('Query.unitEstimate rejects', () => {
  const secret = curp;

  it('more rows than it counts', async () => {
    const rows = Array.from({ length: 10_001 }, () => ({ nss: '1' }));
    const message = '`rows` has 10001 rows. Send at most 10000 at once.';
    expect(await refusal({ operation: creditByNss, rows })).toBe(message);
  });

  it.each([[[secret]], [[[secret]]], [[{}, 5]], [[true]]])('rows that are not variables: %#', async (rows) => {
    const message = await refusal({ operation: creditByNss, rows });
    expect(message).toBe('Each of `rows` must be an object: the variables of one run.');
  });

  it.each([
    ['that is not a document', `{ person(curp: "${secret}" `, /not a GraphQL document \(line 1, column \d+\)/],
    ['that is nothing', '', /not a GraphQL document/],
    ['of another schema', `{ person(curp: "${secret}") { ${secret} } }`, /match the schema \(line 1, column \d+\)/],
    ['of another kind', `subscription { ${secret} }`, /is a subscription\. Use a query or a mutation/],
    ['that is too long to run', `{ ${'registryEndpoints { units } '.repeat(5_000)} }`, /has more than 15000 tokens/],
  ])('an operation %s, without quoting it', async (_what, operation, expected) => {
    const message = await refusal({ operation });
    expect(message).toMatch(expected);
    expect(message).not.toContain(secret);
  });

  it.each([
    ['none of several is named', undefined],
    ['another operation is named', secret],
  ])('a document of which %s, instead of reporting a price of 0', async (_what, operationName) => {
    const operation = `${creditByNss.replace('query', 'query One')} query None { registryEndpoints { units } }`;
    const message = await refusal({ operation, operationName, rows: [{ nss }] });
    expect(message).toMatch(/^`operationName` must name one of the operations/);
    expect(message).not.toContain(secret);
  });
});

describe('the fields of an estimate', () => {
  const fieldsBy = async (query: string, variables = {}) => {
    const { endpoints } = await priceOf(padron, { query, variables });
    return Object.fromEntries(endpoints.map(({ route, fields }) => [route, fields]));
  };

  it('are listed with their endpoint, by alias, each once, in calling order', async () => {
    const query = `{ me: person(nss: "${nss}") { loan: credit { outcome } credit { outcome } identity { outcome } } }`;
    expect(await fieldsBy(query)).toEqual({
      findCredit: ['me.loan', 'me.credit', 'me.identity'],
      findIdentity: ['me.identity'],
    });
  });

  it('have no list positions', async () => {
    const months = 'receiptsBetween(from: "2025-01", to: "2025-03") { records { files { outcome } } }';
    expect(await fieldsBy(ofPayer(months))).toEqual({
      listReceipts: ['employer.receiptsBetween'],
      downloadReceipt: ['employer.receiptsBetween.records.files'],
    });
  });

  it('are listed for a signature check', async () => {
    const [file, password] = [{ base64: 'AAAA' }, 'secret'];
    const input = { rfc: somebody.rfc, password, certificate: file, privateKey: file };
    const query = verifyMutation.replace('verifySignature', 'check: verifySignature');
    expect(Object.values(await fieldsBy(query, { input }))).toEqual([['check']]);
  });

  it('are at most a hundred, with a limited length', async () => {
    const many = Array.from({ length: 150 }, (_, index) => `a${index}: credit { outcome }`).join(' ');
    const { findCredit } = await fieldsBy(`{ person(nss: "${nss}") { ${many} } }`);
    expect(findCredit).toHaveLength(100);
    const long = await fieldsBy(`{ ${'p'.repeat(900)}: person(nss: "${nss}") { credit { outcome } } }`);
    expect(long).toEqual({ findCredit: [`${'p'.repeat(200)}…`] });
  });
});

describe('the problems of an estimate', () => {
  it('say once why fields are free, and never quote the value', async () => {
    const lookups = 'credit { outcome } housingAccount { outcome } identity { outcome }';
    const query = `{ person(nss: "04159600264", curp: "NOBODY") { ${lookups} } }`;
    const priced = await priceOf(padron, { query });
    expect(priced).toMatchObject({ estimatedUnits: 0, atMost: 0, invalidRows: 1 });
    expect(priced.problems).toMatchObject([
      { code: 'WRONG_CHECK_DIGIT', path: ['nss'] },
      { code: 'INVALID_FORMAT', path: ['curp'] },
    ]);
    expect(JSON.stringify(priced)).not.toMatch(/0415960|NOBODY/);
  });

  it('say which identifier is missing', async () => {
    const { problems } = await priceOf(padron, { query: '{ person { credit { outcome } } }' });
    expect(problems).toMatchObject([{ code: 'MISSING_IDENTIFIER', path: ['nss'] }]);
  });
});

it("the price of an employer's year is its usual cost, and is marked as having no upper bound", async () => {
  const query = readFileSync(join(__dirname, '../../../../schema/examples/employer-year.graphql'), 'utf8');
  const variables = { registration: payer.registration, from: '2025-01', to: '2025-12' };
  const estimate = await priceOf(padron, { query, variables });
  expect(estimate).toMatchObject({ estimatedUnits: 38, atMost: null, bounded: false });
  const { units } = await askPriced(padron, { query, variables });
  expect(units?.spent).toBe(padron.calls().length);
  expect(units?.spent).toBeGreaterThan(estimate.estimatedUnits / 2);
  expect(units?.spent).toBeLessThanOrEqual(estimate.estimatedUnits);
});

it('the estimate of a row that does not match the variables does not print the row into each of its errors', async () => {
  let printed = 0;
  const name = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`field${index}`, index]));
  Object.defineProperty(name, 'toJSON', {
    value: () => {
      printed += 1;
      return 'printed';
    },
  });
  const dataSource = { isDryRun: false, sandbox: false, address: () => 'POST /' };
  const document = parse('query ($name: PersonNameInput) { person(name: $name) { nss } }');
  const request = { schema: buildGraph().schema, document, operationName: null, rows: [{ name }], dataset: null };
  const result = await estimateUnits(request, { dataSource, unitPrice: null } as unknown as Context);
  expect(result).toMatchObject({ estimatedUnits: 0, invalidRows: 1 });
  // The first error, and the one that ends the search for more.
  expect(printed).toBeLessThanOrEqual(2);
});

it('registryEndpoints shows the path that the operator set for an endpoint whose path the interface does not give', async () => {
  const identityPath = '/api/renapo/otra-ruta';
  await withPadron({ environment: { IDENTITY_PATH: identityPath }, sandbox: { identityPath } }, async (moved) => {
    const { data } = await moved.ask('{ registryEndpoints { endpoint fields } }');
    const identity = { endpoint: `POST ${identityPath}`, fields: expect.arrayContaining(['Person.identity']) };
    expect(data.registryEndpoints).toContainEqual(identity);
  });
});

describe('the price for a caller that lacks permissions', () => {
  const barred = padronForTests({ environment: { REGISTRY_TOKEN: SANDBOX_TOKEN, JWT_SECRET } });
  const profile = readFileSync(join(__dirname, '../../../../schema/examples/person-profile.graphql'), 'utf8');
  const request = { query: profile, variables: { nss } };
  const priceFor = (scope: string, asked: { readonly query: string; readonly variables?: object } = request) =>
    priceOf(barred, asked as typeof request, bearer({ client_id: 'finance', scope }));

  it('is what it would cost with permission, beside the 0 units of this caller', async () => {
    const estimate = await priceFor('padron_ledger');
    expect(estimate).toMatchObject({ estimatedUnits: 0, atMost: 0, unitsWithPermission: 6, invalidRows: 0 });
    // A lookup that was not tried does not make an identifier missing.
    expect(new Set(estimate.problems.map(({ code }) => code))).toEqual(new Set(['MISSING_PERMISSION']));
    expect(barred.calls()).toEqual([]);
  });

  it('is that of the permitted part, beside that of the whole', async () => {
    expect(await priceFor('use_buscar_credito')).toMatchObject({ estimatedUnits: 1, unitsWithPermission: 6 });
  });

  it('has no second figure if nothing is refused', async () => {
    const query = `{ person(nss: "${nss}") { credit { outcome } } }`;
    expect(await priceFor('use_buscar_credito', { query })).toMatchObject({
      estimatedUnits: 1,
      unitsWithPermission: null,
    });
  });

  it('includes the verification of a signature', async () => {
    const file = '{ base64: "eA==" }';
    const input = `{ rfc: "EKU9003173C9", password: "x", certificate: ${file}, privateKey: ${file} }`;
    const query = `mutation { verifySignature(input: ${input}) { outcome } }`;
    expect(await priceFor('', { query })).toMatchObject({ estimatedUnits: 0, unitsWithPermission: 1 });
  });
});
