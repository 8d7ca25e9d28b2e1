import type { Estimate } from '../../../../schema/client/price-of';
import { people } from '../../../../src/extensions/sandbox/data/people';
import { payer } from '../../../support/operations/employer-graph';
import { somebody } from '../../../support/operations/people-fields';
import { runPadron } from '../../../support/padrons/padron';
import { padronForTests } from '../../../support/padrons/padron-for-tests';
import { askPriced, callsBy, nothingSpent } from '../../../support/requests/money';

describe('unitEstimate', () => {
  const estimateQuery = `query ($input: UnitEstimateInput!) { unitEstimate(input: $input) {
  dataset rowCount endpoints { url route fields calls unitsPerCall subtotal } estimatedUnits atMost amount bounded invalidRows problems { code path } currentBalance sufficient } }`;
  const creditByNss = 'query ($nss: NSS!) { person(nss: $nss) { credit { outcome } } }';
  const profile =
    'query ($nss: NSS, $curp: CURP) { person(nss: $nss, curp: $curp) { credit { outcome } professionalStatus { outcome } } }';

  const padron = padronForTests();
  afterEach(() => expect(padron.calls()).toEqual([]));

  async function estimate(input: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Estimate> {
    const { data, errors } = await askPriced(padron, { query: estimateQuery, variables: { input } }, headers);
    expect(errors).toBeUndefined();
    return data.unitEstimate;
  }

  async function refusal(input: unknown): Promise<string> {
    const { data, errors } = await askPriced(padron, { query: estimateQuery, variables: { input } });
    expect(data?.unitEstimate ?? null).toBeNull();
    expect(errors).toHaveLength(1);
    expect(errors?.[0].extensions.code).toBe('BAD_USER_INPUT');
    return errors?.[0].message;
  }

  describe('Query.unitEstimate over a dataset', () => {
    it('counts each distinct question of all rows once', async () => {
      const [first = '', second = ''] = people.slice(1, 3).map(({ nss }) => nss);
      const rows = [first, second, first, ` ${second.slice(0, 4)}-${second.slice(4)} `].map((nss) => ({ nss }));
      expect(await estimate({ operation: creditByNss, rows, dataset: 'payroll of May' })).toEqual({
        dataset: 'payroll of May',
        rowCount: 4,
        endpoints: [
          {
            url: '/api/infonavit/grupo/buscar-credito',
            route: 'findCredit',
            fields: ['person.credit'],
            calls: 2,
            unitsPerCall: 1,
            subtotal: 2,
          },
        ],
        estimatedUnits: 2,
        atMost: 2,
        amount: null,
        bounded: true,
        invalidRows: 0,
        problems: [],
        currentBalance: null,
        sufficient: null,
      });
    });

    it('counts invalid rows separately, and not their cost', async () => {
      const rows = [{ nss: somebody.nss }, { nss: '123' }, { nss: '12345678901' }, {}, { nss: null }, { nss: 5 }];
      expect(await estimate({ operation: creditByNss, rows })).toMatchObject({
        rowCount: 6,
        invalidRows: 5,
        estimatedUnits: 1,
      });
    });

    it('counts the cost of the valid part of an invalid row', async () => {
      const rows = [{ nss: '123', curp: somebody.curp }];
      const result = await estimate({ operation: profile, rows });
      expect([result.invalidRows, callsBy(result)]).toEqual([1, { downloadProfessionalStatus: 1 }]);
    });

    it('does not count a row as invalid if it only lacks an identifier', async () => {
      expect(await estimate({ operation: profile, rows: [{}] })).toMatchObject({ invalidRows: 0, estimatedUnits: 0 });
    });

    it('counts a row as invalid if an identifier in its chain is wrong', async () => {
      const operation = 'query ($nss: NSS) { person(nss: $nss) { licences { outcome } } }';
      const result = await estimate({ operation, rows: [{ nss: '123' }] });
      expect(result).toMatchObject({ invalidRows: 1, estimatedUnits: 0 });
    });

    it('includes the limit of each batch that the rows start, and rejects one without a limit', async () => {
      const operation =
        'mutation ($id: ID!, $max: Int) { resumeRegistryBatch(id: $id, maxUnits: $max) { batch { id } } }';
      const rows = [
        { id: 'a', max: 5 },
        { id: 'a', max: 7 },
        { id: 'b', max: 20 },
      ];
      expect(await estimate({ operation, rows })).toMatchObject({ estimatedUnits: 27, atMost: 27, endpoints: [] });
      expect(await refusal({ operation, rows: [...rows, { id: 'c' }] })).toContain('The price is unknown');
    });

    it('assumes one empty row if no rows are given', async () => {
      const operation = `{ employer(registration: "${payer.registration}") { receipts(period: "2026-01") { records { files { outcome } } } } }`;
      expect(await estimate({ operation })).toMatchObject({
        dataset: null,
        rowCount: 1,
        estimatedUnits: 3,
        atMost: null,
        bounded: false,
      });
      expect(await estimate({ operation, rows: [] })).toMatchObject({ rowCount: 0, estimatedUnits: 0 });
    });

    it('is free, whatever the budget', async () => {
      const { data, units, unitsSpent } = await askPriced(
        padron,
        { query: estimateQuery, variables: { input: { operation: creditByNss, rows: [{ nss: somebody.nss }] } } },
        { 'x-max-units': '0' },
      );
      expect(data.unitEstimate.estimatedUnits).toBe(1);
      expect([units, unitsSpent]).toEqual([nothingSpent, '0']);
    });

    it('does not count estimates within estimates', async () => {
      const inner = JSON.stringify(creditByNss.replace('$nss: NSS!', '$nss: NSS'));
      const operation = `{ unitEstimate(input: { operation: ${inner} }) { estimatedUnits } }`;
      expect(await estimate({ operation })).toMatchObject({ endpoints: [], estimatedUnits: 0, invalidRows: 0 });
    });
  });

  describe('Query.unitEstimate rejects', () => {
    const secret = somebody.curp;

    it('more rows than it counts', async () => {
      const rows = Array.from({ length: 10_001 }, () => ({ nss: '1' }));
      expect(await refusal({ operation: creditByNss, rows })).toBe(
        '`rows` has 10001 rows. Send at most 10000 at once.',
      );
    });

    it.each([[[secret]], [[[secret]]], [[{}, 5]], [[true]]])('rows that are not variables: %#', async (rows) => {
      const message = await refusal({ operation: creditByNss, rows });
      expect(message).toBe('Each of `rows` must be an object: the variables of one run.');
    });

    it.each([
      ['that is not a document', `{ person(curp: "${secret}" `, /not a GraphQL document \(line 1, column \d+\)/],
      ['that is nothing', '', /not a GraphQL document/],
      [
        'of another schema',
        `{ person(curp: "${secret}") { ${secret} } }`,
        /does not match the schema \(line 1, column \d+\)/,
      ],
      [
        'of a kind that is not there',
        `subscription { person(curp: "${secret}") { curp } }`,
        /is a subscription\. Use a query or a mutation/,
      ],
      [
        'longer than any that would run',
        `{ ${'registryEndpoints { units } '.repeat(5_000)} }`,
        /has more than 15000 tokens/,
      ],
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
      const message = await refusal({ operation, operationName, rows: [{ nss: somebody.nss }] });
      expect(message).toMatch(/^`operationName` must name one of the operations/);
      expect(message).not.toContain(secret);
    });
  });
});

it('registryEndpoints shows the path that the operator set for an endpoint whose path the interface does not give', async () => {
  const identityPath = '/api/renapo/otra-ruta';
  const moved = await runPadron({ environment: { IDENTITY_PATH: identityPath }, sandbox: { identityPath } });
  const { data } = await moved.ask('{ registryEndpoints { endpoint fields } }');
  await moved.stop();
  const endpoints: readonly { readonly endpoint: string; readonly fields: readonly string[] }[] =
    data.registryEndpoints;
  expect(endpoints.find(({ fields }) => fields.includes('Person.identity'))?.endpoint).toBe(`POST ${identityPath}`);
});
