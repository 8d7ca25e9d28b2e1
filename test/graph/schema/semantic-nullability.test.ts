import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, execute, isObjectType, parse } from 'graphql';
import { fieldsWithoutError, toApiSdl } from '../../../src/graph/schema/type-names';
import { coverageQuestions } from '../../support/operations/coverage-questions';
import { fullSelection } from '../../support/operations/full-selection';
import { padronForTests } from '../../support/padrons/padron-for-tests';
import { buildGraph } from '../../support/padrons/whole-padron';
import { NOW } from '../../support/sandbox/sandbox-questions';

const root = join(__dirname, '../../..');
const graph = buildGraph();
const api = buildSchema(toApiSdl(graph));
/** The schema with every marked field as a non-null one. */
const strict = buildSchema(toApiSdl(graph).replaceAll(/ @semanticNonNull$/gm, '!'));
const nullWithoutError = fieldsWithoutError(graph.parts);
const objectTypes = Object.values(api.getTypeMap()).filter(isObjectType);
const fields = objectTypes.flatMap((type) =>
  Object.values(type.getFields()).map((field) => ({
    coordinate: `${type.name}.${field.name}`,
    name: field.name,
    isMarked: field.astNode?.directives?.some(({ name }) => name.value === 'semanticNonNull') ?? false,
  })),
);

/** Returns the places where an answer without errors has null for a marked field. */
function nullsIn(query: string, data: unknown, variableValues = {}): readonly string[] {
  const result = execute({
    schema: strict,
    document: parse(query),
    rootValue: data,
    variableValues,
    fieldResolver: (source, _args, _context, { path }) => source[path.key],
  });
  if (result instanceof Promise) throw new Error('The answer is read without waiting.');
  return (result.errors ?? []).map(({ message, path }) => `${path?.join('.')}: ${message}`);
}

describe('fields with @semanticNonNull', () => {
  it('are every field about a person or an employer, the roots and the paid fields, without the exceptions and records', () => {
    const marked = fields.filter(({ isMarked }) => isMarked).map(({ coordinate }) => coordinate);
    expect(marked).toEqual(expect.arrayContaining(['Query.person', 'Person.credit', 'EmployerReceipt.files']));
    expect(marked.filter((coordinate) => /\.records?$/.test(coordinate))).toEqual([]);
    expect(marked.filter((coordinate) => coordinate in nullWithoutError)).toEqual([]);
    const coordinates = fields.map(({ coordinate }) => coordinate);
    expect(Object.keys(nullWithoutError).filter((coordinate) => !coordinates.includes(coordinate))).toEqual([]);
    const types = new Set(marked.map((coordinate) => coordinate.split('.')[0]));
    expect([...types].sort()).toEqual(['Employer', 'EmployerReceipt', 'Mutation', 'Person', 'Query', 'RegistryBatch']);
  });

  it('have resolvers that cannot return null, and the exceptions have resolvers that can', () => {
    const folder = join(root, 'src');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const sources = files.map((file) => readFileSync(join(folder, file), 'utf8'));
    const resolvers = sources.filter((source) => source.includes('@Resolver(')).join('\n');
    /** The declared types of the resolvers of this name. */
    const returnTypesOf = (name: string): readonly string[] =>
      [...resolvers.matchAll(new RegExp(`^  (?:async )?${name}\\([\\s\\S]*?\\): ([^\\n]+) \\{$`, 'gm'))].map(
        ([, type = '']) => type,
      );
    const declared = fields
      .filter(({ isMarked }) => isMarked)
      .map(({ coordinate, name }) => [coordinate, returnTypesOf(name)] as const);
    expect(
      declared.filter(([, types]) => types.length === 0 || types.some((type) => /null|undefined/.test(type))),
    ).toEqual([]);
    for (const exception of ['registryUnitPrice', 'registryBatch'])
      expect(returnTypesOf(exception).join()).toContain('null');
  });

  const padron = padronForTests({ now: () => NOW });

  it.each(coverageQuestions)('are not null in an answer with a record, or have an error: $field', async (question) => {
    const query = question.ask(fullSelection(graph, question.field));
    const { data, errors } = await padron.ask(query);
    expect(errors).toBeUndefined();
    expect(JSON.stringify(data)).toContain('"outcome":"FOUND"');
    expect(nullsIn(query, data)).toEqual([]);
    const refused = await padron.ask(query, {}, { authorization: 'Bearer unknown' });
    expect(refused.errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
  });

  const examples = join(root, 'schema/examples');
  it.each(readdirSync(examples).filter((file) => file.endsWith('.graphql') && !file.startsWith('signature')))(
    'are not null in the answer to the example %s',
    async (file) => {
      const query = readFileSync(join(examples, file), 'utf8');
      const variables = JSON.parse(/^# Variables for the sandbox: (.*)$/m.exec(query)?.[1] ?? '{}');
      const { data, errors } = await padron.ask(query, variables);
      expect(errors).toBeUndefined();
      expect(nullsIn(query, data, variables)).toEqual([]);
    },
  );

  it('would be reported by this test: an answer without a lookup has no error', () => {
    const query = '{ person(nss: "04159600263") { credit { outcome } } }';
    expect(nullsIn(query, { person: { credit: null } })).toEqual([
      'person.credit: Cannot return null for non-nullable field Person.credit.',
    ]);
  });
});
