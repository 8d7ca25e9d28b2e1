import type { AnyEndpoint } from '../../src/registry/endpoint/endpoint';

export const addressOf = ({ method, path }: AnyEndpoint): string => `${method} ${path}`;
