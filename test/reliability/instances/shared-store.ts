import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type PostgresCluster, startPostgres } from '../../support/stores/postgres';
import { type Instances, type InstancesOptions, startInstances } from './instances';

/** Processes of padron over one PostgreSQL. */
export interface Sharing extends Instances {
  readonly database: PostgresCluster;
}

/** A secret of DATA_KEYS. */
export const newDataKey = (): string => randomBytes(24).toString('base64url');

/** Milliseconds after which instances know each other. */
export const settleMs = 2_500;

export async function withSharing<Result>(
  options: InstancesOptions,
  use: (sharing: Sharing) => Promise<Result>,
): Promise<Result> {
  const database = await startPostgres();
  const url = await database.createDatabase();
  const settings = { DATABASE_URL: url, DATA_KEYS: newDataKey(), REPLAY_SECONDS: '300', ...options.settings };
  try {
    const instances = await startInstances({ ...options, settings });
    try {
      return await use({ ...instances, database });
    } finally {
      await instances.stop();
    }
  } finally {
    database.thaw();
    await database.remove();
  }
}

/** Lets instances find each other before something is counted that they divide among them. */
export const settle = (): Promise<void> => sleep(settleMs);
