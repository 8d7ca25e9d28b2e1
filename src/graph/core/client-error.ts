import { GraphQLError } from 'graphql';

/** Returns an error that clients see. `details` are further extensions. */
export const clientError = (
  code: string,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): GraphQLError => new GraphQLError(message, { extensions: { code, ...details } });

export const invalidInput = (message: string): GraphQLError => clientError('BAD_USER_INPUT', message);
