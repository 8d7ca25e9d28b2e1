import { Cluster, Redis } from 'ioredis';
import { type RedisAddress, toRedisOptions } from './redis-options';
import { type ScriptName, scripts } from './scripts';

/** Reply to a command. Strings arrive as buffers. */
export type Reply = Buffer | number | null | readonly Reply[];

/** Milliseconds after which a node that leaves commands unanswered is reconnected. */
const silenceMs = 5_000;

/** A connection to a server or to a cluster. */
export class RedisClient {
  private readonly redis: Redis | Cluster;

  constructor(address: RedisAddress) {
    const options = toRedisOptions(address);
    this.redis = address.cluster
      ? new Cluster([{ host: address.host, port: address.port }], {
          redisOptions: { ...options, socketTimeout: silenceMs },
          lazyConnect: true,
          enableOfflineQueue: false,
          clusterRetryStrategy: () => 500,
          maxRedirections: 3,
          retryDelayOnFailover: 100,
          scripts,
        })
      : new Redis({ ...options, scripts });
  }

  /** Whether commands can be sent. */
  get isReady(): boolean {
    return this.redis.status === 'ready';
  }

  /** Called at each connection. */
  onReady(listener: () => void): void {
    this.redis.on('ready', listener);
  }

  onClose(listener: () => void): void {
    this.redis.on('close', listener);
  }

  onError(listener: (error: Error) => void): void {
    this.redis.on('error', listener);
    // The client of a cluster reports the errors of the nodes as separate events.
    this.redis.on('node error', listener);
  }

  onMessage(listener: (message: string) => void): void {
    this.redis.on('message', (_channel: string, message: string) => listener(message));
  }

  connect(): Promise<void> {
    return this.redis.connect();
  }

  run(script: ScriptName, keys: readonly string[], ...values: readonly (string | number | Buffer)[]): Promise<Reply> {
    // ioredis adds a method for each script, which its types cannot know.
    const method = (this.redis as unknown as Record<string, (...values: unknown[]) => Promise<Reply>>)[
      `${script}Buffer`
    ];
    if (method === undefined) throw new Error(`No script ${script}.`);
    return method.call(this.redis, keys.length, ...keys, ...values);
  }

  call(command: string, ...values: readonly (string | number)[]): Promise<Reply> {
    return this.redis.callBuffer(command, ...values) as Promise<Reply>;
  }

  /** Throws if a node reports that the cluster is incomplete. After an outage, the nodes notice the recovery at different times. */
  async checkCluster(): Promise<void> {
    if (this.redis instanceof Redis) return;
    const states = await Promise.all(this.redis.nodes('master').map((node) => node.call('CLUSTER', 'INFO')));
    if (states.some((state) => !String(state).includes('cluster_state:ok')))
      throw new Error('The cluster is incomplete.');
  }

  async subscribe(channel: string): Promise<void> {
    await this.redis.subscribe(channel);
  }

  /** Closes the connection, which may be half open, and opens another. The client of a cluster reconnects nodes itself. */
  reconnect(): void {
    if (this.redis instanceof Redis) this.redis.disconnect(true);
  }

  close(): void {
    this.redis.disconnect();
  }
}
