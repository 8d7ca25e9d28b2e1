export { buyOnce, typePolicies } from '../apollo-cache';
export { retryFailed } from '../apollo-retry';
export { unitsLink } from '../apollo-units';
export type { RetryOptions, RetryResult } from '../follow-up';
export { possibleTypes } from '../possible-types';
