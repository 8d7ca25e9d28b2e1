import type { GraphQLError } from 'graphql';
import { Extensions } from 'type-graphql';
import { moneyCodes } from '../../../money/codes';
import type { CallerLedger } from '../../../money/ledger/caller-ledger';
import type { LedgerView } from '../../../money/ledger/entries/ledger-api';
import { requireBearer } from '../../../registry/client/client';
import { clientError } from '../../core/client-error';
import type { Context } from '../../core/context';

/** Marks a field that needs one of padron's own scopes, for routers that enforce it (`@requiresScopes`). */
export function OwnScope(ownScope: LedgerScope): MethodDecorator {
  return Extensions({ ownScope });
}

/** Scopes that padron defines for callers with a JWT, because the ledger belongs to no endpoint of the service. */
export type LedgerScope =
  | 'padron_ledger'
  | 'padron_ledger_settle'
  | 'padron_proofs'
  | 'padron_blocked'
  | 'padron_budgets'
  | 'padron_erase'
  | 'padron_audit'
  | 'padron_events';

export function requireLedger({ ledger, caller }: Context): CallerLedger {
  if (ledger === null) throw ledgerOff();
  requireBearer(caller);
  return ledger;
}

export const ledgerOff = (): GraphQLError => clientError('LEDGER_OFF', moneyCodes.LEDGER_OFF.message);

/** Whether the caller sees the blocked links of erased people. Only a JWT can carry the scope. */
export const seesBlocked = ({ caller }: Context): boolean => caller.permissions?.has('padron_blocked') === true;

/** Returns the entries that a caller may see: those of its account if it has the scope or has no JWT, otherwise those of its own client. */
export function visibleEntries(context: Context, ...scopes: readonly [LedgerScope, ...LedgerScope[]]): LedgerView {
  const { accounts, client } = requireLedger(context);
  const { permissions } = context.caller;
  if (permissions === null || scopes.some((scope) => permissions.has(scope)))
    return { accounts, client: null, seesBlocked: seesBlocked(context) };
  if (client === null)
    throw missingScope(
      scopes[0],
      'Without it a caller sees the calls of its own client, and this token names no client.',
    );
  return { accounts, client, seesBlocked: seesBlocked(context) };
}

/** Returns all entries of the account. Throws if the caller has a JWT without the scope. */
export function requireScope(context: Context, scope: LedgerScope): LedgerView {
  const { accounts } = requireLedger(context);
  const { permissions } = context.caller;
  if (permissions !== null && !permissions.has(scope)) throw missingScope(scope);
  return { accounts, client: null, seesBlocked: seesBlocked(context) };
}

/**
 * Returns all entries of the account, for changes of settings and erasures. Throws if the caller has no JWT with the scope, because
 * a token of the service grants no such permission.
 */
export function requireGrantedScope(context: Context, scope: LedgerScope): LedgerView {
  const view = requireScope(context, scope);
  if (context.caller.permissions === null)
    throw missingScope(scope, 'Only a JWT can carry it. The operator turns on JWTs with JWT_JWKS_URL or JWT_SECRET.');
  return view;
}

/** Throws if the ledger has links under keys that `DATA_KEYS` lacks. A search by identifier, reference or actor would not find them. */
export async function requireKeys(context: Context): Promise<void> {
  const missing = await requireLedger(context).reader.missingKeys({ seesBlocked: seesBlocked(context) });
  if (missing.length > 0) throw keyMissing(missing, 'Nothing was searched.');
}

export function keyMissing(ids: readonly string[], effect: string): GraphQLError {
  const remedy = 'The operator adds the earlier secrets after the new one (DATA_KEYS=new,old).';
  return clientError(
    'LEDGER_KEY_MISSING',
    `${effect} \`DATA_KEYS\` lacks keys of stored data (IDs ${ids.join(', ')}). ${remedy}`,
  );
}

export function missingScope(scope: string, addition = 'Use a token that has it.'): GraphQLError {
  return clientError('FORBIDDEN', `The caller lacks the scope \`${scope}\`. ${addition}`);
}
