import { setTimeout as sleep } from 'node:timers/promises';
import { makeTlsFiles } from '../../support/keys/tls-files';
import { type RedisServer, startRedis } from '../../support/stores/redis';
import { startRedisCluster } from './redis-cluster';

let redis: RedisServer | undefined;
afterEach(async () => {
  await redis?.stop();
  redis = undefined;
});

describe('the Redis of the tests', () => {
  it('shows what it was sent and what it holds, by a password and over TLS', async () => {
    redis = await startRedis({ tls: await makeTlsFiles(), password: 'secret word' });
    const captured = await redis.capture();
    await redis.command('SET', 'a-key', 'a-value', 'PX', '60000');
    await redis.command('EVAL', "return redis.call('GET', KEYS[1])", '1', 'a-key');
    await redis.command('CLIENT', 'LIST');
    expect(await captured.stop()).toContain('"a-value"');
    expect(await redis.commands()).toEqual(expect.arrayContaining(['client|list', 'eval', 'get', 'set']));
    expect(await redis.keys()).toEqual(['a-key']);
    expect(await redis.dump()).toContain('a-value');
  });

  it('has a user of the test beside those of its ACL file', async () => {
    redis = await startRedis({ acl: 'user default off\n' });
    expect(await redis.command('PING')).toBe('PONG');
    const captured = await redis.capture();
    await redis.command('GET', 'a-key');
    expect(await captured.stop()).toContain('"a-key"');
  });

  it('hangs, goes on, is killed, and comes back empty on its port', async () => {
    redis = await startRedis();
    await redis.command('SET', 'a-key', 'a-value');
    redis.hang();
    const answer = redis.command('GET', 'a-key');
    expect(await Promise.race([answer, sleep(200, 'no answer')])).toBe('no answer');
    redis.resume();
    expect(await answer).toBe('a-value');
    await redis.kill();
    await expect(redis.command('GET', 'a-key')).rejects.toThrow();
    await redis.start();
    expect(await redis.keys()).toEqual([]);
  });

  it('says what is missing where it is not installed', async () => {
    await expect(startRedis({ program: 'no-such-server' })).rejects.toThrow('no-such-server is not installed');
  });

  it('forms a cluster of three', async () => {
    const cluster = await startRedisCluster();
    try {
      const [node] = cluster.nodes;
      expect(String(await node?.command('CLUSTER', 'INFO'))).toContain('cluster_size:3');
    } finally {
      await cluster.stop();
    }
  }, 30_000);
});
