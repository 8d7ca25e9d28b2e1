import { isObjectType } from 'graphql';
import type { ColumnType, EndpointDefinition, Given, IdentityPart, RecordTable } from '../../../schema/extension';
import { readBalance } from '../../graph/core/pricing/endpoints';
import { buildGraph } from '../../graph/schema/build-schema';

/**
 * Returns what is wrong with the parts of definitions together: names that exist, and parts that do not fit. What is malformed has a mistake
 * already, and is not checked further.
 */
export function checkDefinitions(definitions: readonly EndpointDefinition[]): readonly (readonly string[])[] {
  const names = takenNames();
  const take = (kind: keyof typeof names, name: string, place: string): readonly string[] => {
    if (typeof name !== 'string') return [];
    if (names[kind].has(name)) return [`${place} is ${name}, which exists already. Choose another name.`];
    names[kind].add(name);
    return [];
  };
  return definitions.map((definition) =>
    [
      () => take('endpoints', definition.name, 'name'),
      () => take('addresses', definition.address, 'address'),
      () => take('fields', definition.field, 'field'),
      () => tablesOf(definition.record).flatMap(({ type }) => take('types', type, 'record.type')),
      () => take('types', `${definition.record.type}Lookup`, 'record.type'),
      () => checkRegistry(definition),
      () => checkInput(definition),
      () => tablesOf(definition.record).flatMap(checkColumns),
      () => checkNames(definition),
      () => checkFinder(definition),
    ].flatMap((check) => {
      try {
        return check();
      } catch {
        return [];
      }
    }),
  );
}

/** Returns the names of padron's own graph. Those of extensions begin with `Registry`, which no definition may. */
function takenNames() {
  const { schema, catalogue } = buildGraph([]);
  const fieldsOf = (name: string): readonly string[] => {
    const type = schema.getType(name);
    return isObjectType(type) ? Object.keys(type.getFields()).map((field) => `${name}.${field}`) : [];
  };
  const endpoints = [readBalance, ...catalogue.map(({ endpoint }) => endpoint)];
  return {
    endpoints: new Set(endpoints.map(({ name }) => name)),
    addresses: new Set(endpoints.map(({ method, path }) => `${method} ${path}`)),
    fields: new Set(Object.keys(identifiersOf).flatMap(fieldsOf)),
    types: new Set(Object.keys(schema.getTypeMap())),
  };
}

/** Returns the tables of a record and of its groups. One table may be used for several groups. */
function tablesOf(record: RecordTable): readonly RecordTable[] {
  const inner = Object.values(record.fields).flatMap((field) => ('record' in field ? tablesOf(field.record) : []));
  return [...new Set([record, ...inner])];
}

/** The identity registries of padron have names in other words, which those of files would replace. */
const checkRegistry = ({ registry: { name } }: EndpointDefinition): readonly string[] =>
  ['housingFund', 'populationRegistry', 'educationMinistry'].includes(name)
    ? [`registry.name is ${name}, which is a registry of padron: use housing, population or education.`]
    : [];

const identifiersOf = { Query: [], Person: ['nss', 'curp'], Employer: ['registration'] } as const;
const givenOf = ({ input }: EndpointDefinition): readonly Given[] =>
  Object.values(input).flatMap((each) => ('from' in each ? each : []));

function checkInput(definition: EndpointDefinition): readonly string[] {
  const parent = definition.field.split('.')[0] as keyof typeof identifiersOf;
  const allowed: readonly string[] = identifiersOf[parent];
  const wrong = givenOf(definition).filter(({ from }) => !allowed.includes(from));
  const what = allowed.length === 0 ? 'no identifier: use an argument' : allowed.join(' or ');
  const args = Object.values(definition.input).flatMap((each) => ('argument' in each ? each.argument : each.from));
  return [
    ...wrong.map(({ from }) => `input takes ${from}, but ${parent} has ${what}.`),
    ...(allowed.length > 0 && givenOf(definition).length === 0
      ? [`input takes nothing from ${parent}. Take ${what}, or set field to Query and a name.`]
      : []),
    ...repeated(args).map((name) => `input takes ${name} twice. Name each value once.`),
    ...(definition.encoding === 'json' && definition.address.startsWith('GET')
      ? ['encoding is json, but a GET request has no body. Set it to query.']
      : []),
  ];
}

const repeated = (names: readonly string[]): readonly string[] =>
  names.filter((name, index) => names.indexOf(name) < index);

function checkColumns(record: RecordTable): readonly string[] {
  const columns = Object.values(record.fields).map(({ column }) => column);
  return [
    ...(columns.length === 0 ? [`${record.type} has no field. Describe one column at least.`] : []),
    ...repeated(columns).map((column) => `${record.type} reads the column ${column} twice. Remove a field.`),
  ];
}

const typeOfPart: Readonly<Partial<Record<IdentityPart, ColumnType>>> = {
  nss: 'NSS',
  curp: 'CURP',
  rfc: 'RFC',
  registration: 'EmployerRegistration',
  birthDate: 'Date',
};

function checkNames({ names, record }: EndpointDefinition): readonly string[] {
  if (names === null) return [];
  return (Object.entries(names) as [IdentityPart, string][]).flatMap(([part, name]) => {
    const field = Object.hasOwn(record.fields, name) ? record.fields[name] : undefined;
    const type = typeOfPart[part] ?? 'String';
    if (field !== undefined && 'type' in field && field.type === type) return [];
    return [`names.${part} is ${name}, which must be a field of ${record.type} with the type ${type}.`];
  });
}

function checkFinder({ finds, field, envelope, names, input }: EndpointDefinition): readonly string[] {
  if (finds === undefined) return [];
  const [given, ...more] = Object.values(input);
  const isAboutCurp = given !== undefined && 'from' in given && given.from === 'curp' && more.length === 0;
  if (field.startsWith('Person.') && isAboutCurp && envelope !== 'list' && names?.nss && names.curp) return [];
  return ['finds needs a field of Person, with one parameter from curp, and one record that names nss and curp.'];
}
