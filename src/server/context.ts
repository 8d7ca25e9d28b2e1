import type { Context } from '../graph/context';
import type { Units } from '../registry/units';
import type { Told } from './request-log';

/** A request's context as the server makes it: what resolvers share, and what its errors are told by. */
export interface RequestContext extends Context {
  readonly requestId: string;
  readonly units: Units;
  /** What the log will tell of the request. */
  readonly told: Told;
  /** Faults of a document go to this client with status 200. */
  readonly only200: boolean;
  /** Tell the price and run nothing. */
  readonly dryRun: boolean;
}
