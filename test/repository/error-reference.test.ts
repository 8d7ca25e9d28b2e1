import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApolloServerErrorCode } from '@apollo/server/errors';
import { buildSchema, isEnumType } from 'graphql';
import { codeEntries, errorsPage, kitTexts } from '../../scripts/code-pages';
import { anchorsOf, linksOf, readPage } from '../support/pages';

const source = join(__dirname, '../../src');
const page = readPage('docs/errors.md');

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

/** Every code that a GraphQL error may carry: the server's own, those of the graph and of extensions, and those of Apollo Server. */
const errorCodes = new Set<string>([
  ...literalsIn('server', /'([A-Z][A-Z_]{5,})'/g).filter((literal) => literal === 'NOT_FOUND' || !isNoCode(literal)),
  ...['graph', 'extensions'].flatMap((room) =>
    literalsIn(room, /(?:extensions: \{ code: |clientError\(\s*)'([A-Z_]+)'/g),
  ),
  ...Object.values(ApolloServerErrorCode),
]);

const codes = codeEntries.map(({ code }) => code);

describe('the entries of codes', () => {
  it('exist once for every code of a GraphQL error', () => {
    expect(errorCodes.size).toBeGreaterThan(15);
    expect([...errorCodes].filter((code) => !codes.includes(code))).toEqual([]);
    expect(codes.filter((code, place) => codes.indexOf(code) !== place)).toEqual([]);
  });

  it('belong to codes that a problem or an error has', () => {
    const errors = codeEntries.filter(({ spanish }) => spanish === null).map(({ code }) => code);
    expect(errors.filter((code) => !errorCodes.has(code))).toEqual([]);
  });

  it('have sentences in both languages, which differ', () => {
    const isSentence = (text: string): boolean => /^.{5,399}[.?]$/.test(text);
    for (const { code, message, spanish, forUsers, forUsersSpanish, toDo } of codeEntries) {
      const texts = [message, spanish ?? message, forUsers, forUsersSpanish, toDo.replaceAll('\n', ' ')];
      expect([code, texts.filter((text) => !isSentence(text))]).toEqual([code, []]);
      expect([code, Math.max(forUsers.length, forUsersSpanish.length) <= 200]).toEqual([code, true]);
      expect([message, forUsers]).not.toEqual([spanish, forUsersSpanish]);
      expect(forUsers).not.toBe(forUsersSpanish);
    }
  });
});

describe('the error reference', () => {
  it('is what `npm run print:codes` prints, and so are the texts of the client kit', () => {
    expect(page.text).toBe(errorsPage(page.text));
    expect(readFileSync(join(__dirname, '../../schema/client/code-texts.ts'), 'utf8')).toBe(kitTexts());
  });

  it('gets a section for a new code, at the end of its group', () => {
    const start = page.text.indexOf('### `FILE_INCOMPLETE`');
    const end = page.text.indexOf('## An electronic signature');
    const without = page.text.slice(0, start) + page.text.slice(end);
    expect(errorsPage(without)).toBe(page.text);
  });

  it('can be linked to by each code, and lists each one at its beginning', () => {
    const anchors = codes.map((code) => code.toLowerCase());
    expect(anchorsOf(page)).toEqual(expect.arrayContaining(anchors));
    expect(linksOf(page).map(({ anchor }) => anchor)).toEqual(expect.arrayContaining(anchors));
  });
});
