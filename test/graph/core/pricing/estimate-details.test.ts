import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'graphql';
import type { UnitCall } from '../../../../schema/client/units';
import type { Context } from '../../../../src/graph/core/context';
import { estimateUnits } from '../../../../src/graph/core/pricing/estimate';
import { verifyMutation } from '../../../support/keys/signatures';
import { payer } from '../../../support/operations/employer-graph';
import { CREDIT, IDENTITY } from '../../../support/operations/people-endpoints';
import { somebody } from '../../../support/operations/people-fields';
import { padronForEachTest, padronForTests } from '../../../support/padrons/padron-for-tests';
import { buildGraph } from '../../../support/padrons/whole-padron';
import { askPriced, nothingSpent, priceOf } from '../../../support/requests/money';

const padron = padronForTests();

const { nss, curp } = somebody;

const fieldsBy = (estimate: Awaited<ReturnType<typeof priceOf>>) =>
  Object.fromEntries(estimate.endpoints.map(({ route, fields }) => [route, fields]));

describe('the fields of an estimate', () => {
  afterEach(() => expect(padron.calls()).toEqual([]));

  it('are listed with their endpoint, by alias, each once, in calling order', async () => {
    const query = `{ me: person(nss: "${nss}") { loan: credit { outcome } credit { outcome } identity { outcome } } }`;
    expect(fieldsBy(await priceOf(padron, { query }))).toEqual({
      findCredit: ['me.loan', 'me.credit', 'me.identity'],
      findIdentity: ['me.identity'],
    });
  });

  it('have no list positions', async () => {
    const months = 'receiptsBetween(from: "2025-01", to: "2025-03") { records { files { outcome } } }';
    const query = `{ employer(registration: "${payer.registration}") { ${months} } }`;
    expect(fieldsBy(await priceOf(padron, { query }))).toEqual({
      listReceipts: ['employer.receiptsBetween'],
      downloadReceipt: ['employer.receiptsBetween.records.files'],
    });
  });

  it('are listed for a signature check', async () => {
    const file = { base64: 'AAAA' };
    const input = { rfc: somebody.rfc, password: 'secret', certificate: file, privateKey: file };
    const query = verifyMutation.replace('verifySignature', 'check: verifySignature');
    const estimate = await priceOf(padron, { query, variables: { input } });
    expect(estimate.endpoints.flatMap(({ fields }) => fields)).toEqual(['check']);
  });

  it('are at most a hundred, with a limited length', async () => {
    const many = Array.from({ length: 150 }, (_, index) => `a${index}: credit { outcome }`).join(' ');
    const long = `{ ${'p'.repeat(900)}: person(nss: "${nss}") { credit { outcome } } }`;
    const [hundred] = (await priceOf(padron, { query: `{ person(nss: "${nss}") { ${many} } }` })).endpoints;
    expect(hundred).toMatchObject({ calls: 1 });
    expect(hundred?.fields).toHaveLength(100);
    const [cut] = (await priceOf(padron, { query: long })).endpoints;
    expect(cut?.fields).toEqual([`${'p'.repeat(200)}…`]);
  });
});

describe('the problems of an estimate', () => {
  afterEach(() => expect(padron.calls()).toEqual([]));

  it('say once why fields are free, and never quote the value', async () => {
    const query =
      '{ person(nss: "04159600264", curp: "NOBODY") { credit { outcome } account { outcome } identity { outcome } } }'.replace(
        'account',
        'housingAccount',
      );
    const estimate = await priceOf(padron, { query });
    expect(estimate).toMatchObject({ estimatedUnits: 0, atMost: 0, invalidRows: 1 });
    expect(estimate.problems.map(({ code, path }) => [code, path])).toEqual([
      ['WRONG_CHECK_DIGIT', ['nss']],
      ['INVALID_FORMAT', ['curp']],
    ]);
    expect(JSON.stringify(estimate)).not.toMatch(/0415960|NOBODY/);
  });

  it('say which identifier is missing', async () => {
    const { problems, invalidRows } = await priceOf(padron, { query: '{ person { credit { outcome } } }' });
    expect([problems.map(({ code, path }) => [code, path]), invalidRows]).toEqual([
      [['MISSING_IDENTIFIER', ['nss']]],
      0,
    ]);
  });

  it('are listed once over the rows of a dataset', async () => {
    const query = `query ($input: UnitEstimateInput!) { unitEstimate(input: $input) { invalidRows problems { code path message } } }`;
    const operation =
      'query ($nss: NSS, $curp: CURP) { person(nss: $nss, curp: $curp) { credit { outcome } identity { outcome } } }';
    const rows = [
      { nss: '1', curp },
      { nss: '2', curp },
      { nss, curp: '3' },
      { nss, curp },
    ];
    const { data } = await padron.ask(query, { input: { operation, rows } });
    expect(data.unitEstimate).toEqual({
      invalidRows: 3,
      problems: [
        { code: 'INVALID_FORMAT', path: ['nss'], message: expect.stringContaining('An NSS has 11 digits') },
        { code: 'INVALID_FORMAT', path: ['curp'], message: expect.stringContaining('A CURP has 18 characters') },
      ],
    });
  });
});

