import 'reflect-metadata';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { graphqlSync, isEnumType, isObjectType } from 'graphql';
import { isProblemCode } from '../../../src/graph/core/lookup/types';
import { isProblem } from '../../../src/registry/answer/problem';
import { buildGraph } from '../../support/padrons/whole-padron';

const { schema, codes } = buildGraph();

describe('the fields of the graph', () => {
  it('are properties that graphql-js reads, except for computed ones and the methods of the resolver classes', () => {
    const source = join(__dirname, '../../../src');
    const resolvers = readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(join(source, file), 'utf8'))
      .filter((text) => text.includes('@Resolver('));
    const methods = new Set(
      resolvers.flatMap((text) => [...text.matchAll(/^ {2}(?:async )?(\w+)\(/gm)].map(([, name = '']) => name)),
    );
    const resolved = Object.values(schema.getTypeMap())
      .filter((type) => isObjectType(type) && !type.name.startsWith('__'))
      .flatMap((type) => (isObjectType(type) ? Object.values(type.getFields()) : []))
      .filter(({ resolve, extensions }) => resolve !== undefined && extensions.compute === undefined)
      .map(({ name }) => name);
    expect(resolved.length).toBeGreaterThan(50);
    expect(resolved.filter((name) => !methods.has(name))).toEqual(['_entities', '_service']);
  });

  it('are resolved synchronously if no call is made, without a promise between an argument and its method', () => {
    const source = '{ person(nss: "1-2", curp: null, name: { names: "A", paternalSurname: "B" }) { nss curp } }';
    expect(graphqlSync({ schema, source })).toEqual({ data: { person: { nss: '12', curp: null } } });
  });
});

describe('ProblemCode', () => {
  it('is every code of the table, each with a description', () => {
    const type = schema.getType('ProblemCode');
    const values = isEnumType(type) ? type.getValues() : [];
    expect(values.map(({ name }) => name)).toEqual(codes.filter(isProblem).map(({ code }) => code));
    expect(values.filter(({ description }) => !description)).toEqual([]);
  });

  it('is not a code that a newer version has stored', () => {
    const stored = ['WRONG_PASSWORD', 'OF_NEXT_YEAR', 'toString', null];
    expect(stored.map(isProblemCode)).toEqual([true, false, false, false]);
  });
});
