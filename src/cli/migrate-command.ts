import { randomUUID } from 'node:crypto';
import { loadEnvFile, readConfig } from '../config/config';
import { processesSql } from '../money/migrations';
import type { Extension } from '../server/extension';
import { migrationsOf, partsOf, rejectFolder } from '../server/persistence';
import { migrate, versionOf } from '../store/migrate';
import { createEngine, placeOf } from '../store/open-store';
import { StoreUnavailableError, UnusableStoreError } from '../store/store';
import { type CommandEnvironment, exitCodes, parseOptions, type Report, UsageError } from '../terminal/command';
import { RequestFailedError } from '../terminal/graph-client';

export async function migrateStore(
  args: readonly string[],
  environment: CommandEnvironment,
  extensions: readonly Extension[],
): Promise<Report> {
  parseOptions(args, {});
  loadEnvFile();
  // A migration uses no key, so the secret of a job is the address only.
  const { DATABASE_URL, DATABASE_URL_FILE, DATA_DIR } = environment;
  const address = { DATABASE_URL, DATABASE_URL_FILE, DATA_DIR, DATA_KEYS: randomUUID() };
  const { store: settings } = readConfig(address, []).data;
  if (settings === null || settings.kind === 'memory')
    throw new UsageError('No store is named. Set DATABASE_URL or DATA_DIR as for the server.');
  const place = placeOf(settings);
  const migrations = migrationsOf(partsOf(extensions));
  const onWait = (count: number): void =>
    void process.stderr.write(`Waiting for the end of the processes of earlier versions: ${count}.\n`);
  const engine = await createEngine(settings);
  try {
    await engine.connect().catch(rejectFolder);
    const processes = settings.kind === 'postgres' ? { sql: processesSql, onWait } : null;
    const applied = await engine.withSession((session) => migrate(session, migrations, processes));
    const names = applied.map(({ name }) => name).join(', ') || 'nothing';
    const text = `Applied: ${names}.\n${place} is at version ${versionOf(migrations)}.\n`;
    return { text, isData: false, code: exitCodes.done };
  } catch (error) {
    if (!(error instanceof UnusableStoreError || error instanceof StoreUnavailableError)) throw error;
    throw new RequestFailedError(`${place} was not migrated. ${error.message}`);
  } finally {
    await engine.close();
  }
}
