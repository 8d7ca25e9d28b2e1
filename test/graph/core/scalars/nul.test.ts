import { request } from 'undici';
import { OTHER_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { signedBySecret } from '../../../support/keys/identity-provider';
import type { GraphqlAnswer } from '../../../support/padrons/padron';
import { ledgerPadronForTests } from '../../../support/padrons/padron-for-tests';
import { buildGraph } from '../../../support/padrons/whole-padron';
import { engineRig } from '../../../support/stores/engines';
import { textInputs } from './text-inputs';

const SECRET = 'a-secret-shared-with-the-identity-provider';
const scopes =
  'padron_ledger padron_ledger_settle padron_proofs padron_budgets padron_erase padron_batch use_buscar_credito';
const inputs = textInputs(buildGraph({ scopes: false }).schema, 'a\u0000b');

// Hundreds of requests: on a busy machine they take their time.
jest.setTimeout(120_000);

describe('a NUL in a text that a client sends', () => {
  const rig = engineRig('embedded');
  const padron = ledgerPadronForTests(rig, { REGISTRY_TOKEN: OTHER_TOKEN, JWT_SECRET: SECRET });
  const headers = { authorization: `Bearer ${signedBySecret(SECRET, { client_id: 'hr', scope: scopes })}` };
  afterEach(() => {
    expect(padron.calls()).toEqual([]);
    expect(padron.log.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
  });

  const refusal = ({ data, errors }: GraphqlAnswer) => ({
    data: data ?? null,
    codes: errors?.map(({ extensions }) => extensions.code),
    message: errors?.[0].message,
  });

  it('is checked in every text input of the schema', () => {
    expect(inputs.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'Query.registryBatch(id)',
        'Query.registryBatches(after)',
        'RegistryBatch.rows(after)',
        'Query._entities(representations[].id)',
        'Query.registryLedger(filter.from)',
        'Query.person(name.maternalSurname)',
        'Query.unitEstimate(input.rows[].id)',
        'Mutation.createRegistryBatch(input.tag)',
        'Mutation.removeRegistryBudget(id)',
        'Mutation.settleRegistryBilling(input[].note)',
        'Mutation.verifySignature(input.password)',
      ]),
    );
  });

  it.each(inputs.map((input) => [input.name, input] as const))(
    'is rejected as %s',
    async (_name, { byVariable, byLiteral }) => {
      const { query, variables } = byVariable;
      expect(refusal(await padron.ask(query, variables, headers))).toEqual({
        data: null,
        codes: ['BAD_USER_INPUT'],
        message: 'Variable "$value": a text in it has a NUL character (U+0000). Remove it.',
      });
      expect(refusal(await padron.ask(byLiteral, {}, headers))).toEqual({
        data: null,
        codes: ['GRAPHQL_PARSE_FAILED'],
        message: 'A text in the document has a NUL character (U+0000). Remove it.',
      });
    },
  );

  it.each([
    ['by its number in braces', '{ registryBatch(id: "\\u{000}") { id } }'],
    ['in a block of text', '{ registryBatch(id: """a\u0000""") { id } }'],
    ['in a default', 'query($id: ID! = "\\u0000") { registryBatch(id: $id) { id } }'],
    ['in a directive', '{ __typename @skip(if: "\\u0000") }'],
  ])('is rejected in a document %s', async (_what, query) => {
    expect(refusal(await padron.ask(query, {}, headers))).toMatchObject({
      data: null,
      codes: ['GRAPHQL_PARSE_FAILED'],
    });
  });

  it('is rejected in the operation of a batch and of an estimate', async () => {
    const operation = '{ person(nss: "\\u0000") { credit { outcome } } }';
    const created = await padron.ask(
      'mutation($operation: String!) { createRegistryBatch(input: { operation: $operation }) { batch { id } problems { code message } } }',
      { operation },
      headers,
    );
    expect(created.data.createRegistryBatch).toMatchObject({
      batch: null,
      problems: [{ code: 'INVALID_FORMAT', message: expect.stringContaining('NUL') }],
    });
    const estimated = await padron.ask(
      'query($operation: String!) { unitEstimate(input: { operation: $operation }) { estimatedUnits } }',
      { operation },
      headers,
    );
    expect(estimated.errors?.[0]).toMatchObject({ message: expect.stringContaining('NUL') });
  });

  it('is not confused with a text that only contains the code of a NUL', async () => {
    const answer = await padron.ask('{ registryBatch(id: "a\\\\u0000") { id } }', {}, headers);
    expect(answer).toMatchObject({ data: { registryBatch: null }, errors: undefined });
    const byVariable = await padron.ask(
      'query($id: ID!) { registryBatch(id: $id) { id } }',
      { id: '\\u0000' },
      headers,
    );
    expect(byVariable).toMatchObject({ data: { registryBatch: null }, errors: undefined });
  });

  it.each([
    ['the name of an operation', { query: 'query A { __typename }', operationName: 'A\u0000' }],
    ['the hash of a document', { extensions: { persistedQuery: { version: 1, sha256Hash: '\u0000' } } }],
    ['a variable that is not declared', { query: '{ __typename }', variables: { 'a\u0000': '\u0000' } }],
  ])('does not cause an internal error as %s', async (_what, body) => {
    const response = await request(padron.url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(response.statusCode).toBeLessThan(500);
    expect(await response.body.text()).not.toContain('INTERNAL_SERVER_ERROR');
  });

  it.each([
    '/batches/%00/rows?link=%00',
    '/batches/a/results.csv?link=a%00',
    '/graphql?query=%7B__typename%7D%00',
    '/graphql/errors/%00',
    '/%00',
    '/graphql/ledger/%00.csv',
  ])('does not cause an internal error in the path %s', async (path) => {
    const response = await request(new URL(path, padron.url), { headers });
    expect(response.statusCode).toBeLessThan(500);
    expect(await response.body.text()).not.toContain('INTERNAL_SERVER_ERROR');
  });
});
