import { Extensions } from 'type-graphql';
import type { LedgerScope } from './access';

/** Marks a field that wants a scope of padron's own, for routers that enforce it (`@requiresScopes`). */
export function OwnScope(ownScope: LedgerScope): MethodDecorator {
  return Extensions({ ownScope });
}
