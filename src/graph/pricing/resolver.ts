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
import { besideBalance, estimateUnits, TooManyQuestions } from './estimate';
import { RegistryEndpoint, UnitEstimate, UnitEstimateInput } from './types';

const mostRows = 10_000;
const mostTokens = 15_000;

@Resolver()
export class MoneyResolver {
  @Query(() => [RegistryEndpoint], {
    nullable: true,
    description: 'What each endpoint costs, which permission it needs and whether it may run in a batch. Free.',
  })
  registryEndpoints(@Ctx() { catalogue, dataSource }: Context): RegistryEndpoint[] {
    return catalogue.map(({ endpoint, fields }) => {
      const { units, permission, batch } = endpoint;
      return { endpoint: dataSource.address(endpoint), units, permission, batch, fields };
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
    if (rows.length > mostRows)
      throw refusal(`\`rows\` holds ${rows.length} rows; at most ${mostRows} are estimated at once.`);
    if (!rows.every(isRow)) throw refusal('Each of `rows` must be an object: the variables of one run.');
    const { operationName = null, dataset = null } = input;
    const document = documentOf(input.operation);
    refuseUnfit(schema, document, operationName);
    try {
      const estimate = await estimateUnits({ schema, document, operationName, rows, dataset }, context);
      return await besideBalance(estimate, context);
    } catch (error) {
      if (error instanceof TooManyQuestions)
        throw refusal('The dataset asks too many questions to count at once: split it.');
      throw error;
    }
  }
}

function documentOf(operation: string): DocumentNode {
  try {
    return parse(operation, { maxTokens: mostTokens });
  } catch (error) {
    throw refusal(`\`operation\` is not a GraphQL document${placeOf(error)}.`);
  }
}

/** What would not run at all: an estimate would call it free. */
function refuseUnfit(schema: GraphQLSchema, document: DocumentNode, operationName: string | null): void {
  const [fault] = validate(schema, document, undefined, { maxErrors: 1 });
  if (fault !== undefined) throw refusal(`\`operation\` does not fit the schema${placeOf(fault)}. Run it to see why.`);
  const operation = getOperationAST(document, operationName);
  if (!operation) throw refusal('`operationName` must name one of the operations of the document.');
  if (!schema.getRootType(operation.operation))
    throw refusal(`\`operation\` is a ${operation.operation}; this graph has none.`);
}

function isRow(row: unknown): row is Readonly<Record<string, unknown>> {
  return typeof row === 'object' && row !== null && !Array.isArray(row);
}

/** The place of a fault without its words: they may quote what the document holds. */
function placeOf(error: unknown): string {
  const location = error instanceof GraphQLError ? error.locations?.[0] : undefined;
  return location === undefined ? '' : ` (line ${location.line}, column ${location.column})`;
}

function refusal(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT' } });
}
