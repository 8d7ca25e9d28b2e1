import type { Context } from '../graph/context';

/** A request's context as the server makes it: what resolvers share, and what its errors are told by. */
export interface RequestContext extends Context {
  readonly requestId: string;
}
