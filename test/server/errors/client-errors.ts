import {
  buildSchema,
  execute,
  GraphQLError,
  type GraphQLScalarType,
  type GraphQLSchema,
  getOperationAST,
  parse,
  validate,
} from 'graphql';
import { Base64, Curp, EmployerRegistration, Json, Nss, YearMonth } from '../../../src/graph/core/scalars/scalars';
import { Upload } from '../../../src/graph/core/scalars/upload';
import { redactClientValues } from '../../../src/server/errors/error-formatter';
import { findVariableErrors } from '../../../src/server/errors/variable-error';

/** A secret in every input of a client. No message may contain it. */
export const SECRET = 'hunter2hunter2';

export const schema = withOurScalars(
  buildSchema(/* GraphQL */ `
    directive @label(text: String!) on FIELD
    scalar NSS
    scalar CURP
    scalar Base64
    scalar Upload
    scalar YearMonth
    scalar EmployerRegistration
    scalar JSON
    scalar Foreign
    type Query {
      person(nss: NSS, curp: CURP, name: PersonNameInput, match: NameMatch! = EXACT): Person
      employer(registration: EmployerRegistration!): String
      months(periods: [YearMonth!]!, first: Int = 1, ratio: Float, id: ID, flag: Boolean, text: String): String
      estimate(input: EstimateInput!): String
      foreign(value: Foreign): String
      failing: String
    }
    type Person { licences(match: NameMatch! = EXACT): String }
    type Mutation { verifySignature(input: SignatureInput!): String }
    enum NameMatch { EXACT ALL }
    input PersonNameInput { names: String! paternalSurname: String! maternalSurname: String }
    input SignatureInput { rfc: String! password: String! certificate: FileInput! privateKey: FileInput! }
    input FileInput @oneOf { upload: Upload base64: Base64 }
    input EstimateInput { operation: String! rows: [JSON!] names: [PersonNameInput!] limit: Int! = 5 }
  `),
);

/** An error of graphql-js, and the same error as clients see it. */
export function ask(source: string, variables?: Record<string, unknown>, hideSuggestions = false) {
  const before = errorsOf(source, variables);
  const invalid = variableErrorsOf(source, variables, hideSuggestions);
  const after = invalid.length > 0 ? invalid : before.map(redactClientValues);
  return { before, after, messages: after.map(({ message }) => message), printed: after.map(printed).join() };
}

function variableErrorsOf(source: string, variables: Record<string, unknown> = {}, hideSuggestions = false) {
  try {
    const document = parse(source);
    const operation = getOperationAST(document);
    if (operation === null || operation === undefined || validate(schema, document).length > 0) return [];
    return findVariableErrors(schema, operation, variables, { hideSuggestions });
  } catch {
    return [];
  }
}

/** The errors of one request, from the first stage that refuses it. */
export function errorsOf(source: string, variables?: Record<string, unknown>): readonly GraphQLError[] {
  try {
    const document = parse(source);
    const faults = validate(schema, document);
    if (faults.length > 0) return faults;
    const result = execute({ schema, document, ...(variables && { variableValues: variables }) });
    return 'then' in result ? [] : (result.errors ?? []);
  } catch (error) {
    if (error instanceof GraphQLError) return [error];
    throw error;
  }
}

/** A table of questions, each followed by the messages that answer it (`=> …`). */
export function table(text: string): readonly (readonly [question: string, answers: readonly string[]])[] {
  return text
    .trim()
    .split(/\n(?!=> )/)
    .map((block) => block.split('\n=> '))
    .map(([question = '', ...answers]) => [question.trim(), answers]);
}

/** Everything of an error that can reach a client or a log. */
const printed = (error: GraphQLError): string =>
  `${error} ${JSON.stringify(error)} ${error.originalError} ${error.stack}`;

/** The scalars that padron serves, and one from elsewhere that prints what it refuses. */
function withOurScalars(built: GraphQLSchema): GraphQLSchema {
  const padronScalars: readonly GraphQLScalarType[] = [
    Nss,
    Curp,
    Base64,
    Upload,
    YearMonth,
    EmployerRegistration,
    Json,
  ];
  for (const { name, parseValue, parseLiteral } of padronScalars) {
    Object.assign(Object(built.getType(name)), { parseValue, parseLiteral });
  }
  const refuse = (value: unknown): never => {
    throw new TypeError(`cannot take ${JSON.stringify(value)}`);
  };
  Object.assign(Object(built.getType('Foreign')), { parseValue: refuse, parseLiteral: refuse });
  return built;
}
