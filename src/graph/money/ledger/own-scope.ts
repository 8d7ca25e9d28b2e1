import { Extensions } from 'type-graphql';
import type { LedgerScope } from './access';

/** Marks a field that needs one of padron's own scopes, for routers that enforce it (`@requiresScopes`). */
export function OwnScope(ownScope: LedgerScope): MethodDecorator {
  return Extensions({ ownScope });
}
