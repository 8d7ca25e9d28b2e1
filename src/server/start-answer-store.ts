import type { RequestAnswerStore } from '../registry/answers/answer-store';
import { MemoryAnswerStore } from '../registry/answers/memory-answer-store';
import type { CoreServices } from './services';

/** Starts the store of recent answers: in memory, or with `REPLAY_URL` in the Redis that all instances share. */
export async function startAnswerStore(
  { config, client, log, metrics, now }: CoreServices,
  serviceUrl: string,
): Promise<RequestAnswerStore> {
  const { replayUrl: url, replaySeconds: seconds } = config;
  const memory = new MemoryAnswerStore({ seconds, now });
  if (url === null) return memory;
  // Loaded on demand, because most processes share no answers.
  const { startRedisAnswerStore } = await import('../registry/redis/start-redis.js');
  const figures = metrics.replay.register();
  const store = await startRedisAnswerStore({
    url,
    secrets: config.replayKeys,
    serviceUrl,
    memory,
    windowMs: seconds * 1_000,
    callTimeoutMs: config.registryTimeoutMs,
    now,
    address: (endpoint) => client.address(endpoint),
    interpret: ({ endpoint, question, caller }, exchange) =>
      client.interpret<unknown, unknown>(endpoint, question, exchange, caller),
    onPause: (account, ms) => client.pauseAccount(account, ms),
    onClaim: figures.recordClaim,
    onChange: (reason) => {
      figures.setUp(reason === null);
      log.replayStore(reason);
    },
    onShare: (rank, count) => {
      figures.setInstances(count);
      client.setConcurrency(shareOf(config.registryConcurrency, rank, count));
    },
  });
  client.onPause = (caller, ms) => store.sharePause(caller, ms);
  return store;
}

/** Returns an instance's share of the concurrent calls. The shares add up to the limit, but each is at least one. */
function shareOf(limit: number, rank: number, count: number): number {
  return Math.max(1, Math.floor(limit / count) + (rank < limit % count ? 1 : 0));
}
