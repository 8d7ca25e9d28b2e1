import { setFlagsFromString } from 'node:v8';
import { OTHER_TOKEN, SANDBOX_TOKEN, UNPERMITTED_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { post } from '../../../support/padrons/padron';
import { ledgerPadronForTests, proxiedPadronForEachTest } from '../../../support/padrons/padron-for-tests';
import { BatchClient, CREDIT, NSS } from '../../../support/requests/batches';
import { priceOf } from '../../../support/requests/money';
import { engineRig, engines } from '../../../support/stores/engines';

// It computes for seconds: see quick-tests.ts.
setFlagsFromString('--opt');

const estimate = 'query($input: UnitEstimateInput!) { unitEstimate(input: $input) { rowCount } }';

describe('the operation of a batch', () => {
  const padron = ledgerPadronForTests(engineRig(), { LIMIT_ENTITIES: '4', LIMIT_NODES: '300000' });
  const client = new BatchClient(padron);
  const spanishClient = new BatchClient(padron, undefined, { 'accept-language': 'es-MX' });
  afterEach(() => expect(padron.calls()).toEqual([]));

  it.each([
    [
      'is not GraphQL',
      'query {',
      '`operation` is not a GraphQL document (line 1, column 8).',
      '`operation` no es un documento GraphQL (línea 1, columna 8).',
    ],
    [
      'selects an unknown field',
      '{ person(nss: "1") { shoeSize } }',
      '`operation` does not match the schema (line 1, column 22). Run it to see why.',
      '`operation` no corresponde al esquema (línea 1, columna 22). Ejecútela para ver por qué.',
    ],
    [
      'has an answer that is too large',
      `{ ${Array.from({ length: 1_000 }, (_, index) => `a${index}: _service { sdl }`).join(' ')} }`,
      expect.stringMatching(/^`operation` would not run\. The answer may have \d+ bytes\./),
      expect.stringMatching(
        /^`operation` no se ejecutaría\. La respuesta puede tener \d+ bytes\. El límite es \d+: pida menos\.$/,
      ),
    ],
  ])(
    'is rejected with the same message as in an estimate, or in Spanish, if it %s',
    async (_what, operation, message, inSpanish) => {
      const { batch, problems } = await client.create({ operation, rows: [{}] });
      expect(batch).toBeNull();
      expect(problems).toEqual([{ code: 'INVALID_FORMAT', path: ['input', 'operation'], message }]);
      const { problems: spanish } = await spanishClient.create({ operation, rows: [{}] });
      expect(spanish).toEqual([{ code: 'INVALID_FORMAT', path: ['input', 'operation'], message: inSpanish }]);
      const { errors } = await post(padron.url, { query: estimate, variables: { input: { operation } } });
      expect(errors).toMatchObject([{ message }]);
    },
  );

  it('is told which name the schema has instead of an unknown one, but no value of the document', async () => {
    const reasonOf = async (operation: string) => (await client.create({ operation })).problems[0].message;
    expect(await reasonOf('query ($n: PersonNmeInput) { person(name: $n) { licences { outcome } } }')).toBe(
      '`operation` does not match the schema (line 1, column 12). Did you mean "PersonNameInput"?',
    );
    expect(await reasonOf('{ person(nss: 4159600263) { credit { outcome } } }')).toBe(
      '`operation` does not match the schema (line 1, column 15). Run it to see why.',
    );
  });

  it('is rejected if it is a mutation', async () => {
    const operation = 'mutation($input: SignatureInput!) { verifySignature(input: $input) { outcome } }';
    const { batch, problems } = await client.create({ operation, rows: [{}] });
    expect(batch).toBeNull();
    expect(problems).toMatchObject([{ message: '`operation` is a mutation. A batch can only run a query.' }]);
    const { problems: spanish } = await spanishClient.create({ operation, rows: [{}] });
    expect(spanish).toMatchObject([{ message: '`operation` es una mutación. Un lote solo puede ejecutar consultas.' }]);
  });

  it('has rows refused with which it would exceed a limit, with the reason in both languages', async () => {
    const operation = 'query($of: [_Any!]!) { _entities(representations: $of) { __typename } }';
    const person = (index: number) => ({ __typename: 'Person', curp: `${index}` });
    const rows = [{ of: [] }, { of: Array.from({ length: 5 }, (_, index) => person(index)) }];
    const { id } = await client.ready(operation, rows);
    expect((await client.get(id)).refusedRows).toMatchObject([
      { line: 2, message: 'The operation requests 5 entities. The limit is 4: split it.' },
    ]);
    expect((await spanishClient.get(id)).refusedRows).toMatchObject([
      { line: 2, message: 'La operación pide 5 entidades. El límite es 4: divídala.' },
    ]);
  });

  it.each([
    ['__schema', '{ __typename ...S } fragment S on Query { all: __schema { types { name } } }'],
    ['__type', 'query($name: String!) { __type(name: $name) { name } }'],
    ['_service', '{ _service { sdl } }'],
  ])('is rejected if it selects `%s`, because each row would store the schema', async (field, operation) => {
    const { batch, problems } = await client.create({ operation, rows: [{ name: 'Person' }] });
    expect(batch).toBeNull();
    const message = `\`operation\` selects \`${field}\`. A batch only asks registries: read the schema with a request.`;
    expect(problems).toEqual([{ code: 'INVALID_FORMAT', path: ['input', 'operation'], message }]);
    const { problems: spanish } = await spanishClient.create({ operation, rows: [{ name: 'Person' }] });
    expect(spanish).toMatchObject([{ message: expect.stringContaining(`pide \`${field}\`. Un lote solo consulta`) }]);
  });

  describe('the price of its rows', () => {
    const price =
      'rowCount endpoints { url route fields calls unitsPerCall subtotal } estimatedUnits atMost bounded invalidRows problems { code message path }';
    const wrongDigit = (nss = ''): string => `${nss.slice(0, -1)}${(Number(nss.at(-1)) + 5) % 10}`;
    /** Asks the same 36 questions for each alias. */
    const months = (aliases: number): string =>
      `{ employer(registration: "Y6077636105") { ${Array.from({ length: aliases }, (_, index) => `a${index}: receiptsBetween(from: "2023-01", to: "2025-12") { outcome }`).join(' ')} } }`;

    it('is that of `unitEstimate` for the same rows, over all pages', async () => {
      const operation = `query($nss: NSS!, $all: Boolean = false) {
        person(nss: $nss) { credit { outcome } licences @include(if: $all) { outcome } housingAccount { outcome } }
        employer(registration: "Y6077636105") @include(if: $all) { receipts(period: "2025-01") { records { files { outcome } } } } }`;
      const rows = Array.from({ length: 250 }, (_, index) => {
        const nss = NSS[index % 90];
        return index % 40 === 7 ? { nss: wrongDigit(nss) } : { nss, all: index % 60 === 30 };
      });
      const { id } = await client.ready(operation, rows);
      const { registryBatch } = await client.ask(
        `query($id: ID!) { registryBatch(id: $id) { estimate { ${price} } } }`,
        { id },
      );
      const { unitEstimate } = await client.ask(
        `query($input: UnitEstimateInput!) { unitEstimate(input: $input) { ${price} } }`,
        { input: { operation, rows } },
      );
      expect(unitEstimate).toMatchObject({ rowCount: 250, bounded: false, invalidRows: 7 });
      expect(unitEstimate.endpoints.length).toBeGreaterThan(3);
      expect(registryBatch.estimate).toEqual(unitEstimate);
    });

    it.each([
      ['one row asks 25,200 questions', 700, 1],
      ['fifty rows ask 50,400 questions together', 28, 50],
    ])('is unknown if %s, and the batch does not start', async (_what, aliases, rows) => {
      const { id, estimate } = await client.ready(
        months(aliases),
        Array.from({ length: rows }, () => ({})),
      );
      expect(estimate).toBeNull();
      const { problems } = await client.change(`startRegistryBatch(id: "${id}", maxUnits: 1000)`);
      expect(problems).toMatchObject([{ code: 'BATCH_STATE' }]);
    });

    it('is known if more than fifty rows ask more than 50,000 questions', async () => {
      const { estimate } = await client.ready(
        months(26),
        Array.from({ length: 60 }, () => ({})),
      );
      expect(estimate).toMatchObject({ rowCount: 60, endpoints: [{ calls: 36 }] });
    });
  });
});

const rows = NSS.slice(0, 3).map((nss) => ({ nss }));
const CHECK = { endpoint: 'POST /api/infonavit/grupo/buscar-credito', input: {}, units: 0, sandbox: true };

describe.each(engines)('a token that the service has not accepted yet, on the %s engine', (engine) => {
  const rig = engineRig(engine);
  const padron = proxiedPadronForEachTest({}, rig);

  it('is checked once by a free request, and can create batches afterwards', async () => {
    for (const token of [SANDBOX_TOKEN, UNPERMITTED_TOKEN]) {
      const client = new BatchClient(padron, token);
      await Promise.all([client.ready(CREDIT, rows), client.ready(CREDIT, rows)]);
      await client.ready(CREDIT, rows);
      expect(padron.callsInFull().filter(({ account }) => account === token)).toMatchObject([CHECK]);
      expect(padron.spent(token)).toBe(0);
    }
  });

  it.each([
    ['a page of a firewall', 403, '<h1>Access denied</h1>'],
    ['JSON of a gateway', 403, '{"message":"Forbidden"}'],
    ['JSON of another API', 403, '{"success":false,"errors":[{"code":9109}],"messages":[]}'],
    ['a page', 402, '<h1>Payment required</h1>'],
    ['an empty object', 422, '{}'],
    ['another envelope', 422, '{"message":"Invalid","errors":[]}'],
    ['a page', 400, '<h1>Bad request</h1>'],
    ['a body of another status', 403, '{"success":false,"message":"No encontrado.","status":404}'],
  ])('is not accepted because of %s with %i', async (_what, status, text) => {
    padron.proxy.standIn(() => ({ status, bytes: Buffer.from(text) }));
    const client = new BatchClient(padron, OTHER_TOKEN);
    const { batch, problems } = await client.create({ operation: CREDIT, rows });
    expect(batch).toBeNull();
    expect(problems).toMatchObject([{ code: 'UNUSABLE_ANSWER', message: expect.stringContaining(`HTTP ${status}`) }]);
    padron.proxy.reset();
    await client.ready(CREDIT, rows);
  });

  it.each([
    [402, { success: false, codigoValidacion: 'x', message: 'El saldo es insuficiente.', status: 402 }],
    [403, { success: false, message: 'No tiene el permiso.', status: 403 }],
    [422, { message: 'El campo nss es obligatorio.', errors: { nss: ['El campo nss es obligatorio.'] } }],
  ])('is accepted if the service answers %i with its envelope', async (status, json) => {
    padron.proxy.standIn(() => ({ status, json }));
    const { problems } = await new BatchClient(padron, OTHER_TOKEN).create({ operation: CREDIT, rows });
    expect(problems).toEqual([]);
  });

  it('is not checked for a dry run or for invalid input', async () => {
    const query = `mutation { createRegistryBatch(input: { operation: "{ __typename }" }) { batch { id } } }`;
    await priceOf(padron, { query });
    const client = new BatchClient(padron);
    expect((await client.create({ operation: CREDIT, name: ' ' })).problems).toMatchObject([
      { code: 'INVALID_FORMAT' },
    ]);
    expect(padron.callsInFull()).toEqual([]);
  });
});
