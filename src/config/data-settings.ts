import type { EnvReader } from './env-reader';

/** Location of the store. Rows in `memory` are lost when the process ends. */
export type StoreLocation =
  | { readonly kind: 'memory' }
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string };

/** Settings of the data that padron keeps after a request. */
export interface DataSettings {
  /** Location of the store, or null if padron keeps no data. */
  readonly store: StoreLocation | null;
  /** Data folder of this process. It holds the journal and, if the store is embedded, the store. */
  readonly folder: string;
  /** Secrets that the encryption keys are derived from, newest first. */
  readonly keys: readonly string[];
  /** With `required`, no call is sent unless it can be recorded first. */
  readonly ledger: 'on' | 'off' | 'required';
  /** Months that ledger entries are kept. */
  readonly ledgerMonths: number;
  /** Months that the link between an entry and the person it is about is kept. */
  readonly subjectMonths: number;
  /** Time zone in which days and months begin. */
  readonly timeZone: string;
  /** Webhook that receives budget alerts. */
  readonly alertUrl: string | null;
}

const minKeyLength = 32;
const defaultFolder = '.padron';

export function readDataSettings(read: EnvReader, registryUrl: string | null): DataSettings {
  const databaseUrl = read.databaseUrl('DATABASE_URL');
  const folder = read.text('DATA_DIR');
  const ledger = read.text('LEDGER') === null ? null : read.oneOf('LEDGER', ['on', 'off', 'required'] as const, 'on');
  const store = locateStore(databaseUrl, folder, registryUrl, ledger);
  return {
    store,
    folder: folder ?? defaultFolder,
    keys: read.secrets('DATA_KEYS', minKeyLength),
    ledger: ledger ?? (store === null ? 'off' : 'on'),
    ledgerMonths: read.integer('LEDGER_MONTHS', 60, 1, 1_200),
    subjectMonths: read.integer('SUBJECT_MONTHS', 24, 1, 1_200),
    timeZone: read.timeZone('TIME_ZONE', 'America/Mexico_City'),
    alertUrl: read.webhook('ALERT_URL'),
  };
}

/**
 * Returns the location of the store. With the embedded sandbox the default is a ledger in memory. With a real service padron keeps
 * no data unless a setting asks for it.
 */
function locateStore(
  databaseUrl: string | null,
  folder: string | null,
  registryUrl: string | null,
  ledger: DataSettings['ledger'] | null,
): StoreLocation | null {
  if (databaseUrl !== null) return { kind: 'postgres', url: databaseUrl };
  if (folder !== null) return { kind: 'folder', path: folder };
  if (registryUrl === null) return { kind: 'memory' };
  return ledger === 'on' || ledger === 'required' ? { kind: 'folder', path: defaultFolder } : null;
}

/** Returns the rules about the store's settings. Keys that are set but invalid have a separate error. */
export function checkDataSettings(
  { store }: DataSettings,
  hasKeys: boolean,
): readonly (readonly [broken: boolean, error: string])[] {
  return [
    [
      store?.kind === 'postgres' && !hasKeys,
      'DATABASE_URL needs DATA_KEYS. Set it to a secret of at least 32 characters that all processes share, and keep it outside the database.',
    ],
  ];
}
