import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildASTSchema, isInterfaceType, isObjectType, parse } from 'graphql';
import { typePolicies } from '../../schema/client/apollo-cache';
import { possibleTypes } from '../../schema/client/possible-types';
import { keys } from '../../schema/client/urql-cache';

const sdl = readFileSync(join(__dirname, '../../schema/padron.graphql'), 'utf8');
const schema = buildASTSchema(parse(sdl), { assumeValidSDL: true });
const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
const answers = types.filter(isObjectType).filter(({ name }) => !['Query', 'Mutation'].includes(name));
const keyed = answers.filter(({ name, astNode }) => {
  return name === 'RegistryEndpoint' || astNode?.directives?.some((directive) => directive.name.value === 'key');
});

describe('the settings for client caches', () => {
  it('know what implements each interface', () => {
    const implementors = types
      .filter(isInterfaceType)
      .map((type) => [type.name, schema.getPossibleTypes(type).map(({ name }) => name)] as const);
    const sorted = implementors.map(([name, names]) => [name, [...names].sort()]);
    expect(Object.fromEntries(sorted)).toEqual(possibleTypes);
  });

  it('speak of every type in urql, so that it neither guesses a key nor warns', () => {
    const configured = answers.filter(({ name }) => name in keys);
    expect(answers.map(({ name }) => name)).toEqual(configured.map(({ name }) => name));
    expect(Object.keys(keys).sort()).toEqual(answers.map(({ name }) => name).sort());
  });

  it('keep only entities and prices apart in urql', () => {
    const data = { __typename: 'x', id: '1', nss: '1', curp: '1', registration: '1', endpoint: '1' };
    const apart = answers.filter(({ name }) => keys[name]?.(data) !== null);
    expect(apart.map(({ name }) => name).sort()).toEqual(keyed.map(({ name }) => name).sort());
  });

  it('embed in Apollo Client every type whose id would make it an entity', () => {
    const byId = answers.filter((type) => 'id' in type.getFields() && !keyed.includes(type)).map(({ name }) => name);
    expect(byId.filter((name) => typePolicies[name]?.keyFields !== false)).toEqual([]);
  });

  it('merge every lookup in Apollo Client', () => {
    const merging = possibleTypes.RegistryLookup.filter((name) => typeof typePolicies[name]?.merge === 'function');
    expect(merging).toEqual(possibleTypes.RegistryLookup);
  });
});
