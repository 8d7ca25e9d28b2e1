import 'reflect-metadata';
import { isEnumType } from 'graphql';
import { isProblemCode } from '../../../../src/graph/core/lookup/types';
import { isProblem } from '../../../../src/registry/answer/problem';
import { buildGraph } from '../../../support/padrons/whole-padron';

describe('ProblemCode', () => {
  it('is every code of the table, each with a description', () => {
    const graph = buildGraph();
    const type = graph.schema.getType('ProblemCode');
    if (!isEnumType(type)) throw new Error('ProblemCode is no enum.');
    expect(type.getValues().map(({ name }) => name)).toEqual(graph.codes.filter(isProblem).map(({ code }) => code));
    expect(type.getValues().filter(({ description }) => !description)).toEqual([]);
  });

  it('is not a code that a newer version has stored', () => {
    buildGraph();
    expect(['WRONG_PASSWORD', 'OF_NEXT_YEAR', 'toString', null].map(isProblemCode)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});
