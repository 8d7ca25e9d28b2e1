import { GraphQLInputObjectType, type GraphQLInputType, GraphQLString } from 'graphql';
import type { ColumnChoices } from '../../../../../src/extensions/batch/batch';
import { findChoiceProblem, noChoices } from '../../../../../src/extensions/batch/dataset/columns/column-choices';
import { openDataset } from '../../../../../src/extensions/batch/dataset/open-dataset';
import { RowReader } from '../../../../../src/extensions/batch/dataset/row-reader';
import type { BatchOperation, BatchVariable } from '../../../../../src/extensions/batch/operation';

const variable = (name: string, type: GraphQLInputType = GraphQLString): BatchVariable => ({
  name,
  type,
  isRequired: false,
});
const operationOf = (variables: readonly BatchVariable[]): BatchOperation => ({
  name: null,
  variables,
  explainRejection: () => null,
  createEstimator: () => {
    throw new Error('No row is priced here.');
  },
});
const range = <Value>(length: number, toValue: (index: number) => Value): readonly Value[] =>
  Array.from({ length }, (_, index) => toValue(index));
const longName = (prefix: string, index: number, length: number): string => `${prefix}${index} `.padEnd(length, 'áñü');

/** Returns the number of characters that are folded while `use` runs. This is what takes time if names are long. */
async function countFolded(use: () => unknown): Promise<number> {
  const original = String.prototype.normalize;
  let folded = 0;
  const spy = jest.spyOn(String.prototype, 'normalize').mockImplementation(function (this: string, form?: string) {
    folded += this.length;
    return original.call(this, form);
  });
  try {
    await use();
  } finally {
    spy.mockRestore();
  }
  return folded;
}

async function* bytesOf(file: string): AsyncGenerator<Buffer> {
  yield Buffer.from(file);
}

/** Reads a file as an upload does, and returns its columns. */
async function read(file: string, variables: readonly BatchVariable[], choices: ColumnChoices = noChoices) {
  const operation = operationOf(variables);
  const { dataset } = await openDataset(bytesOf(file), operation, choices, 'a');
  const reader = new RowReader(operation, dataset, choices);
  await reader.checkColumns();
  const rejections: unknown[] = [];
  for await (const row of dataset.rows) rejections.push(reader.read(row).refusal?.reason.english ?? null);
  return { columns: reader.columns, rejections };
}

describe('the names of columns and variables', () => {
  it('are folded a few times for each line, and not once for each pair of a column and a choice', async () => {
    const names = range(100, (index) => longName('columna', index, 100));
    const file = `Título,${names.join(',')}\n\n${names.join(',')},nss\n${names.map(() => 'x').join(',')},1\n`;
    const columns = names.map((name) => ({ column: name.toUpperCase(), variable: null }));
    const countFor = (choices: number) =>
      countFolded(() => read(file, [variable('nss')], { columns: columns.slice(0, choices), ref: null, sheet: null }));
    const single = await countFor(1);
    expect(single).toBeGreaterThan(file.length);
    expect(await countFor(100)).toBeLessThan(2 * single);
  });

  it('are folded as often for 500 variables as for one', async () => {
    const names = range(100, (index) => longName('columna', index, 400));
    const file = `v0,${names.join(',')}\n1,${names.map(() => 'x').join(',')}\n`;
    const jsonl = `${JSON.stringify(Object.fromEntries(names.map((name) => [name, 'x'])))}\n`;
    const variables = range(500, (index) => variable(`v${index}`));
    for (const content of [file, jsonl]) {
      const single = await countFolded(() => read(content, variables.slice(0, 1)));
      const all = await countFolded(() => read(content, variables));
      expect(single).toBeGreaterThan(content.length / 2);
      expect(all).toBeLessThan(2 * single);
    }
  });

  it('are folded as often for 500 fields of an input object as for one', async () => {
    const typeOf = (count: number) => {
      const fields = range(count, (index) => [`f${index}`, { type: GraphQLString }] as const);
      return new GraphQLInputObjectType({ name: 'Person', fields: Object.fromEntries(fields) });
    };
    const columns = range(200, (index) => ({ column: `c${index}`, variable: longName('p.F', index, 480) }));
    const check = (count: number) =>
      countFolded(() => findChoiceProblem({ columns, ref: null, sheet: null }, [variable('p', typeOf(count))]));
    expect(await check(500)).toBeLessThan(20 * 500);
  });

  it('are rejected if they are longer than a name can be, before they are compared', async () => {
    const long = longName('columna', 1, 501);
    const message = /The name of a column has more than 500 characters/;
    await expect(read(`nss,${long}\n1,2\n`, [variable('nss')])).rejects.toThrow(message);
    const columns = [{ column: 'a', variable: `nss.${long.repeat(1_000)}` }];
    const folded = await countFolded(() =>
      expect(
        findChoiceProblem({ columns, ref: null, sheet: null }, [variable('nss')])?.reason.english.length,
      ).toBeLessThan(1_000),
    );
    expect(folded).toBeLessThan(10_000);
    expect((await read(`{"nss":"1"}\n${JSON.stringify({ [long]: 1 })}\n`, [variable('nss')])).rejections).toEqual([
      null,
      'The name of a column has more than 500 characters. Use shorter names.',
    ]);
  });

  it('are not compared if there are more of them than columns are allowed', async () => {
    const file = `${range(50_000, (index) => `c${index}`).join(',')}\n`;
    const folded = await countFolded(() =>
      expect(read(file, [variable('nss')])).rejects.toThrow('There are more than 200 columns.'),
    );
    expect(folded).toBeLessThan(1_000);
  });

  it('are listed in messages up to a number, also if an operation has thousands of variables', async () => {
    const inputs = range(2_000, (index) => ({ ...variable(`v${index}`), isRequired: true }));
    const failure = read(`${range(200, (index) => `columna ${index}`).join(',')}\n1\n`, inputs);
    const error = await failure.catch((reason: Error) => reason);
    expect((error as Error).message).toMatch(/^No columns have the names of the variables `v0`, .*`v49`, …/);
    expect((error as Error).message.length).toBeLessThan(3_000);
  });
});
