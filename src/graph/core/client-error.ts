import { GraphQLError } from 'graphql';

export const clientError = (
  code: string,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): GraphQLError => new GraphQLError(message, { extensions: { code, ...details } });

export const invalidInput = (message: string): GraphQLError => clientError('BAD_USER_INPUT', message);
