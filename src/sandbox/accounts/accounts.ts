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

export const builtInAccounts: readonly Account[] = [
  {
    token: SANDBOX_TOKEN,
    name: 'All permissions',
    spanish: 'Todos los permisos',
    permissions: 'all',
    units: AMPLE_UNITS,
  },
  {
    token: OTHER_TOKEN,
    name: 'All permissions, another account',
    spanish: 'Todos los permisos, otra cuenta',
    permissions: 'all',
    units: AMPLE_UNITS,
  },
  { token: UNPERMITTED_TOKEN, name: 'No permissions', spanish: 'Sin permisos', permissions: [], units: AMPLE_UNITS },
  { token: NO_UNITS_TOKEN, name: 'No units', spanish: 'Sin unidades', permissions: 'all', units: 0 },
  { token: THREE_UNITS_TOKEN, name: 'Three units', spanish: 'Tres unidades', permissions: 'all', units: 3 },
  {
    token: THROTTLED_TOKEN,
    name: 'Two calls a minute',
    spanish: 'Dos llamadas por minuto',
    permissions: 'all',
    units: AMPLE_UNITS,
    callsPerMinute: 2,
  },
];
