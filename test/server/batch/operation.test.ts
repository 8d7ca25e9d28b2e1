import { post } from '../../support/padrons/padron';
import { ledgerPadronForTests } from '../../support/padrons/padron-for-tests';
import { BatchClient } from '../../support/requests/batches';
import { engineRig } from '../../support/stores/engines';

const estimate = 'query($input: UnitEstimateInput!) { unitEstimate(input: $input) { rowCount } }';

describe('the operation of a batch', () => {
  const padron = ledgerPadronForTests(engineRig('embedded'));
  const client = new BatchClient(padron);
  afterEach(() => expect(padron.calls()).toEqual([]));

  it.each([
    ['is not GraphQL', 'query {', '`operation` is not a GraphQL document (line 1, column 8).'],
    [
      'selects an unknown field',
      '{ person(nss: "1") { shoeSize } }',
      '`operation` does not match the schema (line 1, column 22). Run it to see why.',
    ],
    [
      'is nested too deeply',
      `${'{a'.repeat(300)}${'}'.repeat(300)}`,
      '`operation` is rejected. The document is nested too deeply. Use at most 200 levels.',
    ],
    [
      'has too many tokens',
      `{ ${'__typename '.repeat(20_000)} }`,
      '`operation` has more than 15000 tokens, which is what this request may still use. Shorten it.',
    ],
    [
      'selects the same field too often',
      `{ person(nss: "1") { ${'credit { outcome } '.repeat(300)} } }`,
      '`operation` is rejected. The document selects the same fields too often to be validated.',
    ],
    [
      'has an answer that is too large',
      `{ ${Array.from({ length: 1_000 }, (_, index) => `a${index}: _service { sdl }`).join(' ')} }`,
      expect.stringMatching(/^`operation` would not run\. The answer may have \d+ bytes\./),
    ],
  ])('is rejected with the same message as in an estimate if it %s', async (_what, operation, message) => {
    const { batch, problems } = await client.create({ operation, rows: [{}] });
    expect(batch).toBeNull();
    expect(problems).toEqual([{ code: 'INVALID_FORMAT', path: ['input', 'operation'], message }]);
    const { errors } = await post(padron.url, { query: estimate, variables: { input: { operation } } });
    expect(errors).toMatchObject([{ message }]);
  });

  it('is rejected if it is a mutation', async () => {
    const operation = 'mutation($input: SignatureInput!) { verifySignature(input: $input) { outcome } }';
    const { batch, problems } = await client.create({ operation, rows: [{}] });
    expect(batch).toBeNull();
    expect(problems).toMatchObject([{ message: '`operation` is a mutation. A batch can only run a query.' }]);
  });
});
