import {
  type DocumentNode,
  GraphQLError,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getOperationAST,
  parse,
  validate,
} from 'graphql';
import { Arg, Ctx, Info, Query, Resolver } from 'type-graphql';
import type { Context } from '../context';
import { addBalance, estimateUnits, TooManyQuestionsError } from './estimate';
import { RegistryEndpoint, UnitEstimate, UnitEstimateInput } from './types';

const maxRows = 10_000;
const maxTokens = 15_000;

@Resolver()
export class PricingResolver {
  @Query(() => [RegistryEndpoint], {
    nullable: true,
    description:
      'What each endpoint costs, which permission or scope it needs and whether it may run in a batch. Free.',
  })
  registryEndpoints(@Ctx() { catalogue, dataSource }: Context): RegistryEndpoint[] {
    return catalogue.map(({ endpoint, fields }) => {
      const { units, permission, scope, batch } = endpoint;
      return { endpoint: dataSource.address(endpoint), units, permission, scope, batch, fields };
    });
  }

  @Query(() => UnitEstimate, {
    nullable: true,
    description: `What an operation would cost over a dataset, before anything is spent. Free.
Counts what is bought on the way, each distinct question once, and 10 entries for a list whose length is not known before.`,
  })
  async unitEstimate(
    @Arg('input', () => UnitEstimateInput, { description: 'The operation and its dataset.' }) input: UnitEstimateInput,
    @Ctx() context: Context,
    @Info() { schema }: GraphQLResolveInfo,
  ): Promise<UnitEstimate | null> {
    // Its own price is nothing, and an estimate within an estimate would have no end.
    if (context.dataSource.isDryRun) return null;
    const rows = input.rows ?? [{}];
    if (rows.length > maxRows)
      throw invalidInput(`\`rows\` holds ${rows.length} rows; at most ${maxRows} are estimated at once.`);
    if (!rows.every(isRow)) throw invalidInput('Each of `rows` must be an object: the variables of one run.');
    const { operationName = null, dataset = null } = input;
    const document = parseOperation(input.operation);
    validateOperation(schema, document, operationName);
    try {
      const estimate = await estimateUnits({ schema, document, operationName, rows, dataset }, context);
      return await addBalance(estimate, context);
    } catch (error) {
      if (error instanceof TooManyQuestionsError)
        throw invalidInput('The dataset asks too many questions to count at once: split it.');
      throw error;
    }
  }
}

function parseOperation(operation: string): DocumentNode {
  try {
    return parse(operation, { maxTokens: maxTokens });
  } catch (error) {
    throw invalidInput(`\`operation\` is not a GraphQL document${formatLocation(error)}.`);
  }
}

/** What would not run at all: an estimate would call it free. */
function validateOperation(schema: GraphQLSchema, document: DocumentNode, operationName: string | null): void {
  const [error] = validate(schema, document, undefined, { maxErrors: 1 });
  if (error !== undefined)
    throw invalidInput(`\`operation\` does not fit the schema${formatLocation(error)}. Run it to see why.`);
  const operation = getOperationAST(document, operationName);
  if (!operation) throw invalidInput('`operationName` must name one of the operations of the document.');
  if (!schema.getRootType(operation.operation))
    throw invalidInput(`\`operation\` is a ${operation.operation}; this graph has none.`);
}

function isRow(row: unknown): row is Readonly<Record<string, unknown>> {
  return typeof row === 'object' && row !== null && !Array.isArray(row);
}

/** The place of an error without its words: they may quote what the document holds. */
function formatLocation(error: unknown): string {
  const location = error instanceof GraphQLError ? error.locations?.[0] : undefined;
  return location === undefined ? '' : ` (line ${location.line}, column ${location.column})`;
}

function invalidInput(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT' } });
}
