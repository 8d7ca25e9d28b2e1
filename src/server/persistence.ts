import { batchMigrations } from '../batch/storage/migrations';
import { AccountNames } from '../ledger/account-names';
import { ledgerMigrations } from '../ledger/sql/migrations';
import { SubjectIndex } from '../ledger/subject-index';
import { readDataKeys } from '../store/data-keys';
import type { KeyRing } from '../store/key-ring';
import { openStore } from '../store/open-store';
import { SealedLinks } from '../store/sealed-links';
import { type Store, UnusableStoreError } from '../store/store';
import type { CoreServices } from './services';

/** The store of the ledger and of batches, and everything that is derived from its keys. */
export interface Persistence {
  readonly store: Store;
  readonly keys: KeyRing;
  readonly accounts: AccountNames;
  readonly subjects: SubjectIndex;
  readonly links: SealedLinks;
}

/** Opens the store. Returns null if the settings ask for none. */
export async function openPersistence({ config, log, now }: CoreServices): Promise<Persistence | null> {
  const { store: location, keys: secrets } = config.data;
  if (location === null) return null;
  const store = await openStore(location, [...ledgerMigrations, ...batchMigrations]).catch(rejectFolder);
  try {
    const { ring: keys, areBesideData } = readDataKeys(location, secrets);
    if (areBesideData) log.dataKeysBesideData();
    // Every embedded sandbox is the same service, whatever its port.
    const accounts = new AccountNames(keys, config.registryUrl ?? 'embedded sandbox');
    return { store, keys, accounts, subjects: new SubjectIndex(keys), links: new SealedLinks(keys, now) };
  } catch (error) {
    await store.close();
    return rejectFolder(error);
  }
}

/** Throws an error of the file system as a `UnusableStoreError` that names `DATA_DIR`, and any other error unchanged. */
export function rejectFolder(error: unknown): never {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) throw error;
  throw new UnusableStoreError(`DATA_DIR cannot be written (${code}).`);
}
