import { Cluster, Redis } from 'ioredis';
import { type RedisAddress, toRedisOptions } from './redis-options';

export type Reply = Buffer | number | null | readonly Reply[];

/** Milliseconds after which a node that leaves commands unanswered is reconnected. */
const silenceMs = 5_000;

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

  get isReady(): boolean {
    return this.redis.status === 'ready';
  }

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

/**
 * Each script runs in one step, so that two instances never both own a question. A question is a hash. `s`: its state, which is F
 * (under way), A (answered), W (a failure for instances that waited) or X (not sent, because its senders died). `o`: the call that
 * owns it. `b`: the sealed bytes. `w`: the instances that wait. `l`: the deadline of the call. `p`: its price. `t`: the number of
 * senders that died.
 */

/** Time of the server in milliseconds. The clocks of the instances may differ. */
const now = "local t = redis.call('TIME') local now = t[1] * 1000 + math.floor(t[2] / 1000)";

/** Lua: returns a body, or its size if it exceeds the limit of a reply. */
const body = (maxBytes: string): string => `local function body()
  local size = redis.call('HSTRLEN', KEYS[1], 'b')
  if size > ${maxBytes} then return size end
  return redis.call('HGET', KEYS[1], 'b')
end`;

/**
 * KEYS question, pause, operation (if it has a budget) · ARGV call, price, milliseconds that it may take, instance, call that
 * the instance waited for, intent (`join`, `takeover`, `replace`), milliseconds that the entry is kept, maximum bytes of a
 * reply, budget
 */
const claim = `
${now}
local call, price, instance, awaited, intent = ARGV[1], tonumber(ARGV[2]), ARGV[4], ARGV[5], ARGV[6]
local f = redis.call('HMGET', KEYS[1], 's', 'o', 'w', 'l', 'p', 't')
local state, owner = f[1], f[2]
${body('tonumber(ARGV[8])')}
if state == 'A' and intent ~= 'replace' then return { 'A', redis.call('PTTL', KEYS[1]), body() } end
if state == 'W' and owner == awaited then return { 'W', 0, body() } end
if state == 'X' then return { 'X', redis.call('PTTL', KEYS[1]), 0 } end
if state == 'F' and owner == call then return { 'O', 0, redis.call('PTTL', KEYS[2]) } end
local lost, takeovers = 0, 0
if state == 'F' then
  local over = tonumber(f[4]) < now or (intent == 'takeover' and owner == awaited)
  if not over then
    local waiting = f[3] or ''
    if not string.find(waiting, instance, 1, true) then
      redis.call('HSET', KEYS[1], 'w', waiting .. instance .. ',')
    end
    -- The milliseconds since the call began, because every claimer allows the same time.
    return { 'F', owner, now + ARGV[3] - f[4] }
  end
  lost, takeovers = tonumber(f[5]), tonumber(f[6]) + 1
  if takeovers > 2 then
    redis.call('DEL', KEYS[1])
    redis.call('HSET', KEYS[1], 's', 'X')
    redis.call('PEXPIRE', KEYS[1], 60000)
    return { 'X', 60000, lost }
  end
end
if KEYS[3] then
  local committed = tonumber(redis.call('GET', KEYS[3]) or '0')
  if committed + price > tonumber(ARGV[9]) then
    -- The lost price is reported only now, and not by later claims.
    if lost > 0 then redis.call('HSET', KEYS[1], 'p', 0) end
    return { 'B', committed, lost }
  end
  redis.call('INCRBY', KEYS[3], price)
  redis.call('PEXPIRE', KEYS[3], 600000)
end
local waiting = state == 'F' and f[3] or ''
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 's', 'F', 'o', call, 'w', waiting or '', 'l', now + ARGV[3], 'p', price, 't', takeovers)
redis.call('PEXPIRE', KEYS[1], ARGV[7])
return { 'O', lost, redis.call('PTTL', KEYS[2]) }`;

/**
 * KEYS question, operation (if it had a budget) · ARGV call, result (A answer, W failure, D nothing), sealed bytes,
 * time of the server until which they are valid, unused units of the budget, prefix of the instances' channels
 */
const complete = `
local f = redis.call('HMGET', KEYS[1], 's', 'o', 'w')
local holds = f[1] == 'F' and f[2] == ARGV[1]
if holds and KEYS[2] and tonumber(ARGV[5]) > 0 and redis.call('EXISTS', KEYS[2]) == 1 then
  redis.call('DECRBY', KEYS[2], ARGV[5])
end
local waiting = f[1] == 'F' and f[3] or ''
if ARGV[2] == 'A' then
  if f[1] == 'A' then return 0 end
elseif not holds then
  return 0
end
redis.call('DEL', KEYS[1])
if ARGV[2] == 'A' or (ARGV[2] == 'W' and waiting ~= '') then
  redis.call('HSET', KEYS[1], 's', ARGV[2], 'o', ARGV[1], 'b', ARGV[3])
  -- A point in time instead of a duration: the command may have waited for a server that hung.
  redis.call('PEXPIREAT', KEYS[1], ARGV[4])
end
for instance in string.gmatch(waiting, '([^,]+),') do redis.call('PUBLISH', ARGV[6] .. instance, KEYS[1]) end
return 1`;

/** KEYS question · ARGV limit of a reply in bytes. Returns the stored answer, if any. */
const peek = `
${body('tonumber(ARGV[1])')}
if redis.call('HGET', KEYS[1], 's') ~= 'A' then return {} end
return { body() }`;

/** KEYS pause · ARGV time of the server until which no calls are made for the account. A pause is never shortened. */
const pause = `
${now}
local ms = ARGV[1] - now
if ms > redis.call('PTTL', KEYS[1]) and ms > 0 then redis.call('SET', KEYS[1], '1', 'PX', ms) end
return 1`;

/** KEYS operation · ARGV units to reserve (to release, if negative), budget. For calls that are not shared. */
const reserve = `
local committed = tonumber(redis.call('GET', KEYS[1]) or '0')
if committed + ARGV[1] > tonumber(ARGV[2]) then return 0 end
redis.call('INCRBY', KEYS[1], ARGV[1])
redis.call('PEXPIRE', KEYS[1], 600000)
return 1`;

/**
 * KEYS instances · ARGV instance, prefix of the channels. Returns the server's time, each instance with the time of its last heartbeat, and
 * 1 if this instance was unknown.
 */
const beat = `
${now}
local isNew = redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - 60000)
redis.call('PEXPIRE', KEYS[1], 10000)
local members = redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')
if isNew == 1 then
  for i = 1, #members, 2 do redis.call('PUBLISH', ARGV[2] .. members[i], '') end
end
return { now, members, isNew }`;

/** KEYS instances · ARGV instance, prefix of the channels: the instance stops. */
const leave = `
redis.call('ZREM', KEYS[1], ARGV[1])
for _, member in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do redis.call('PUBLISH', ARGV[2] .. member, '') end
return 1`;

const scripts = {
  padronClaim: { lua: claim },
  padronComplete: { lua: complete },
  padronPeek: { lua: peek },
  padronPause: { lua: pause },
  padronReserve: { lua: reserve },
  padronBeat: { lua: beat },
  padronLeave: { lua: leave },
} as const;

type ScriptName = keyof typeof scripts;
