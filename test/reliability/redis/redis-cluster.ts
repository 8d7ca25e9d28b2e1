import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { freePort } from '../../support/processes/free-port';
import { waitUntil } from '../../support/proxies/deferred';
import { isInstalled, type RedisServer, startRedis } from '../../support/stores/redis';

/** A cluster of three servers, without copies. */
export interface RedisCluster {
  readonly nodes: readonly RedisServer[];
  stop(): Promise<void>;
}

/** Needs `redis-cli`, which stands in Debian's package redis-tools. `more`: further options of the servers. */
export async function startRedisCluster(more: readonly string[] = []): Promise<RedisCluster> {
  if (!isInstalled('redis-cli')) throw new Error('redis-cli is not installed: apt-get install redis-tools');
  const nodes: RedisServer[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.stop()));
  };
  try {
    for (let count = 0; count < 3; count += 1) {
      const busPort = String(await freePort());
      const options = ['--cluster-enabled', 'yes', '--cluster-port', busPort, '--cluster-node-timeout', '2000'];
      nodes.push(await startRedis({ options: [...options, ...more] }));
    }
    const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`);
    await promisify(execFile)('redis-cli', ['--cluster', 'create', ...addresses, '--cluster-yes']);
    const isUp = async ({ command }: RedisServer) =>
      String(await command('CLUSTER', 'INFO')).includes('cluster_state:ok');
    await waitUntil(async () => (await Promise.all(nodes.map(isUp))).every(Boolean));
    return { nodes, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
