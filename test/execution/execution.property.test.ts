import fc from 'fast-check';
import {
  execute,
  type GraphQLError,
  GraphQLList,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  getOperationAST,
  getVariableValues,
  parse,
} from 'graphql';
import { maxListedErrors } from '../../src/execution/error-list';
import { executePlan } from '../../src/execution/execute';
import type { Plan } from '../../src/execution/plan';
import { planQuery } from '../../src/execution/planner';
import { toJson, toPlain } from '../../src/execution/result';
import { coerceVariables, planVariables } from '../../src/execution/variables';
import { operations, type Question } from '../support/flaky-operations';
import { type FlakyContext, flakySchema } from '../support/flaky-schema';

interface Ran {
  readonly data: Readonly<Record<string, unknown>> | null;
  /** The data as it is sent. */
  readonly text: string;
  readonly errors: readonly GraphQLError[];
  readonly omittedErrors: number;
  /** The places that resolvers were asked for. */
  readonly asked: readonly string[];
}

async function planned({ text, variables, seed }: Question, isSynchronous: boolean): Promise<Ran> {
  const document = parse(text);
  const operation = getOperationAST(document);
  if (!operation) throw new Error('no operation');
  const read = coerceVariables(planVariables(flakySchema, operation), variables);
  const plan = read && planQuery(flakySchema, document, operation, read);
  if (!read || !plan) throw new Error('not planned');
  const temper: FlakyContext = { seed, isSynchronous, resolvedPaths: [] };
  const { data, ...errors } = await executePlan(plan, temper, read);
  return { data: data && toPlain(data), text: data ? toJson(data) : 'null', ...errors, asked: temper.resolvedPaths };
}

async function executed({ text, variables, seed }: Question, isSynchronous: boolean): Promise<Ran> {
  const temper: FlakyContext = { seed, isSynchronous, resolvedPaths: [] };
  const { data = null, errors = [] } = await execute({
    schema: flakySchema,
    document: parse(text),
    variableValues: variables,
    contextValue: temper,
  });
  return { data, text: JSON.stringify(data), errors, omittedErrors: 0, asked: temper.resolvedPaths };
}

/** What stands at a path, or undefined where a null further up hides it. */
function valueAt(data: unknown, path: readonly (string | number)[]): unknown {
  let value = data;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string | number, unknown>)[key];
  }
  return value;
}

const errorTexts = ({ errors }: Pick<Ran, 'errors'>): readonly string[] =>
  errors.map(({ message, path, locations }) => JSON.stringify({ message, path, locations }));

/** Errors of places that can be seen: of those behind a null, the first that comes is told, and who comes first is luck. */
function visible({ data, errors }: Ran): readonly string[] {
  return [...errorTexts({ errors: errors.filter(({ path = [] }) => valueAt(data, path) === null) })].sort();
}

const asText = ({ data, text }: Ran): readonly string[] => [JSON.stringify(data), text];
const settings: fc.Parameters<unknown> = { seed: 20_261_120, numRuns: 400, endOnFailure: true };

describe('a planned query', () => {
  it('is answered as graphql-js answers it, whatever its resolvers do', async () => {
    const property = fc.asyncProperty(operations, async (question) => {
      const [actual, expected] = [await planned(question, false), await executed(question, false)];
      expect(asText(actual)).toEqual(asText(expected));
      if (actual.omittedErrors === 0) expect(visible(actual)).toEqual(visible(expected));
      else expect(visible(expected)).toEqual(expect.arrayContaining([...visible(actual)]));
      expect(actual.errors.length > 0).toBe(expected.errors.length > 0);
    });
    await fc.assert(property, settings);
  });

  it('asks the same resolvers in the same order, and tells the same errors, where nothing comes later', async () => {
    const property = fc.asyncProperty(operations, async (question) => {
      const [actual, expected] = [await planned(question, true), await executed(question, true)];
      expect(actual.asked).toEqual(expected.asked);
      expect(asText(actual)).toEqual(asText(expected));
      expect(errorTexts(actual)).toEqual(errorTexts(expected).slice(0, maxListedErrors));
      expect(actual.errors.length + actual.omittedErrors).toBe(expected.errors.length);
    });
    await fc.assert(property, settings);
  });
});

describe('the text of an answer', () => {
  const texts = {
    type: new GraphQLList(GraphQLString),
    resolve: (_root: unknown, _given: unknown, context: unknown) => context,
  };
  const schema = new GraphQLSchema({ query: new GraphQLObjectType({ name: 'Query', fields: { texts } }) });
  const document = parse('{ texts }');
  const operation = getOperationAST(document);
  const plan = operation && planQuery(schema, document, operation, {});
  const mean = ['a', '"', '\\', '\n', '\u0000', '\u007f', '\u2028', '\ud800', '\udfff', 'é', '😀'];
  const anyText = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 120 }),
    fc.string({ unit: fc.constantFrom(...mean), maxLength: 120 }),
  );

  it('is what JSON.stringify would write, whatever stands in it', async () => {
    const property = fc.asyncProperty(fc.array(fc.option(anyText)), async (texts) => {
      const { data } = await executePlan(plan as Plan, texts, {});
      expect(data && toJson(data)).toBe(JSON.stringify({ texts }));
    });
    await fc.assert(property, settings);
  });
});

describe('the variables of a planned query', () => {
  const operation = getOperationAST(
    parse(
      `query ($a: Int!, $b: Int = 3, $c: [Int!], $d: [[Int]]! = [[1]], $e: Box, $f: Color = RED, $g: When!) { __typename }`,
    ),
  );
  if (!operation) throw new Error('no operation');
  const plans = planVariables(flakySchema, operation);
  const value = fc.oneof(
    fc.constantFrom<unknown>(1, null, 'RED', 'BLUE', [1, 2], [[1], [null]], [null], {}, { width: 3 }, { width: null }),
    fc.jsonValue({ maxDepth: 2 }),
  );
  const mostly = (...good: readonly unknown[]) =>
    fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...good) }, { weight: 1, arbitrary: value });
  const arbitraries = {
    a: mostly(1, 2),
    b: mostly(1, null),
    c: mostly([1, 2], [], null),
    d: mostly([[1], [null]], []),
    e: mostly({}, { width: 3 }, { height: null }, null),
    f: mostly('RED', 'GREEN', null),
    g: mostly('now', 5),
  };
  const variables = fc.record(arbitraries, { requiredKeys: ['a', 'g'] });

  it('are read as graphql-js reads them, and left to it where it finds fault', () => {
    let read = 0;
    const property = fc.property(variables, (values) => {
      const expected = getVariableValues(flakySchema, operation.variableDefinitions ?? [], values).coerced ?? null;
      if (expected !== null) read += 1;
      expect(coerceVariables(plans, values)).toEqual(expected);
    });
    fc.assert(property, { seed: 20_261_120, numRuns: 2_000, endOnFailure: true });
    expect(read).toBeGreaterThan(100);
  });
});
