import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import {
  type BudgetInput,
  BudgetScopeError,
  DuplicateBudgetError,
  type StoredBudgets,
} from '../../../money/ledger/budgets/stored-budgets';
import { composeLabel, describeTags, isClientName, isHeaderName } from '../../../registry/caller';
import { invalidInput } from '../../core/client-error';
import type { Context } from '../../core/context';
import { recordChange } from '../audit/recording';
import { OwnScope, requireGrantedScope, requireLedger, visibleEntries } from '../ledger/access';
import { RegistryBudget, RegistryBudgetInput } from './types';

const maxUnits = 1_000_000_000;
const maxAlerts = 10;

@Resolver()
export class BudgetResolver {
  @Query(() => [RegistryBudget], {
    nullable: true,
    description:
      'Budgets over time of this account, with the units left. Free. A JWT needs the scope `padron_budgets` or `padron_ledger` to see the budgets of other clients.',
  })
  async registryBudgets(@Ctx() context: Context): Promise<readonly RegistryBudget[]> {
    const { client } = visibleEntries(context, 'padron_budgets', 'padron_ledger');
    const budgets = await requireLedger(context).loadBudgets();
    return budgets.filter((budget) => client === null || budget.client === client);
  }

  @Mutation(() => RegistryBudget, {
    nullable: true,
    description:
      'Sets a budget. It applies from the next call on, and counts what the period has already spent. Free. Needs a JWT with the scope `padron_budgets`.',
  })
  @OwnScope('padron_budgets')
  async setRegistryBudget(
    @Arg('input', () => RegistryBudgetInput, { description: 'The budget.' }) input: RegistryBudgetInput,
    @Ctx() context: Context,
  ): Promise<RegistryBudget> {
    const { accounts } = requireGrantedScope(context, 'padron_budgets');
    const wanted = readBudget(input, context);
    return recordChange(
      context,
      { action: 'SET_BUDGET', scope: 'padron_budgets', details: { units: wanted.units } },
      async () => {
        const budget = await requireBudgets(context).set(accounts, wanted).catch(rethrowAsInputError);
        if (budget === null)
          throw invalidInput('`input.id` is not a budget of this account. `registryBudgets` lists them.');
        return budget;
      },
      ({ id, client, tag, period }) => ({ budget: id, budgetClient: client, budgetTag: tag, budgetPeriod: period }),
    );
  }

  @Mutation(() => Boolean, {
    nullable: true,
    description: 'Removes a budget. False if there was none. Free. Needs a JWT with the scope `padron_budgets`.',
  })
  @OwnScope('padron_budgets')
  async removeRegistryBudget(
    @Arg('id', () => ID, { description: 'The budget.' }) id: string,
    @Ctx() context: Context,
  ): Promise<boolean> {
    const { accounts } = requireGrantedScope(context, 'padron_budgets');
    return recordChange(
      context,
      { action: 'REMOVE_BUDGET', scope: 'padron_budgets' },
      () => requireBudgets(context).remove(accounts, id),
      // An unknown ID may be any text, so it is not recorded.
      (isRemoved) => (isRemoved ? { budget: id } : { problem: 'NOT_FOUND' }),
    );
  }
}

function readBudget(
  { id = null, client, tag, period, units, alertsAt, wholeOperations = null }: RegistryBudgetInput,
  { tagPattern }: Context,
): BudgetInput {
  if (units < 0 || units > maxUnits) throw invalidInput(`\`input.units\` must be between 0 and ${maxUnits}.`);
  if (alertsAt.length > maxAlerts || alertsAt.some((percent) => percent < 1 || percent > 100))
    throw invalidInput(`\`input.alertsAt\` must have at most ${maxAlerts} percentages, each between 1 and 100.`);
  const alerts = [...new Set(alertsAt)].sort((left, right) => left - right);
  const clientName = readName(client, isClientName, clientRule);
  const isTag = (name: string): boolean => isHeaderName(name, tagPattern);
  const tagName = readName(
    tag,
    isTag,
    `\`input.tag\` must be a name that \`x-tag\` can carry: ${describeTags(tagPattern).english}.`,
  );
  const scope = {
    ...(clientName === undefined ? {} : { client: clientName }),
    ...(tagName === undefined ? {} : { tag: tagName }),
  };
  return { id, ...scope, period, units, alertsAt: alerts, wholeOperations };
}

const clientRule =
  '`input.client` must be a name that a JWT or `x-client-name` can carry: 1 to 64 printable characters, no space at either end, and nothing that looks like an identifier (ten digits in a row, the beginning of a CURP or an RFC, an e-mail address).';

/**
 * Normalises a client or tag in the same way as the labels of calls. Throws for a name that no call can have, because such a budget
 * would never limit a call. Returns undefined for an omitted name, because an update keeps the existing one.
 */
function readName(
  name: string | null | undefined,
  isName: (label: string) => boolean,
  rule: string,
): string | null | undefined {
  if (name === null || name === undefined) return name;
  const label = composeLabel(name);
  if (isName(label)) return label;
  throw invalidInput(rule);
}

function rethrowAsInputError(error: unknown): never {
  if (error instanceof BudgetScopeError)
    throw invalidInput('The client, tag and period of a budget cannot change. Remove the budget and set another one.');
  if (!(error instanceof DuplicateBudgetError)) throw error;
  throw invalidInput('Another budget has this client, tag and period. Change or remove that one.');
}

function requireBudgets(context: Context): StoredBudgets {
  return requireLedger(context).budgets;
}

export async function resolveBudgetReference(
  key: { readonly id?: unknown },
  context: Context,
): Promise<RegistryBudget | null> {
  const { client } = visibleEntries(context, 'padron_budgets', 'padron_ledger');
  if (typeof key.id !== 'string') return null;
  const budgets = await requireLedger(context).loadBudgets();
  return budgets.find(({ id, client: owner }) => id === key.id && (client === null || owner === client)) ?? null;
}
