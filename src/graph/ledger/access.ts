import { GraphQLError } from 'graphql';
import type { LedgerView, RequestLedger } from '../../ledger/reading/port';
import { requireBearer } from '../../registry/client/client';
import type { Context } from '../context';

/** Scopes of padron's own, for callers with a JWT: what the ledger holds is no endpoint's. */
export type LedgerScope =
  | 'padron_ledger'
  | 'padron_ledger_settle'
  | 'padron_proofs'
  | 'padron_budgets'
  | 'padron_erase'
  | 'padron_audit';

/** The ledger of the caller's account; throws where none is kept, or nobody knows whose it would be. */
export function requireLedger({ ledger, caller }: Context): RequestLedger {
  if (ledger === null) throw ledgerOff();
  requireBearer(caller);
  return ledger;
}

/** What a caller may see: its account's entries with the scope, or where no JWT names scopes; else those of its own client. */
export function visibleEntries(context: Context, ...scopes: readonly LedgerScope[]): LedgerView {
  const { accounts, client } = requireLedger(context);
  const { permissions } = context.caller;
  if (permissions === null || scopes.some((scope) => permissions.has(scope))) return { accounts, client: null };
  if (client === null)
    throw missingScope(scopes, 'Without it a caller sees what its own client spent, and this token names no client.');
  return { accounts, client };
}

/** All of the account, for callers with the scope. */
export function requireScope(context: Context, scope: LedgerScope): LedgerView {
  const { accounts } = requireLedger(context);
  const { permissions } = context.caller;
  if (permissions !== null && !permissions.has(scope)) throw missingScope([scope]);
  return { accounts, client: null };
}

/** The same for what changes settings or forgets: a token of the service says nothing of who may do that. */
export function requireGrantedScope(context: Context, scope: LedgerScope): LedgerView {
  const view = requireScope(context, scope);
  if (context.caller.permissions === null)
    throw missingScope([scope], 'Only a JWT can carry it: see JWT_JWKS_URL and JWT_SECRET.');
  return view;
}

function missingScope([scope = '']: readonly string[], addition = ''): GraphQLError {
  const message = `The caller lacks the scope \`${scope}\`.${addition === '' ? '' : ` ${addition}`}`;
  return new GraphQLError(message, { extensions: { code: 'FORBIDDEN' } });
}

function ledgerOff(): GraphQLError {
  return new GraphQLError('No ledger is kept here: its operator turned it off (LEDGER=off).', {
    extensions: { code: 'LEDGER_OFF' },
  });
}
