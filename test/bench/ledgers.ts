import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../support/postgres';
import { padron, type System } from './systems';

/** padron with a ledger on each engine, and the end of what they need. */
export interface Ledgers {
  readonly systems: readonly System[];
  end(): Promise<void>;
}

/** Entries wait a second for company: the CPU that brings them to the store belongs to the round that made them. */
const restMs = 1_500;

export async function startLedgers(build: string): Promise<Ledgers> {
  const cluster = await startPostgres();
  const folder = mkdtempSync(join(tmpdir(), 'padron-bench-'));
  const DATA_KEYS = '0123456789abcdef'.repeat(3);
  const DATABASE_URL = await cluster.createDatabase();
  return {
    systems: [
      padron(
        'padron, ledger on PostgreSQL',
        build,
        { DATABASE_URL, DATA_KEYS, DATA_DIR: join(folder, 'postgres') },
        restMs,
      ),
      padron('padron, ledger embedded', build, { DATA_KEYS, DATA_DIR: join(folder, 'embedded') }, restMs),
    ],
    end: async () => {
      await cluster.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
