import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreRefusedError } from '../../store/store';
import type { MemoryAnswerStore } from '../answers/memory-answer-store';
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
  /** Keys in any order: everything is stored under each of them. */
  readonly secrets: readonly string[];
  /** The service whose answers are shared. */
  readonly serviceUrl: string;
  readonly memory: MemoryAnswerStore;
  readonly callTimeoutMs: number;
  /** Called at each change. Null: the store is available. */
  readonly onChange: (reason: UnavailableReason | null) => void;
  /** Called with the rank of this instance and the number of running instances. */
  readonly onShare: (rank: number, count: number) => void;
}

/** Milliseconds that the start waits for an unavailable store. */
const startTimeoutMs = 2_000;

/**
 * Starts the store that all instances share. Resolves if the store is unavailable now, and rejects if the store is available but
 * unusable.
 */
export async function startRedisAnswerStore(options: RedisReplayOptions): Promise<RedisAnswerStore> {
  const address = parseRedisUrl(options.url);
  const [client, bulk, subscriber] = [new RedisClient(address), new RedisClient(address), new RedisClient(address)];
  const keys = options.secrets.map((secret) => new ReplayKey(secret)).sort((a, b) => (a.id < b.id ? -1 : 1));
  const naming = new RedisNaming(keys, options.serviceUrl);
  const instance = randomBytes(6).toString('hex');
  const link = new RedisLink(
    { isReady: () => client.isReady && subscriber.isReady, reconnect: () => client.reconnect() },
    async (failedName) => {
      await checkPolicy(client);
      await client.checkCluster();
      // A full store refuses writes, and a cluster may lack a node.
      const isPart = address.cluster && failedName !== null;
      const name = isPart ? naming.checkInSlotOf(failedName, instance) : naming.check(instance);
      await client.call('SET', name, '1', 'PX', 1_000);
    },
    // Not awaited. Instances that it does not reach are reached by the next change.
    { onChange: (reason) => void changed(reason).catch(() => undefined) },
  );
  const instances = new Instances({
    instance,
    beat: () => askAll(naming.instances(), (name) => client.run('padronBeat', [name], instance, channelPrefix)),
    countListeners: async (instanceName) => {
      if (address.cluster) return null;
      const channel = channelPrefix + instanceName;
      const outcome = await link.ask(channel, () => client.call('PUBSUB', 'NUMSUB', channel));
      return outcome === null ? null : Number((outcome.reply as readonly Reply[])[1]);
    },
    onShare: options.onShare,
    onForgotten: () => void shared.catchUp().catch(() => undefined),
  });

  /** With several keys there are several lists. An instance is alive if any list has it. */
  async function askAll(names: readonly string[], send: (name: string) => Promise<Reply>): Promise<Reply | null> {
    let time = 0;
    let isNew = 0;
    const members: Reply[] = [];
    for (const name of names) {
      const outcome = await link.ask(name, () => send(name));
      if (outcome === null) return null;
      const [now, listed, isNewHere] = outcome.reply as readonly [number, readonly Reply[], number];
      time = now;
      isNew = Math.max(isNew, isNewHere);
      members.push(...listed);
    }
    return [time, members, isNew];
  }

  const stop = async (): Promise<void> => {
    instances.stop();
    if (link.isUp) {
      for (const name of naming.instances())
        await link.ask(name, () => client.run('padronLeave', [name], instance, channelPrefix));
    }
    link.stop();
    for (const each of [client, bulk, subscriber]) each.close();
  };
  const { callTimeoutMs, windowMs } = options;
  const shared = new SharedStore({
    instance,
    client,
    bulk: new BulkConnection(bulk),
    link,
    instances,
    callTimeoutMs,
    windowMs,
    stop,
  });

  async function changed(reason: UnavailableReason | null): Promise<void> {
    options.onChange(reason);
    if (reason !== null) return;
    await instances.restart();
    await shared.catchUp();
  }

  client.onClose(() => link.disconnected());
  for (const each of [client, bulk, subscriber]) each.onReady(() => link.connected());
  // Subscribes after each reconnection, because ioredis does not.
  const listen = (): Promise<void> => subscriber.subscribe(channelPrefix + instance);
  subscriber.onReady(() => void listen().catch(() => undefined));
  // An empty message: an instance has started or ended.
  subscriber.onMessage((name) => (name === '' ? void instances.refresh() : shared.wake(name)));
  const refusal = await connect([client, bulk, subscriber], async () => {
    await listen();
    await checkPolicy(client);
    await checkRights(client, naming.check(instance), channelPrefix);
  });
  if (refusal !== null) {
    await stop();
    throw new StoreRefusedError(`REPLAY_URL: the store at ${address.host}:${address.port} is not usable: ${refusal}`);
  }
  await link.start();
  instances.start();
  await instances.refresh();
  return new RedisAnswerStore(options.memory, naming, shared, { ...options, waitMs: callTimeoutMs });
}

/** Connects and checks. Returns why the store is unusable. Null if it is usable, or unavailable. */
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
