import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MemoryAnswerStore } from '../../calls/answers/memory-answer-store';
import { UnusableStoreError } from '../../store/store';
import { BulkConnection } from './connection/bulk-connection';
import { RedisClient, type Reply } from './connection/redis-client';
import { RedisLink, type UnavailableReason } from './connection/redis-link';
import { parseRedisUrl } from './connection/redis-options';
import { Instances } from './instances';
import { RedisAnswerStore, type RedisAnswerStoreOptions } from './redis-answer-store';
import { channelPrefix, RedisNaming } from './redis-names';
import { ReplayKey } from './replay-key';
import { SharedStore } from './shared-store';
import { checkPolicy, checkRights, explainRefusal } from './start-check';

export interface RedisReplayOptions extends Omit<RedisAnswerStoreOptions, 'waitMs'> {
  readonly url: string;
  /** Their order does not matter, because every entry is stored under each key. */
  readonly secrets: readonly string[];
  readonly serviceUrl: string;
  readonly memory: MemoryAnswerStore;
  readonly callTimeoutMs: number;
  readonly onChange: (reason: UnavailableReason | null) => void;
  readonly onShare: (rank: number, count: number) => void;
}

const startTimeoutMs = 2_000;

/**
 * Starts the store that all instances share. Resolves if the store is unavailable now, and rejects if the store is available but
 * unusable.
 */
export async function startRedisAnswerStore(options: RedisReplayOptions): Promise<RedisAnswerStore> {
  const { url, secrets, serviceUrl, memory, callTimeoutMs, windowMs } = options;
  const address = parseRedisUrl(url);
  const keys = secrets.map((secret) => new ReplayKey(secret)).sort((a, b) => (a.id < b.id ? -1 : 1));
  const naming = new RedisNaming(keys, serviceUrl);
  const instance = randomBytes(6).toString('hex');
  const connections = [new RedisClient(address), new RedisClient(address), new RedisClient(address)] as const;
  const [client, bulkClient, subscriber] = connections;
  const bulk = new BulkConnection(bulkClient);
  const link = new RedisLink(
    { isReady: () => client.isReady && subscriber.isReady, reconnect: () => client.reconnect() },
    (failedName) => {
      // In a cluster, only the node that holds the failed name may be unavailable.
      const isOneNode = address.cluster && failedName !== null;
      return probe(client, isOneNode ? naming.checkInSlotOf(failedName, instance) : naming.check(instance));
    },
    // Not awaited. After a failure, the next change tries again.
    { onChange: (reason) => void handleChange(reason).catch(() => undefined) },
  );
  const instances = new Instances({
    instance,
    beat: () => beat(link, client, naming.instances(), instance),
    countListeners: async (name) => (address.cluster ? null : countListeners(link, client, channelPrefix + name)),
    onShare: options.onShare,
    onDataLost: () => void shared.catchUp().catch(() => undefined),
  });
  const stop = async (): Promise<void> => {
    instances.stop();
    if (link.isUp) {
      for (const name of naming.instances())
        await link.ask(name, () => client.run('padronLeave', [name], instance, channelPrefix));
    }
    link.stop();
    for (const connection of connections) connection.close();
  };
  const shared = new SharedStore({ instance, client, bulk, link, instances, callTimeoutMs, windowMs, stop });

  async function handleChange(reason: UnavailableReason | null): Promise<void> {
    options.onChange(reason);
    if (reason !== null) return;
    await instances.restart();
    await shared.catchUp();
  }

  client.onClose(() => link.handleDisconnect());
  for (const connection of connections) connection.onReady(() => link.handleConnect());
  // Subscribes after each reconnection, because ioredis does not.
  const listen = (): Promise<void> => subscriber.subscribe(channelPrefix + instance);
  subscriber.onReady(() => void listen().catch(() => undefined));
  // An empty message means that an instance has started or stopped.
  subscriber.onMessage((name) => (name === '' ? void instances.refresh() : shared.wake(name)));
  const refusal = await connect(connections, async () => {
    await listen();
    await checkPolicy(client);
    await checkRights(client, naming.check(instance), channelPrefix);
  });
  if (refusal !== null) {
    await stop();
    throw new UnusableStoreError(`REPLAY_URL: the store at ${address.host}:${address.port} is not usable: ${refusal}`);
  }
  await link.start();
  instances.start();
  await instances.refresh();
  return new RedisAnswerStore(memory, naming, shared, { ...options, waitMs: callTimeoutMs });
}

/** Checks the settings of the store, and that it accepts writes: it may be full, and a cluster may lack a node. */
async function probe(client: RedisClient, name: string): Promise<void> {
  await checkPolicy(client);
  await client.checkCluster();
  await client.call('SET', name, '1', 'PX', 1_000);
}

/**
 * Sends a heartbeat to the list of instances under each key, and returns the merged lists: an instance is alive if any list has it.
 * Returns null if the store is unavailable.
 */
async function beat(
  link: RedisLink,
  client: RedisClient,
  lists: readonly string[],
  instance: string,
): Promise<Reply | null> {
  let time = 0;
  let isNew = 0;
  const members: Reply[] = [];
  for (const list of lists) {
    const outcome = await link.ask(list, () => client.run('padronBeat', [list], instance, channelPrefix));
    if (outcome === null) return null;
    const [now, listed, isNewHere] = outcome.reply as readonly [number, readonly Reply[], number];
    time = now;
    isNew = Math.max(isNew, isNewHere);
    members.push(...listed);
  }
  return [time, members, isNew];
}

async function countListeners(link: RedisLink, client: RedisClient, channel: string): Promise<number | null> {
  const outcome = await link.ask(channel, () => client.call('PUBSUB', 'NUMSUB', channel));
  return outcome === null ? null : Number((outcome.reply as readonly Reply[])[1]);
}

/** Connects and runs the check. Returns why the store is unusable. Null if it is usable, or only unavailable for now. */
async function connect(clients: readonly RedisClient[], check: () => Promise<void>): Promise<string | null> {
  const refused = new Promise<string>((resolve) => {
    for (const client of clients) {
      client.onError((error) => {
        const reason = explainRefusal(error);
        if (reason !== null) resolve(reason);
      });
    }
  });
  const attempt = Promise.all(clients.map((client) => client.connect()))
    .then(check)
    .then(
      () => null,
      (error: unknown) => explainRefusal(error),
    );
  return Promise.race([refused, attempt, sleep(startTimeoutMs, null, { ref: false })]);
}
