export type { RetryOptions, RetryResult } from '../follow-up';
export { possibleTypes } from '../possible-types';
export { keys, resolvers } from '../urql-cache';
export { retryFailed } from '../urql-retry';
export { unitsExchange } from '../urql-units';
