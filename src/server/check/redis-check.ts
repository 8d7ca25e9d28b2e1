import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../config/settings';
import type { RedisClient } from '../../registry/redis/connection/redis-client';
import { type CheckResult, failed, ok, skipped } from './check-result';

const name = 'Redis';
const timeoutMs = 5_000;

/** Connects to `REPLAY_URL`, and checks its settings and the rights of its user as the start of padron does. */
export async function checkRedis({ replayUrl, replayKeys, registryUrl }: Config): Promise<CheckResult> {
  if (replayUrl === null) return skipped(name, 'REPLAY_URL is not set: instances do not share answers.');
  // Loaded on demand, because most processes share no answers.
  const [{ RedisClient }, { parseRedisUrl }, { channelPrefix, RedisNaming }, { ReplayKey }, startCheck] =
    await Promise.all([
      import('../../registry/redis/connection/redis-client.js'),
      import('../../registry/redis/connection/redis-options.js'),
      import('../../registry/redis/redis-names.js'),
      import('../../registry/redis/replay-key.js'),
      import('../../registry/redis/start-check.js'),
    ]);
  const address = parseRedisUrl(replayUrl);
  const place = `${address.host}:${address.port}`;
  const client = new RedisClient(address);
  const instance = randomBytes(6).toString('hex');
  const naming = new RedisNaming(
    replayKeys.map((secret) => new ReplayKey(secret)),
    registryUrl ?? 'http://localhost',
  );
  const check = async (): Promise<void> => {
    await client.connect();
    await startCheck.checkPolicy(client);
    await startCheck.checkRights(client, naming.check(instance), channelPrefix);
    await client.subscribe(channelPrefix + instance);
  };
  const error = await firstError(client, check);
  client.close();
  if (error === null) return ok(name, `${place} answers, and its user has the rights that padron needs.`);
  const refusal = startCheck.explainRefusal(error);
  if (refusal !== null) return failed(name, `${place}: ${refusal}`);
  return failed(name, `${place} cannot be reached (${codeOf(error)}). Check REPLAY_URL, the network and the server.`);
}

/** Runs the check. Returns its error, or the error of the connection if that is more precise. Returns null if the check passes. */
async function firstError(client: RedisClient, check: () => Promise<void>): Promise<unknown> {
  let connectionError: Error | null = null;
  client.onError((error) => {
    connectionError ??= error;
  });
  const late = sleep(timeoutMs, new Error('no answer'), { ref: false });
  const error = await Promise.race([
    check().then(
      () => null,
      (reason: unknown) => reason ?? new Error('no answer'),
    ),
    late,
  ]);
  return error === null ? null : (connectionError ?? error);
}

const codeOf = (error: unknown): string => (error as { readonly code?: string } | null)?.code ?? 'no answer';
