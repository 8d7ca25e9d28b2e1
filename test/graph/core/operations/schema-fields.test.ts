import { parse } from 'graphql';
import { findSelectedField, introspectionFields, schemaFields } from '../../../../src/graph/core/operations/selections';

it.each([
  ['{ person(nss: "1") { nss } }', null, null],
  ['{ __schema { types { name } } }', '__schema', '__schema'],
  ['query { ...Sdl } fragment Sdl on Query { _service { sdl } }', null, '_service'],
  ['{ _service { sdl } t: __type(name: "Person") { name } }', '__type', '_service'],
])('finds the fields of %s that return the schema, each time it is asked', (text, introspection, any) => {
  const document = parse(text);
  for (let round = 0; round < 2; round += 1) {
    expect(findSelectedField(document, introspectionFields)).toBe(introspection);
    expect(findSelectedField(document, schemaFields)).toBe(any);
  }
});
