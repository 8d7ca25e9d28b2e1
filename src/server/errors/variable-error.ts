import {
  coerceInputValue,
  GraphQLError,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  type OperationDefinitionNode,
  typeFromAST,
  type VariableDefinitionNode,
} from 'graphql';
import { isDamaged } from '../../identifiers/text';
import { damagedText } from '../../identifiers/violation';
import { describeInvalidInput, describeKind, describeUnknownField, type MessageOptions } from './input-description';

type Path = readonly (string | number)[];
type Variables = Readonly<Record<string, unknown>>;

const maxVariableErrors = 5;
/** Maximum number of reports of graphql-js that are read. It reports each unknown field, and an object may have 100,000 of them. */
const maxReports = 50;

/** An error about a variable that does not fit its type. The message is written by padron and contains nothing of the value. */
export class VariableError extends GraphQLError {
  constructor(message: string, node: VariableDefinitionNode) {
    super(message, { nodes: node, extensions: { code: 'BAD_USER_INPUT' } });
  }
}

/**
 * Returns the errors in the variables of an operation. graphql-js would quote whole values, for example a password next to a missing file.
 * Without `checksTexts`, a damaged text is an error of the lookups that use it.
 */
export function findVariableErrors(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Variables,
  options: MessageOptions,
  checksTexts = true,
): readonly VariableError[] {
  const errors: VariableError[] = [];
  for (const node of variableDefinitions) {
    const type = typeFromAST(schema, node.type);
    if (!isInputType(type)) continue;
    const name = node.variable.name.value;
    const places = checksTexts ? findDamagedTexts(`$${name}`, variables[name], type) : [];
    const damages = places.map((place) => `Variable "${place}": ${damagedText.message}`);
    for (const message of [...describeVariable(node, type, variables, options), ...damages]) {
      errors.push(new VariableError(message, node));
      if (errors.length === maxVariableErrors) return errors;
    }
  }
  return errors;
}

function describeVariable(
  { variable, defaultValue }: VariableDefinitionNode,
  type: GraphQLInputType,
  variables: Variables,
  options: MessageOptions,
): readonly string[] {
  const name = variable.name.value;
  const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
  if (value === undefined) {
    const isMissing = isNonNullType(type) && defaultValue === undefined;
    const similar = Object.keys(variables).find((sent) => /^\$?\w+$/.test(sent) && isSimilar(sent, name));
    const hint = similar === undefined ? '' : ` The request has "${similar}": did you mean "${name}"?`;
    return isMissing ? [`${describeInvalidInput(`Variable "$${name}"`, type, 'nothing', null, options)}${hint}`] : [];
  }
  return describeInvalid(`$${name}`, value, type, options);
}

/** Scalars with any JSON: keys of entities, and rows. A damaged text in one of them must not fail the others. */
const openScalars: readonly string[] = ['_Any', 'JSON'];

/** Returns the places of the texts in a value that have lost characters. */
function findDamagedTexts(place: string, value: unknown, type: GraphQLInputType): readonly string[] {
  const nullable = getNullableType(type);
  if (Array.isArray(value)) {
    const item = isListType(nullable) ? nullable.ofType : nullable;
    return value.flatMap((member, index) => findDamagedTexts(`${place}[${index}]`, member, item));
  }
  const named = getNamedType(nullable);
  if (typeof value === 'string') return !openScalars.includes(named.name) && isDamaged(value) ? [place] : [];
  if (!isInputObjectType(named) || typeof value !== 'object' || value === null) return [];
  return Object.values(named.getFields()).flatMap((field) =>
    findDamagedTexts(`${place}.${field.name}`, (value as Variables)[field.name], field.type),
  );
}

/** Whether two names only differ in case, `_` and `$`. No other name is quoted: it may be a value. */
const isSimilar = (sent: string, name: string): boolean => toLetters(sent) === toLetters(name);
const toLetters = (name: string): string => name.replace(/[$_]/g, '').toLowerCase();

/** Thrown to end the coercion of a value when enough errors are known. */
const enoughErrors = new Error('The first errors suffice.');

/** Returns a message for each place that does not fit, or no message if the whole value fits. */
function describeInvalid(
  variable: string,
  value: unknown,
  type: GraphQLInputType,
  options: MessageOptions,
): readonly string[] {
  const messages = new Set<string>();
  const describedPlaces = new Set<string>();
  let reports = 0;
  try {
    coerceInputValue(value, type, (path, invalid, cause) => {
      const place = `Variable "${variable}${formatPath(path)}"`;
      if (!describedPlaces.has(place)) {
        describedPlaces.add(place);
        for (const message of describeValue(place, getTypeAt(type, path), invalid, cause, options))
          messages.add(message);
      }
      reports += 1;
      if (messages.size >= maxVariableErrors || reports >= maxReports) throw enoughErrors;
    });
  } catch (error) {
    if (error !== enoughErrors) throw error;
  }
  return [...messages];
}

/** Describes all errors of a value at once. For an object, graphql-js reports each wrong field with the path of the object. */
function describeValue(
  place: string,
  type: GraphQLInputType,
  value: unknown,
  cause: GraphQLError,
  options: MessageOptions,
): readonly string[] {
  const named = getNamedType(type);
  if (isInputObjectType(named) && typeof value === 'object' && value !== null && !Array.isArray(value))
    return describeObject(place, type, named, value, options);
  return [describeInvalidInput(place, type, describeKind(value, type), cause, options)];
}

function describeObject(
  place: string,
  type: GraphQLInputType,
  named: GraphQLInputObjectType,
  value: object,
  options: MessageOptions,
): readonly string[] {
  const fields = named.getFields();
  const names = Object.keys(value);
  const defined = names.filter((name) => Object.hasOwn(fields, name));
  const missing = Object.values(fields).filter((field) => isRequiredInputField(field) && !defined.includes(field.name));
  const isOneOf = named.isOneOf && defined.length !== 1;
  const variable = place.slice(0, -1);
  return [
    ...missing.map((field) => describeInvalidInput(`${variable}.${field.name}"`, field.type, 'nothing', null, options)),
    ...(defined.length < names.length ? [describeUnknownField(place, type, options)] : []),
    ...(isOneOf ? [`${place}: exactly one field of ${type} must be given.`] : []),
  ];
}

const formatPath = (path: Path): string =>
  path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');

/** Returns the type of a part of a value. coerceInputValue only reports paths that the type has. */
function getTypeAt(type: GraphQLInputType, path: Path): GraphQLInputType {
  return path.reduce<GraphQLInputType>((container, step) => {
    const nullable = getNullableType(container);
    if (typeof step === 'number') return isListType(nullable) ? nullable.ofType : container;
    // A single value may replace a list of one, without its own path segment.
    const named = getNamedType(nullable);
    return (isInputObjectType(named) ? named.getFields()[step]?.type : undefined) ?? container;
  }, type);
}
