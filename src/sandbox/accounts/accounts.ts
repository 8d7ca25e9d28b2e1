/** A client of the service: its bearer token, its permissions and the units it has bought. */
export interface Account {
  readonly token: string;
  readonly name: string;
  readonly permissions: readonly string[];
  readonly units: number;
  /** Maximum number of calls to /api in one minute of the clock. The default is high enough never to be reached. */
  readonly callsPerMinute?: number;
}

/** Every permission that the interface names. */
export const PERMISSIONS: readonly string[] = [
  'use_buscar_credito',
  'use_obtener_cuenta',
  'use_validar_cedula',
  'use_buscar_cedula',
  'use_validar_certificado',
  'use_descargar_constancia_profesional',
  'use_sat_verificar_firma_electronica',
];

/** Token with every permission, whose units do not run out. */
export const SANDBOX_TOKEN = 'sandbox-token';
/** Token without permissions. */
export const UNPERMITTED_TOKEN = 'sandbox-token-without-permissions';
/** Token without units. */
export const NO_UNITS_TOKEN = 'sandbox-token-without-units';
/** Token with three units, enough for one constancia and one more call. */
export const THREE_UNITS_TOKEN = 'sandbox-token-with-three-units';
/** Token that may call /api twice a minute. */
export const THROTTLED_TOKEN = 'sandbox-token-throttled';
/** Token of a second account without limits, for tests with two clients. */
export const OTHER_TOKEN = 'sandbox-token-of-another-client';

const AMPLE_UNITS = 1_000_000_000;

export const builtInAccounts: readonly Account[] = [
  { token: SANDBOX_TOKEN, name: 'All permissions', permissions: PERMISSIONS, units: AMPLE_UNITS },
  { token: OTHER_TOKEN, name: 'All permissions, another account', permissions: PERMISSIONS, units: AMPLE_UNITS },
  { token: UNPERMITTED_TOKEN, name: 'No permissions', permissions: [], units: AMPLE_UNITS },
  { token: NO_UNITS_TOKEN, name: 'No units', permissions: PERMISSIONS, units: 0 },
  { token: THREE_UNITS_TOKEN, name: 'Three units', permissions: PERMISSIONS, units: 3 },
  {
    token: THROTTLED_TOKEN,
    name: 'Two calls a minute',
    permissions: PERMISSIONS,
    units: AMPLE_UNITS,
    callsPerMinute: 2,
  },
];
