/** A client of the service: its bearer token, its permissions and the units it has bought. */
export interface Account {
  readonly token: string;
  readonly name: string;
  readonly spanish?: string;
  readonly permissions: readonly string[] | 'all';
  readonly units: number;
  /** Maximum number of calls to /api in one minute of the clock. The default is high enough never to be reached. */
  readonly callsPerMinute?: number;
}

/** Token with every permission, whose units do not run out. */
export const SANDBOX_TOKEN = 'sandbox-token';
export const UNPERMITTED_TOKEN = 'sandbox-token-without-permissions';
export const NO_UNITS_TOKEN = 'sandbox-token-without-units';
/** Token with three units, enough for one constancia and one more call. */
export const THREE_UNITS_TOKEN = 'sandbox-token-with-three-units';
export const THROTTLED_TOKEN = 'sandbox-token-throttled';
/** Token of a second account without limits, for tests with two clients. */
export const OTHER_TOKEN = 'sandbox-token-of-another-client';

const AMPLE_UNITS = 1_000_000_000;

function makeAccount(token: string, name: string, spanish: string, limits: Partial<Account> = {}): Account {
  return { token, name, spanish, permissions: 'all', units: AMPLE_UNITS, ...limits };
}

export const builtInAccounts: readonly Account[] = [
  makeAccount(SANDBOX_TOKEN, 'All permissions', 'Todos los permisos'),
  makeAccount(OTHER_TOKEN, 'All permissions, another account', 'Todos los permisos, otra cuenta'),
  makeAccount(UNPERMITTED_TOKEN, 'No permissions', 'Sin permisos', { permissions: [] }),
  makeAccount(NO_UNITS_TOKEN, 'No units', 'Sin unidades', { units: 0 }),
  makeAccount(THREE_UNITS_TOKEN, 'Three units', 'Tres unidades', { units: 3 }),
  makeAccount(THROTTLED_TOKEN, 'Two calls a minute', 'Dos llamadas por minuto', { callsPerMinute: 2 }),
];
