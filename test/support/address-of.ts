import type { AnyEndpoint } from '../../src/registry/endpoint/endpoint';

/** Returns method and path of an endpoint, as padron and the sandbox name it. */
export const addressOf = ({ method, path }: AnyEndpoint): string => `${method} ${path}`;
