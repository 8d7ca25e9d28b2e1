import {
  type GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isInputType,
  isListType,
  type TypeNode,
  typeFromAST,
  type VariableDefinitionNode,
} from 'graphql';
import {
  type ClientRequest,
  describeInvalidInput,
  describeKind,
  describeUnknownField,
  errorChain,
} from './input-description';

type Path = readonly (string | number)[];

/** The message of a variable that could not be coerced, from its path and type; null for other errors about a variable. */
export function variableMessage(
  error: GraphQLError,
  node: VariableDefinitionNode,
  schema: GraphQLSchema,
  request: ClientRequest,
): string | null {
  const name = node.variable.name.value;
  const type = resolveInputType(schema, node.type);
  if (!type) return null;
  const place = `Variable "$${name}"`;
  if (error.message.startsWith(`${place} of required type `))
    return describeInvalidInput(place, type, 'nothing', error, request);
  if (error.message.startsWith(`${place} of non-null type `))
    return describeInvalidInput(place, type, 'null', error, request);
  if (!error.message.startsWith(`${place} got invalid value `)) return null;
  return coercionMessage(error, { name, type, value: getOwn(request.variables, name) }, request);
}

interface Variable {
  readonly name: string;
  readonly type: GraphQLInputType;
  readonly value: unknown;
}

/** graphql-js writes the value, then the path, then the reason: read from the end, the value is never needed. */
function coercionMessage(error: GraphQLError, variable: Variable, request: ClientRequest): string {
  const cause = [...errorChain(error)].find(
    (candidate) => candidate !== error && error.message.endsWith(`; ${candidate.message}`),
  );
  if (!cause) return `Variable "$${variable.name}": the value does not fit ${variable.type}.`;
  const path = parsePathAtEnd(error.message.slice(0, -cause.message.length - 2), variable.name);
  const type = getTypeAt(variable.type, path);
  const place = `Variable "$${variable.name}${formatPath(path)}"`;
  if (!type) return `${place}: the value does not fit ${variable.type}.`;
  const missing = /^Field "(\w+)" of required type "/.exec(cause.message)?.[1];
  const missingType = missing === undefined ? undefined : getTypeAt(type, [missing]);
  if (missingType) {
    return describeInvalidInput(
      `Variable "$${variable.name}${formatPath([...path, missing ?? ''])}"`,
      missingType,
      'nothing',
      cause,
      request,
    );
  }
  if (/^Field ".*" is not defined by type "/s.test(cause.message)) return describeUnknownField(place, type, request);
  if (cause.message.startsWith('Exactly one key ')) return `${place}: exactly one field of ${type} must be given.`;
  return describeInvalidInput(place, type, describeKind(getValueAt(variable.value, path), type), cause, request);
}

/** Steps are names of the schema and places in lists: graphql-js never walks into a field that it does not know. */
function parsePathAtEnd(text: string, variable: string): Path {
  const steps = /^ at "(\w+)((?:\.\w+|\[\d+\])*)"$/.exec(text.slice(Math.max(0, text.lastIndexOf(' at "'))));
  if (steps?.[1] !== variable) return [];
  return [...(steps[2] ?? '').matchAll(/\.(\w+)|\[(\d+)\]/g)].map(([, field, index]) => field ?? Number(index));
}

const formatPath = (path: Path): string =>
  path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');

function getTypeAt(type: GraphQLInputType, path: Path): GraphQLInputType | undefined {
  return path.reduce<GraphQLInputType | undefined>(
    (container, step) => container && getMemberType(container, step),
    type,
  );
}

function getMemberType(type: GraphQLInputType, step: string | number): GraphQLInputType | undefined {
  const nullable = getNullableType(type);
  if (typeof step === 'number') return isListType(nullable) ? nullable.ofType : undefined;
  // A single value stands for a list of one, without a step of its own.
  const named = getNamedType(nullable);
  return isInputObjectType(named) && Object.hasOwn(named.getFields(), step) ? named.getFields()[step]?.type : undefined;
}

const getValueAt = (value: unknown, path: Path): unknown => path.reduce<unknown>(getOwn, value);

function getOwn(holder: unknown, key: string | number): unknown {
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, key)) return undefined;
  return Reflect.get(holder, key);
}

function resolveInputType(schema: GraphQLSchema, node: TypeNode): GraphQLInputType | undefined {
  const type = typeFromAST(schema, node);
  return isInputType(type) ? type : undefined;
}
