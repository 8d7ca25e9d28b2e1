import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { Client, cacheExchange, type Exchange, fetchExchange, makeOperation, mapExchange } from '@urql/core';
import { type DocumentNode, parse } from 'graphql';
import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { watchNetwork } from '../../clients/clients';
import { generateTypes } from '../../support/generate-types';
import { CREDIT } from '../../support/operations/people-endpoints';
import { post, runPadron } from '../../support/padrons/padron';
import { scrapeMetrics } from '../../support/requests/scrape-metrics';
import { startForTests } from '../../support/start-for-tests';

const nss = '04159600263';
const text = readFileSync(join(__dirname, '../../../schema/examples/person-credit.graphql'), 'utf8');
const otherText = '{ registryEndpoints { units } }';
const headers = { authorization: `Bearer ${SANDBOX_TOKEN}` };
const sha256 = (query: string): string => createHash('sha256').update(query).digest('hex');

const folder = mkdtempSync(join(tmpdir(), 'padron-documents-'));
afterAll(() => rmSync(folder, { recursive: true }));
const padron = startForTests(
  async () => {
    const code = await generateTypes(folder, { presetConfig: { fragmentMasking: false, persistedDocuments: true } });
    expect(code).toBe(0);
    return runPadron({ environment: { TRUSTED_DOCUMENTS: join(folder, 'persisted-documents.json') } });
  },
  (running) => running.stop(),
);
beforeEach(() => void padron.calls());

/** Returns a document of GraphQL Code Generator, with the hash that its `persistedDocuments` adds. */
function published(operation: string): DocumentNode & { readonly __meta__: { readonly hash: string } } {
  const types = readFileSync(join(folder, 'graphql.ts'), 'utf8');
  const line = new RegExp(`^export const ${operation}Document = (.+) as unknown as `, 'm').exec(types)?.[1];
  return JSON.parse(line ?? 'null');
}
const hash = (): string => published('PersonCredit').__meta__.hash;
const send = (body: object, more: Readonly<Record<string, string>> = {}) => post(padron.url, body, more);
const persistedQuery = (sha256Hash: string) => ({ extensions: { persistedQuery: { version: 1, sha256Hash } } });

describe('a trusted document runs', () => {
  it.each<[string, () => object]>([
    ['by the documentId of GraphQL over HTTP', () => ({ documentId: hash() })],
    ['by the hash without its prefix', () => ({ documentId: hash().replace('sha256:', '') })],
    ['by the hash of a persisted query', () => persistedQuery(hash())],
    ['by its text', () => ({ query: text })],
    ['by its text and the hash of this text', () => ({ query: text, ...persistedQuery(sha256(text)) })],
    ['by its ID, although the request has another text too', () => ({ documentId: hash(), query: otherText })],
  ])('%s', async (_, body) => {
    const { data, errors } = await send({ ...body(), variables: { nss } });
    expect({ errors, outcome: data.person.credit.outcome }).toEqual({ errors: undefined, outcome: 'FOUND' });
    expect(padron.calls()).toEqual([CREDIT]);
  });

  it('by GET if it is free', async () => {
    const id = encodeURIComponent(published('EndpointPrices').__meta__.hash);
    const response = await fetch(`${padron.url}?documentId=${id}`, { headers: { 'apollo-require-preflight': '1' } });
    expect(Object(await response.json()).data.registryEndpoints.length).toBeGreaterThan(10);
  });
});

describe('another operation is rejected', () => {
  const rejected = { status: 400, data: undefined, errors: [{ extensions: { code: 'OPERATION_NOT_TRUSTED' } }] };

  it.each([
    ['a free one', { query: otherText }],
    ['introspection', { query: '{ __schema { queryType { name } } }' }],
    ['a query of a router', { query: '{ _service { sdl } }' }],
    ['a text that is not GraphQL', { query: '{ person(' }],
    ['a trusted one with one more field', { query: text.replace('outcome', 'outcome serverName') }],
    ['a text with the hash of another text', { query: otherText, ...persistedQuery(sha256(otherText)) }],
    ['an unknown documentId', { documentId: 'sha256:00' }],
  ])('%s', async (_, body) => {
    expect(await send({ ...body, variables: { nss } })).toMatchObject(rejected);
    expect(padron.calls()).toEqual([]);
  });

  it('by GET too', async () => {
    const url = `${padron.url}?query=${encodeURIComponent(otherText)}`;
    const response = await fetch(url, { headers: { 'apollo-require-preflight': '1' } });
    expect([response.status, Object(await response.json()).errors[0].extensions.code]).toEqual([
      400,
      'OPERATION_NOT_TRUSTED',
    ]);
  });

  it('with a status and a media type that the client reads', async () => {
    const read = async (accept: string) => {
      const answer = await send({ query: otherText }, { accept });
      return [answer.status, answer.headers['content-type']];
    };
    expect(await read('application/json')).toEqual([200, 'application/json; charset=utf-8']);
    expect(await read('application/graphql-response+json')).toEqual([
      400,
      'application/graphql-response+json; charset=utf-8',
    ]);
  });

  it('and is logged by its name and counted, without its text', async () => {
    const before = await scrapeMetrics(padron);
    await send({ query: `query Widened { person(nss: "${nss}") { nss } }` });
    await send({ query: `query Q${nss} { person(nss: "${nss}") { nss } }` });
    const lines = padron.log
      .filter((line) => line.includes('is not a trusted document'))
      .map((line) => JSON.parse(line));
    expect(lines.slice(-2).map(({ operation, action }) => [operation, action])).toEqual([
      ['Widened', 'rejected'],
      [null, 'rejected'],
    ]);
    expect(padron.log.join()).not.toContain(nss);
    const after = await scrapeMetrics(padron);
    const name = 'padron_untrusted_operations_total';
    expect(after.of(name, { action: 'rejected' }) - before.of(name, { action: 'rejected' })).toBe(2);
    expect(after.of('padron_errors_total', { code: 'OPERATION_NOT_TRUSTED' })).toBe(after.of(name));
  });
});

