import { explainRejection } from '../../../../src/graph/core/operations/document-guards';

const maxTokens = 15_000;
const nested = (levels: number): string => `${'{a'.repeat(levels)}${'}'.repeat(levels)}`;

describe('a document', () => {
  it.each<[string, string]>([
    ['of 200 levels', nested(200)],
    ['of many brackets that are closed again', '{ a(b: [1]) }'.repeat(1_000)],
    ['of brackets in a text', `{ a(b: "${'{['.repeat(300)}") }`],
    ['of brackets in a text with quotes', `{ a(b: "\\"${'{['.repeat(300)}\\\\") }`],
    ['of brackets in a block text', `{ a(b: """ " \\""" ${'{['.repeat(300)} """) }`],
    ['of brackets in comments', `${'# {[(\n'.repeat(300)}{ a }`],
    ['that never ends its text', `{ a(b: "${'\\"'.repeat(400_000)}`],
    ['that never ends its block text', `{ a(b: """${'\\"""'.repeat(200_000)}`],
    ['whose text is ended by its line, so that nothing behind it is read', `"\n${'['.repeat(201)}`],
    ['that nests behind more tokens than are read', `${'a '.repeat(maxTokens + 1)}${'['.repeat(201)}`],
    ['that is empty', ''],
  ])('%s is accepted', (_what, source) => {
    expect(explainRejection(source, maxTokens)).toBeNull();
  });

  it.each<[string, string]>([
    ['of 201 levels', nested(201)],
    ['of lists and objects in turns', `{ a(b: ${'[{c:'.repeat(101)}`],
    ['of brackets behind a text', `{ a(b: "\\\\", c: """x""" ${'['.repeat(200)}`],
    ['of brackets behind a comment', `# "\n${'['.repeat(201)}`],
  ])('%s is rejected as nested too deeply', (_what, source) => {
    expect(explainRejection(source, maxTokens)).toEqual({
      english: 'The document is nested too deeply. Use at most 200 levels.',
      spanish: 'El documento tiene demasiados niveles. Use 200 como máximo.',
    });
  });
});