describe("the price of an employer's year", () => {
  const query = readFileSync(join(__dirname, '../../../../schema/examples/employer-year.graphql'), 'utf8');
  const variables = { registration: payer.registration, from: '2025-01', to: '2025-12' };

  it('is the usual cost of a year, and is marked as having no upper bound', async () => {
    const estimate = await priceOf(padron, { query, variables });
    expect(estimate).toMatchObject({ estimatedUnits: 38, atMost: null, bounded: false });
    const { units } = await askPriced(padron, { query, variables });
    expect(units?.spent).toBe(padron.calls().length);
    expect(units?.spent).toBeGreaterThan(estimate.estimatedUnits / 2);
    expect(units?.spent).toBeLessThanOrEqual(estimate.estimatedUnits);
  });
});

const toPairs = (calls: readonly UnitCall[]) =>
  calls.map(({ path, endpoint }) => [path.join('.'), endpoint] as const).sort();

describe('the calls of a request', () => {
  const padron = padronForEachTest();

  const callsOf = async (query: string, variables: Readonly<Record<string, unknown>> = {}) => {
    const { errors, units } = await askPriced(padron, { query, variables });
    expect(errors).toBeUndefined();
    return toPairs(units?.calls ?? []);
  };

  it('are reported under the alias of the field that asked', async () => {
    const query = `{ me: person(nss: "${somebody.nss}") { loan: credit { outcome } } }`;
    expect(await callsOf(query)).toEqual([['me.loan', CREDIT]]);
    expect(padron.calls()).toEqual([CREDIT]);
  });

  it('are reported under the field that needed the identifier if no field selects it', async () => {
    const query = `{ person(nss: "${somebody.nss}") { identity { outcome } } }`;
    expect(await callsOf(query)).toEqual([
      ['person.identity', CREDIT],
      ['person.identity', IDENTITY],
    ]);
    expect(padron.calls()).toEqual([CREDIT, IDENTITY]);
  });

  it('are reported once, under the first of several fields with the same question', async () => {
    const query = `{ person(nss: "${somebody.nss}") { first: credit { outcome } second: credit { outcome } } }`;
    expect(await callsOf(query)).toEqual([['person.first', CREDIT]]);
  });

  it('are reported under a list position: an entity of a router, a receipt of a month', async () => {
    const query = `query ($representations: [_Any!]!) {
      _entities(representations: $representations) {
        ... on Person { credit { outcome } }
        ... on Employer { receipts(period: "2025-02") { records { files { outcome } } } } } }`;
    const representations = [
      { __typename: 'Employer', registration: payer.registration },
      { __typename: 'Person', nss: somebody.nss },
    ];
    const paths = (await callsOf(query, { representations })).map(([path]) => path);
    expect(paths).toContain('_entities.0.receipts');
    expect(paths).toContain('_entities.0.receipts.records.0.files');
    expect(paths).toContain('_entities.1.credit');
    expect(paths).toHaveLength(padron.calls().length);
  });

  it('are reported on every response, even if it makes no call or is rejected', async () => {
    for (const query of [
      '{ __typename }',
      '{ nothing }',
      '{ person { credit { outcome } } }',
      '{ registryEndpoints { units } }',
    ])
      expect((await askPriced(padron, { query })).units).toEqual(nothingSpent);
    expect(padron.calls()).toEqual([]);
  });
});

describe('the estimate of a row that does not match the variables', () => {
  it('does not print the row into an error for each of its errors', async () => {
    let printed = 0;
    const name = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`field${index}`, index]));
    Object.defineProperty(name, 'toJSON', {
      value: () => {
        printed += 1;
        return 'printed';
      },
    });
    const dataSource = { isDryRun: false, sandbox: false, address: () => 'POST /' };
    const request = {
      schema: buildGraph().schema,
      document: parse('query ($name: PersonNameInput) { person(name: $name) { nss } }'),
      operationName: null,
      rows: [{ name }],
      dataset: null,
    };
    const estimate = await estimateUnits(request, { dataSource, unitPrice: null } as unknown as Context);
    expect(estimate).toMatchObject({ estimatedUnits: 0, invalidRows: 1 });
    // The first error, and the one that ends the search for more.
    expect(printed).toBeLessThanOrEqual(2);
  });
});
