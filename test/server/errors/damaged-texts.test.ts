import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { CREDIT } from '../../support/operations/people-endpoints';
import { somebody } from '../../support/operations/people-fields';
import type { GraphqlAnswer } from '../../support/padrons/padron';
import { padronForTests } from '../../support/padrons/padron-for-tests';
import { send } from '../../support/requests/http';

const padron = padronForTests();
afterEach(() => expect(padron.calls()).toEqual([]));

const refusal = ({ data, errors }: GraphqlAnswer) => [
  data ?? null,
  ...(errors ?? []).map(({ extensions, message }) => `${extensions.code}: ${message}`),
];
const files = { certificate: { base64: 'AAAA' }, privateKey: { base64: 'AAAA' } };
const licences = 'person(name: $value) { licences { outcome } }';

describe.each([
  ['the replacement character', 'P\ufffdREZ'],
  ['half of a surrogate pair', 'P\ud83dREZ'],
])('a text that was damaged before it was sent, with %s', (_what, text) => {
  it.each<readonly [type: string, field: string, value: unknown, place: string]>([
    ['PersonNameInput', licences, { names: 'JUAN', paternalSurname: text }, '.paternalSurname'],
    ['NSS', 'person(nss: $value) { credit { outcome } }', text, ''],
    ['ID!', 'registryBatch(id: $value) { id }', text, ''],
    [
      'RegistryBatchInput!',
      'mutation createRegistryBatch(input: $value) { batch { id } }',
      { operation: 'x', tag: text },
      '.tag',
    ],
    [
      '[RegistryBillingInput!]!',
      'mutation settleRegistryBilling(input: $value) { id }',
      [{ id: '1', billing: 'CHARGED', note: text }],
      '[0].note',
    ],
    [
      'SignatureInput!',
      'mutation verifySignature(input: $value) { valid }',
      { ...files, rfc: 'X', password: text },
      '.password',
    ],
  ])('is refused as a variable with its place: %s, %s', async (type, field, value, place) => {
    const [kind, selection] = [/^mutation|/.exec(field)?.[0] || 'query', field.replace('mutation ', '')];
    const answer = await padron.ask(`${kind} ($value: ${type}) { ${selection} }`, { value });
    expect(refusal(answer)).toEqual([null, `BAD_USER_INPUT: Variable "$value${place}": ${damaged}`]);
  });

  it('makes only the lookups of its entity INVALID_INPUT, and the other entities are answered', async () => {
    const query = `query ($keys: [_Any!]!) { _entities(representations: $keys) { ... on Person { credit { outcome } } } }`;
    const keys = [text, somebody.nss].map((nss) => ({ __typename: 'Person', nss }));
    const { data } = await padron.ask(query, { keys });
    const outcomes = data._entities.map(
      ({ credit }: { readonly credit: { readonly outcome: string } }) => credit.outcome,
    );
    expect([outcomes, padron.calls()]).toEqual([['INVALID_INPUT', 'FOUND'], [CREDIT]]);
  });
});

const damaged =
  'The text was damaged before it was sent: it has the character U+FFFD, or half of one. Send the original text as UTF-8.';

describe('a text that was damaged before it was sent', () => {
  it.each([
    ['as it is', '"P\ufffdREZ"'],
    ['by its number', '"P\\ufffdREZ"'],
    ['by its number in braces', '"P\\u{FFFD}REZ"'],
    ['in a block of text', '"""P\ufffdREZ"""'],
  ])('is refused in a document: %s', async (_how, literal) => {
    const answer = await padron.ask(
      `{ person(name: { names: "JUAN", paternalSurname: ${literal} }) { licences { outcome } } }`,
    );
    expect(refusal(answer)).toEqual([
      null,
      'GRAPHQL_PARSE_FAILED: A text in the document was damaged before it was sent: it has the character U+FFFD. Send the original text as UTF-8.',
    ]);
  });

  it('is refused in a URL', async () => {
    const query = encodeURIComponent('query ($id: ID!) { registryBatch(id: $id) { id } }');
    const url = `${padron.url}?query=${query}&variables=%7B%22id%22%3A%22P%C9REZ%22%7D`;
    const headers = { authorization: `Bearer ${SANDBOX_TOKEN}`, 'apollo-require-preflight': '1' };
    const { status, text } = await send(url, { headers });
    expect([status, JSON.parse(text).errors[0].message]).toEqual([400, `Variable "$id": ${damaged}`]);
  });
});