describe('the hash of a text that was not published', () => {
  it('is answered so that Apollo Client sends the text from then on', async () => {
    const { status, errors } = await send(persistedQuery(sha256(text)));
    expect([status, errors?.[0].extensions.code]).toEqual([200, 'PERSISTED_QUERY_NOT_SUPPORTED']);
  });
});

describe('Apollo Client', () => {
  const clientWith = (link: ApolloLink | null, network = watchNetwork()) => {
    const http = new HttpLink({ uri: padron.url, fetch: network.fetch, headers });
    const client = new ApolloClient({
      cache: new InMemoryCache(),
      link: link === null ? http : ApolloLink.from([link, http]),
    });
    return { client, network };
  };
  const queryTwice = async (client: ApolloClient, query: DocumentNode) => {
    const options = { query, variables: { nss }, fetchPolicy: 'network-only' } as const;
    const answers = [await client.query<Answer>(options), await client.query<Answer>(options)];
    expect(answers.map(({ data }) => data?.person.credit.outcome)).toEqual(['FOUND', 'FOUND']);
  };

  it('runs a trusted document, to which it adds __typename', async () => {
    const { client } = clientWith(null);
    const { data } = await client.query<Answer>({ query: parse(text), variables: { nss } });
    expect(data?.person.credit).toMatchObject({ __typename: 'HousingCreditLookup', outcome: 'FOUND' });
  });

  it('runs it by the hash of the generated code, in one request each time', async () => {
    const generateHash = (document: unknown) => Object(document).__meta__.hash;
    const { client, network } = clientWith(new PersistedQueryLink({ generateHash }));
    await queryTwice(client, published('PersonCredit'));
    expect(network.sent).toHaveLength(2);
  });

  it('runs it with its own hashes, and sends the text after the first answer', async () => {
    const { client, network } = clientWith(new PersistedQueryLink({ sha256 }));
    await queryTwice(client, parse(text));
    expect(network.sent).toHaveLength(3);
    expect(padron.calls()).toEqual([CREDIT, CREDIT]);
  });

  it('gets the code of a rejected operation', async () => {
    const { client } = clientWith(null);
    const failed = client.query({ query: parse(otherText) });
    await expect(failed).rejects.toMatchObject({ errors: [{ extensions: { code: 'OPERATION_NOT_TRUSTED' } }] });
  });
});

describe('urql', () => {
  const clientWith = (...exchanges: readonly Exchange[]) =>
    new Client({
      url: padron.url,
      fetchOptions: { headers },
      preferGetMethod: false,
      exchanges: [cacheExchange, ...exchanges, fetchExchange],
    });

  it('runs a trusted document, to which it adds __typename', async () => {
    const { data } = await clientWith().query<Answer>(parse(text), { nss }).toPromise();
    expect(data?.person.credit).toMatchObject({ __typename: 'HousingCreditLookup', outcome: 'FOUND' });
  });

  it('runs it by the hash of the generated code, without its text', async () => {
    const sendHash = mapExchange({
      onOperation: (operation) => {
        const sha256Hash = Object(operation.query).__meta__.hash;
        const extensions = { ...operation.extensions, persistedQuery: { version: 1 as const, sha256Hash } };
        return { ...makeOperation(operation.kind, operation), extensions };
      },
    });
    const document = published('EndpointPrices');
    const { data, error } = await clientWith(sendHash).query(document, {}).toPromise();
    expect([error, data?.registryEndpoints.length > 10]).toEqual([undefined, true]);
  });

  it('gets the code of a rejected operation', async () => {
    const { error } = await clientWith().query(parse(otherText), {}).toPromise();
    expect(error?.graphQLErrors[0]?.extensions).toMatchObject({ code: 'OPERATION_NOT_TRUSTED' });
  });
});

interface Answer {
  readonly person: { readonly credit: { readonly outcome: string } };
}
