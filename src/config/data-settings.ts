import type { EnvReader } from './env-reader';

/** Where rows are kept: `memory` goes with the process. */
export type StoreLocation =
  | { readonly kind: 'memory' }
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string };

/** What is kept beyond a request. */
export interface DataSettings {
  /** Null: nothing is kept. */
  readonly store: StoreLocation | null;
  /** Of this process: what waits for the store, and the store itself where it is embedded. */
  readonly folder: string;
  /** The newest first. */
  readonly keys: readonly string[];
  /** `required`: no call that cannot be entered. */
  readonly ledger: 'on' | 'off' | 'required';
  /** How long entries are kept, and how long it is known whom they are about. */
  readonly ledgerMonths: number;
  readonly subjectMonths: number;
  /** Whose days and months are meant. */
  readonly timeZone: string;
  /** Where it is told that a budget runs out. */
  readonly alertUrl: string | null;
}

const minKeyLength = 32;
const defaultFolder = '.padron';

export function readDataSettings(read: EnvReader, registryUrl: string | null): DataSettings {
  const databaseUrl = read.databaseUrl('DATABASE_URL');
  const folder = read.text('DATA_DIR');
  const wanted = read.text('LEDGER') === null ? null : read.oneOf('LEDGER', ['on', 'off', 'required'] as const, 'on');
  const store = locate(databaseUrl, folder, registryUrl, wanted);
  return {
    store,
    folder: folder ?? defaultFolder,
    keys: read.secrets('DATA_KEYS', minKeyLength),
    ledger: wanted ?? (store === null ? 'off' : 'on'),
    ledgerMonths: read.integer('LEDGER_MONTHS', 60, 1, 1_200),
    subjectMonths: read.integer('SUBJECT_MONTHS', 24, 1, 1_200),
    timeZone: read.timeZone('TIME_ZONE', 'America/Mexico_City'),
    alertUrl: read.webhook('ALERT_URL'),
  };
}

/** Over the embedded sandbox a newcomer has a ledger that goes with the process; of real people nothing is kept unasked. */
function locate(
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

/** What is set, and cannot go together. Keys that will not do have their own error. */
export function conflictsOfData(
  { store }: DataSettings,
  hasKeys: boolean,
): readonly (readonly [broken: boolean, error: string])[] {
  return [
    [
      store?.kind === 'postgres' && !hasKeys,
      'DATABASE_URL needs DATA_KEYS: a secret of 32 characters or more that all processes share, kept outside the database.',
    ],
  ];
}
