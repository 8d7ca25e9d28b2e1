import { type Config, ConfigError } from '../config/config';
import type { RequestAnswerStore } from '../registry/answers/answer-store';
import { MemoryAnswerStore } from '../registry/answers/memory-answer-store';
import type { RegistryClient } from '../registry/client/client';
import type { Logger } from './telemetry/logger';
import type { ReplayMetrics } from './telemetry/replay-metrics';

export interface AnswerStoreParts {
  readonly config: Config;
  readonly registryUrl: string;
  readonly client: RegistryClient;
  readonly log: Logger;
  readonly metrics: ReplayMetrics;
  readonly now: () => Date;
}

/** Starts the answer store: in this process, or in the Redis that all instances share. */
export async function startAnswerStore(parts: AnswerStoreParts): Promise<RequestAnswerStore> {
  const { config, registryUrl, client, log, metrics, now } = parts;
  const memory = new MemoryAnswerStore({ seconds: config.replaySeconds, now });
  if (config.replayUrl === null) return memory;
  // Loaded only where it is wanted.
  const { startRedisAnswerStore } = await import('../registry/redis/start-redis.js');
  const state = metrics.register();
  try {
    const store = await startRedisAnswerStore({
      url: config.replayUrl,
      secrets: config.replayKeys,
      serviceUrl: registryUrl,
      memory,
      windowMs: config.replaySeconds * 1_000,
      callTimeoutMs: config.registryTimeoutMs,
      now,
      address: (endpoint) => client.address(endpoint),
      interpret: ({ endpoint, question, caller }, exchange) =>
        client.interpret<unknown, unknown>(endpoint, question, exchange, caller),
      onPause: (account, ms) => client.pauseAccount(account, ms),
      onClaim: state.recordClaim,
      onChange: (absence) => {
        state.setUp(absence === null);
        log.replayStore(absence);
      },
      onShare: (rank, count) => {
        state.setInstances(count);
        client.setConcurrency(shareOf(config.registryConcurrency, rank, count));
      },
    });
    client.onPause = (caller, ms) => store.sharePause(caller, ms);
    return store;
  } catch (error) {
    if (error instanceof Error && error.name === 'StoreRefusedError') throw new ConfigError([error.message]);
    throw error;
  }
}

/** Returns an instance's share of the concurrent calls. The shares add up to the limit, but each is at least one. */
function shareOf(limit: number, rank: number, count: number): number {
  return Math.max(1, Math.floor(limit / count) + (rank < limit % count ? 1 : 0));
}
