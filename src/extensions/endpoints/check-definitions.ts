import { isObjectType } from 'graphql';
import type { ColumnType, EndpointDefinition, Given, IdentityPart, RecordTable } from '../../../schema/extension';
import { readBalance } from '../../graph/core/pricing/endpoints';
import { buildGraph } from '../../graph/schema/build-schema';

/** Returns what is wrong with definitions whose members are right: names that exist, and parts that do not fit together. */
export function checkDefinitions(
  definitions: readonly EndpointDefinition[],
): ReadonlyMap<EndpointDefinition, string[]> {
  const names = takenNames();
  const take = (kind: keyof typeof names, name: string, place: string): readonly string[] => {
    if (names[kind].has(name)) return [`${place} is ${name}, which exists already. Choose another name.`];
    names[kind].add(name);
    return [];
  };
  return new Map(
    definitions.map((definition) => [
      definition,
      [
        ...take('endpoints', definition.name, 'name'),
        ...take('addresses', definition.address, 'address'),
        ...take('fields', definition.field, 'field'),
        ...typesOf(definition.record).flatMap((type) => take('types', type, 'record.type')),
        ...take('types', `${definition.record.type}Lookup`, 'record.type'),
        ...checkInput(definition),
        ...checkColumns(definition.record),
        ...checkNames(definition),
        ...checkFinder(definition),
      ],
    ]),
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

const groupsOf = ({ fields }: RecordTable): readonly RecordTable[] =>
  Object.values(fields).flatMap((field) => ('record' in field ? field.record : []));

const typesOf = (record: RecordTable): readonly string[] => [record.type, ...groupsOf(record).flatMap(typesOf)];

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
  ];
}

const repeated = (names: readonly string[]): readonly string[] =>
  names.filter((name, index) => names.indexOf(name) < index);

function checkColumns(record: RecordTable): readonly string[] {
  const columns = Object.values(record.fields).map(({ column }) => column);
  return [
    ...(columns.length === 0 ? [`${record.type} has no field. Describe one column at least.`] : []),
    ...repeated(columns).map((column) => `${record.type} reads the column ${column} twice. Remove a field.`),
    ...groupsOf(record).flatMap(checkColumns),
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

function checkFinder(definition: EndpointDefinition): readonly string[] {
  const { finds, field, envelope, names, input } = definition;
  if (finds === undefined) return [];
  const [given] = givenOf(definition);
  const isAboutOne = field.startsWith('Person.') && Object.keys(input).length === 1 && given?.from !== finds;
  if (isAboutOne && envelope !== 'list' && names !== null && names[finds] !== undefined) return [];
  return [
    `finds is ${finds}: this needs a field of Person with one parameter, from the other identifier, one record, and names.${finds}.`,
  ];
}
