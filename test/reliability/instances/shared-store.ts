import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RedisOptions, type RedisServer, startRedis } from '../../support/stores/redis';
import { type Instances, type InstancesOptions, startInstances } from './instances';

/** Processes of padron with a Redis of their own between them. */
export interface Sharing extends Instances {
  readonly redis: RedisServer;
}

/** A `REPLAY_KEY` that nobody else has: tests that share a server share nothing else. */
export const newReplayKey = (): string => randomBytes(24).toString('base64url');

/** By when instances have seen each other. */
export const settleMs = 2_500;

export interface SharingOptions extends InstancesOptions {
  readonly redis?: RedisOptions;
  /** REPLAY_URL, where it is not the plain address. */
  readonly urlOf?: (redis: RedisServer) => string;
}

export async function withSharing<Result>(
  options: SharingOptions,
  use: (sharing: Sharing) => Promise<Result>,
): Promise<Result> {
  const redis = await startRedis(options.redis);
  const { urlOf = ({ url }) => url } = options;
  const settings = { REPLAY_URL: urlOf(redis), REPLAY_KEY: newReplayKey(), REPLAY_SECONDS: '300', ...options.settings };
  try {
    const instances = await startInstances({ ...options, settings });
    try {
      return await use({ ...instances, redis });
    } finally {
      await instances.stop();
    }
  } finally {
    await redis.stop();
  }
}

/** Lets instances find each other before something is counted that they divide among them. */
export const settle = (): Promise<void> => sleep(settleMs);
