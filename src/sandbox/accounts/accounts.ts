/** A client of the service: its bearer token, what it may ask and the units it has bought. */
export interface Account {
  readonly token: string;
  readonly name: string;
  readonly permissions: readonly string[];
  readonly units: number;
  /** Calls to /api in one minute of the clock; without it a limit that nobody reaches. */
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

/** May ask everything, and does not run out of units. */
export const SANDBOX_TOKEN = 'sandbox-token';
/** May ask nothing that needs a permission. */
export const UNPERMITTED_TOKEN = 'sandbox-token-without-permissions';
/** Has no units left. */
export const NO_UNITS_TOKEN = 'sandbox-token-without-units';
/** Has three units: enough for one constancia and one more call. */
export const THREE_UNITS_TOKEN = 'sandbox-token-with-three-units';
/** May call /api twice a minute. */
export const THROTTLED_TOKEN = 'sandbox-token-throttled';
/** A second account without limits, to tell two clients apart. */
export const OTHER_TOKEN = 'sandbox-token-of-another-client';

const AMPLE_UNITS = 1_000_000_000;

export const builtInAccounts: readonly Account[] = [
  { token: SANDBOX_TOKEN, name: 'Everything', permissions: PERMISSIONS, units: AMPLE_UNITS },
  { token: OTHER_TOKEN, name: 'Everything too', permissions: PERMISSIONS, units: AMPLE_UNITS },
  { token: UNPERMITTED_TOKEN, name: 'No permission', permissions: [], units: AMPLE_UNITS },
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
