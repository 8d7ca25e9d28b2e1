import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApolloServerErrorCode } from '@apollo/server/errors';
import { buildSchema, isEnumType } from 'graphql';
import { problemCodes } from '../../src/registry/answer/problem';
import { anchorsOf, linksOf, readPage } from '../support/pages';

const source = join(__dirname, '../../src');
const page = readPage('docs/errors.md');

/** Entries of the reference by the code in their heading. */
const entries = new Map(
  [...page.text.matchAll(/^### `([A-Z_]+)`\n([\s\S]*?)(?=^##|$(?![\s\S]))/gm)].map(([, code = '', text = '']) => [
    code,
    text,
  ]),
);

function literalsIn(folder: string, pattern: RegExp): readonly string[] {
  return readdirSync(join(source, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [...readFileSync(join(source, folder, file), 'utf8').matchAll(pattern)])
    .map(([, literal = '']) => literal);
}

/** Words in capitals that are not codes: values of enums, errors and signals of Node, and methods of HTTP. */
function isNoCode(literal: string): boolean {
  return (
    /^(E[A-Z]+|ERR_\w+|HPE_\w+|SIG[A-Z]+|MODULE_NOT_FOUND|OPTIONS|DELETE)$/.test(literal) || enumValues.has(literal)
  );
}
const graph = buildSchema(readFileSync(join(__dirname, '../../schema/padron.graphql'), 'utf8'), {
  assumeValidSDL: true,
});
const enumValues = new Set(
  Object.values(graph.getTypeMap())
    .filter(isEnumType)
    .flatMap((type) => type.getValues().map(({ name }) => name)),
);

/** Every code that a GraphQL error may carry: the server's own, those of the graph, and those of Apollo Server. */
const errorCodes = new Set<string>([
  ...literalsIn('server', /'([A-Z][A-Z_]{5,})'/g).filter((literal) => literal === 'NOT_FOUND' || !isNoCode(literal)),
  ...literalsIn('graph', /extensions: \{ code: '([A-Z_]+)'/g),
  ...Object.values(ApolloServerErrorCode),
]);

describe('the error reference', () => {
  it('has an entry for every problem code and every code of a GraphQL error, and for nothing else', () => {
    expect(errorCodes.size).toBeGreaterThan(15);
    expect([...entries.keys()].sort()).toEqual([...new Set([...Object.keys(problemCodes), ...errorCodes])].sort());
  });

  it('can be linked to by each code, and lists each one at its beginning', () => {
    const codes = [...entries.keys()].map((code) => code.toLowerCase());
    expect(anchorsOf(page)).toEqual(expect.arrayContaining(codes));
    expect(linksOf(page).map(({ anchor }) => anchor)).toEqual(expect.arrayContaining(codes));
  });

  it('says of every code who is charged, whether to retry, and what to do', () => {
    const facts = /^\n.+ · charged: \S.* · retry: (yes|no)\b.*\n\n[^\n]+[\s\S]*\*\*To do:\*\* \S/;
    expect([...entries].filter(([, text]) => !facts.test(text)).map(([code]) => code)).toEqual([]);
  });

  it('says of every problem what the code itself says of trying again', () => {
    const listed = Object.keys(problemCodes).map((code) => [code, / · retry: yes/.test(entries.get(code) ?? '')]);
    const expected = Object.entries(problemCodes).map(([code, { retryable }]) => [code, retryable]);
    expect(listed).toEqual(expected);
  });
});
