import {
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  getOperationAST,
  parse,
} from 'graphql';
import { type Execution, executePlan } from '../../src/execution/execute';
import { planQuery } from '../../src/execution/planner';
import { toPlain } from '../../src/execution/result';
import { turnsUntil } from '../support/event-loop-turns';

const rows = Array.from({ length: 4_000 }, (_, id) => ({ id }));

/** The value, after as much work as a resolver may have with it. */
function workedOut<Value>(value: Value): Value {
  const end = performance.now() + 0.06;
  while (performance.now() < end);
  return value;
}

const Row: GraphQLObjectType = new GraphQLObjectType({
  name: 'Row',
  fields: () => ({
    id: { type: GraphQLInt },
    now: { type: GraphQLInt, resolve: ({ id }) => workedOut(id) },
    soon: { type: GraphQLInt, resolve: async ({ id }) => workedOut(id) },
    failing: { type: GraphQLInt, resolve: async () => Promise.reject(new Error('no')) },
    never: { type: new GraphQLNonNull(GraphQLInt), resolve: ({ id }) => workedOut(id === 3_000 ? null : id) },
  }),
});
/** A property that cannot be read, after as much work as makes the rest of its object wait. */
class Broken {
  readonly rows = rows;

  get id(): number {
    throw new Error('no id');
  }
}

const BrokenRows = new GraphQLObjectType({
  name: 'BrokenRows',
  fields: { rows: { type: new GraphQLList(Row) }, id: { type: GraphQLInt } },
});
const query = new GraphQLObjectType({
  name: 'Query',
  fields: {
    rows: { type: new GraphQLList(Row), resolve: () => rows },
    strict: { type: new GraphQLList(new GraphQLNonNull(Row)), resolve: () => rows },
    promised: {
      type: new GraphQLList(Row),
      resolve: () => rows.map(async (row) => (row.id % 2 === 0 ? row : Promise.reject(new Error('odd')))),
    },
    broken: { type: BrokenRows, resolve: () => new Broken() },
    row: { type: Row, resolve: () => workedOut(rows[7]) },
  },
});
const schema = new GraphQLSchema({ query });

function run(text: string): Promise<Execution> {
  const document = parse(text);
  const operation = getOperationAST(document);
  const plan = operation && planQuery(schema, document, operation, {});
  if (!plan) throw new Error('The query has a plan.');
  return executePlan(plan, {}, {});
}

const dataOf = ({ data }: Execution) => data && (toPlain(data) as Readonly<Record<string, unknown>>);
const many = (count: number, field: string): string =>
  Array.from({ length: count }, (_, index) => `a${index}: ${field}`).join(' ');

describe('a wide operation', () => {
  it.each([
    ['whose values are there at once', '{ rows { id now } }', { rows: rows.map(({ id }) => ({ id, now: id })) }],
    ['whose values are promised', '{ rows { id soon } }', { rows: rows.map(({ id }) => ({ id, soon: id })) }],
    [
      'with many fields at its root',
      `{ ${many(990, 'row { id }')} }`,
      Object.fromEntries(Array.from({ length: 990 }, (_, index) => [`a${index}`, { id: 7 }])),
    ],
  ])('lets other work have its turn, and is answered the same: %s', async (_what, text, expected) => {
    const execution = run(text);
    expect(await turnsUntil(execution)).toBeGreaterThanOrEqual(3);
    const { errors } = await execution;
    expect([dataOf(await execution), errors]).toEqual([expected, []]);
  });

  it('keeps no small one waiting', async () => {
    const finished: string[] = [];
    const wide = run('{ rows { soon } }').then(() => finished.push('wide'));
    await new Promise(setImmediate);
    const small = run('{ row { soon } }').then(() => finished.push('small'));
    await Promise.all([wide, small]);
    expect(finished).toEqual(['small', 'wide']);
  });

  it('counts an error for each value that fails, also of those that fail before they are looked at', async () => {
    const failing = await run('{ rows { now failing } }');
    expect(failing.errors.length + failing.omittedErrors).toBe(rows.length);
    const promised = await run('{ rows { now } promised { now } }');
    expect(promised.errors.length + promised.omittedErrors).toBe(rows.filter(({ id }) => id % 2 === 1).length);
    expect(promised.errors.every(({ path }) => Number(path?.[1]) % 2 === 1)).toBe(true);
  });

  it('is null where its object breaks after it has waited', async () => {
    const execution = await run('{ row { id } broken { rows { now } id } }');
    expect(dataOf(execution)).toEqual({ row: { id: 7 }, broken: null });
    expect(execution.errors.map(({ message, path }) => [message, path])).toEqual([['no id', ['broken']]]);
  });

  it('stops where nothing may be left of what it works on', async () => {
    const execution = await run('{ row { id } strict { never } }');
    expect(dataOf(execution)).toEqual({ row: { id: 7 }, strict: null });
    expect(execution.errors.map(({ path }) => path)).toEqual([['strict', 3_000, 'never']]);
  });
});
