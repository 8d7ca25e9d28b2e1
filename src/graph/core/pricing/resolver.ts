import type { DocumentNode, GraphQLResolveInfo, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { Arg, Ctx, Info, Query, Resolver } from 'type-graphql';
import { amountOf } from '../../../identifiers/decimals';
import { TooManyQuestionsError } from '../../../money/calls/dry-run-data-source';
import { clientError, invalidInput } from '../client-error';
import type { Context } from '../context';
import { findSubmitted, OperationRejectedError, parseSubmitted } from '../operations/submitted-operation';
import { Decimal } from '../scalars/scalars';
import { addBalance, estimateUnits, UnlimitedBatchError } from './estimate';
import { RegistryEndpoint, UnitEstimate, UnitEstimateInput } from './types';

const maxRows = 10_000;
const maxDatasetLength = 200;

@Resolver()
export class PricingResolver {
  @Query(() => [RegistryEndpoint], {
    nullable: true,
    description:
      'What each endpoint costs, which permission or scope it needs, whether it may run in a batch and whether it answers. Free.',
  })
  registryEndpoints(@Ctx() { catalogue, dataSource }: Context): RegistryEndpoint[] {
    return catalogue.map(({ endpoint, fields }) => {
      const { name, permission, scope, batch } = endpoint;
      const { units, charged } = dataSource.prices.of(endpoint);
      const address = dataSource.address(endpoint);
      const availability = { ...dataSource.availability(endpoint), of: endpoint };
      return { name, endpoint: address, units, charged: [...charged], permission, scope, batch, fields, availability };
    });
  }

  @Query(() => Decimal, {
    nullable: true,
    description:
      'Price of one unit in pesos. Null if the operator did not set `UNIT_PRICE`, or without a token that the service knows. Free.',
  })
  async registryUnitPrice(@Ctx() { verifiedUnitPrice }: Context): Promise<string | null> {
    return amountOf(1, await verifiedUnitPrice());
  }

  @Query(() => UnitEstimate, {
    nullable: true,
    description: `What an operation would cost over a dataset, before anything is spent. Free.
Includes looked-up identifiers, counts each distinct question once, and assumes 2 receipts for a month whose list is unknown.`,
  })
  async unitEstimate(
    @Arg('input', () => UnitEstimateInput, { description: 'The operation and its dataset.' }) input: UnitEstimateInput,
    @Ctx() context: Context,
    @Info() { schema }: GraphQLResolveInfo,
  ): Promise<UnitEstimate> {
    const rows = input.rows ?? [{}];
    if (rows.length > maxRows) throw invalidInput(`\`rows\` has ${rows.length} rows. Send at most ${maxRows} at once.`);
    if (!rows.every(isRow)) throw invalidInput('Each of `rows` must be an object: the variables of one run.');
    context.checkTrusted(input.operation);
    const { operationName = null, dataset = null } = input;
    // The answer may repeat it many times.
    if (dataset !== null && dataset.length > maxDatasetLength)
      throw invalidInput(`\`dataset\` has ${dataset.length} characters. Send at most ${maxDatasetLength}.`);
    const { document, operation } = readOperation(schema, input.operation, operationName, context);
    checkSize(document, operation, rows, context);
    try {
      const estimate = await estimateUnits(
        { schema, document, operationName, rows, dataset, countsBatches: true },
        context,
      );
      return await addBalance(estimate, context);
    } catch (error) {
      if (error instanceof TooManyQuestionsError)
        throw invalidInput(`The dataset has more than ${error.allowed} questions. Split it.`);
      if (error instanceof UnlimitedBatchError) throw invalidInput(error.message);
      throw error;
    }
  }
}

/** Returns the document and the operation to estimate. Throws if it would not run, because its estimate would be 0. */
function readOperation(
  schema: GraphQLSchema,
  text: string,
  operationName: string | null,
  { dryRunBudget }: Context,
): { readonly document: DocumentNode; readonly operation: OperationDefinitionNode } {
  try {
    const document = parseSubmitted(text, dryRunBudget.remainingTokens);
    dryRunBudget.addTokens(document.tokenCount ?? 0);
    const operation = findSubmitted(schema, document, operationName);
    if (schema.getRootType(operation.operation)) return { document, operation };
    throw invalidInput(`\`operation\` is a ${operation.operation}. Use a query or a mutation.`);
  } catch (error) {
    throw error instanceof OperationRejectedError ? invalidInput(error.message) : error;
  }
}

/** Checks the size of the operation for each row, and of all rows of all estimates in the request. */
function checkSize(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  rows: readonly Readonly<Record<string, unknown>>[],
  { limiter, dryRunBudget }: Context,
): void {
  for (const [index, row] of rows.entries()) {
    const size = limiter.measure(document, operation, row);
    const excess = limiter.findExcess(size);
    if (excess !== null) {
      const { message, limit, value, allowed } = excess;
      throw clientError('OPERATION_TOO_LARGE', `\`operation\` would not run. ${message}`, { limit, value, allowed });
    }
    const { maxNodes } = dryRunBudget;
    const nodes = dryRunBudget.addNodes(size.nodes);
    if (nodes <= maxNodes) continue;
    const message = `The first ${index + 1} rows have ${nodes} values. The limit of a request is ${maxNodes}: split the dataset.`;
    throw clientError('OPERATION_TOO_LARGE', message, { limit: 'estimateNodes', value: nodes, allowed: maxNodes });
  }
}

function isRow(row: unknown): row is Readonly<Record<string, unknown>> {
  return typeof row === 'object' && row !== null && !Array.isArray(row);
}
