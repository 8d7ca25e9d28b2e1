import { type DocumentNode, GraphQLError } from 'graphql';
import { findSelectedField, introspectionFields, schemaFields } from '../../../graph/operations/schema-fields';
import { UnauthenticatedError } from '../../../registry/answer/answer';
import type { Caller } from '../../../registry/caller';
import type { Services } from '../../services';

type IntrospectionCheck = (document: DocumentNode, caller: Caller) => Promise<void>;

/**
 * Creates a check that rejects introspection, and the SDL for routers, if the caller has no valid token. Returns null if everyone may
 * introspect. If the explorer is off too, Apollo Server rejects introspection before this check.
 */
export function createIntrospectionCheck({
  config,
  knownAccounts,
}: Pick<Services, 'config' | 'knownAccounts'>): IntrospectionCheck | null {
  if (config.introspection) return null;
  // With a secret, all requests come from the router.
  const gated = config.subgraphSecret === null ? schemaFields : introspectionFields;
  return async (document, caller) => {
    if (findSelectedField(document, gated) === null) return;
    // A JWT was verified before. A token of the service is checked with the service, free of charge.
    if (caller.bearer === null) throw unauthenticated('Introspection needs a valid token. Send it in `authorization`.');
    try {
      const problem = await knownAccounts.verify(caller);
      if (problem !== null) throw unauthenticated(`The token cannot be checked now: ${problem.message}`);
    } catch (error) {
      throw error instanceof UnauthenticatedError ? unauthenticated(error.message) : error;
    }
  };
}

function unauthenticated(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'UNAUTHENTICATED', http: { status: 401 } } });
}
