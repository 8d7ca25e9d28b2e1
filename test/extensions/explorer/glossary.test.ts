import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildASTSchema, GraphQLObjectType, parse } from 'graphql';
import { terms } from '../../../src/extensions/explorer/page/glossary-terms';

describe('the glossary', () => {
  it('names fields that the graph has', () => {
    const sdl = readFileSync(join(__dirname, '../../../schema/padron.graphql'), 'utf8');
    const schema = buildASTSchema(parse(sdl), { assumeValidSDL: true });
    const named = terms.flatMap(({ fields }) => fields);
    const missing = named.filter((coordinate) => {
      const [typeName = '', fieldName = ''] = coordinate.split('.');
      const type = schema.getType(typeName);
      return !(type instanceof GraphQLObjectType) || type.getFields()[fieldName] === undefined;
    });
    expect(missing).toEqual([]);
  });
});
