import { BREAK, type DocumentNode, GraphQLError, visit } from 'graphql';
import { UnauthenticatedError } from '../../../registry/answer/answer';
import type { Caller } from '../../../registry/caller';
import type { Services } from '../../services';

type IntrospectionCheck = (document: DocumentNode, caller: Caller) => Promise<void>;

/**
 * Creates a check that rejects introspection by callers without a valid token. Returns null if introspection is on or off for all
 * callers, because Apollo Server then decides.
 */
export function createIntrospectionCheck({
  config,
  knownAccounts,
}: Pick<Services, 'config' | 'knownAccounts'>): IntrospectionCheck | null {
  if (config.introspection || !config.explorer) return null;
  return async (document, caller) => {
    if (!hasIntrospection(document)) return;
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

function hasIntrospection(document: DocumentNode): boolean {
  let isFound = false;
  visit(document, {
    Field: ({ name }) => {
      if (name.value !== '__schema' && name.value !== '__type') return undefined;
      isFound = true;
      return BREAK;
    },
  });
  return isFound;
}

function unauthenticated(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'UNAUTHENTICATED', http: { status: 401 } } });
}
