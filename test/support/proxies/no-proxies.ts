import type { Proxies } from '../../../src/registry/transport/proxies';

export const noProxies: Proxies = { https: null, http: null, exceptions: [] };
