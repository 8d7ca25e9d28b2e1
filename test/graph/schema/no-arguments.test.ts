import { execute, parse } from 'graphql';
import { buildGraph } from '../../../src/graph/schema/build-schema';

test('fields without arguments share one empty object of arguments', () => {
  const seen = new Set<unknown>();
  const fieldResolver = (_source: unknown, args: unknown): void => void seen.add(args);
  execute({ schema: buildGraph([]).schema, document: parse('{ person { nss curp } }'), fieldResolver });
  expect([...seen]).toEqual([{}]);
});
