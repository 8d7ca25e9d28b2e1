import { createHash, randomBytes } from 'node:crypto';
import { findOrThrow } from '../../support/find-or-throw';
import { makeTlsFiles } from '../../support/keys/tls-files';
import { blocksOf } from '../../support/pages';
import type { RedisServer } from '../../support/stores/redis';
import { startInstances } from '../instances/instances';
import { askLicence, askPersistently } from '../instances/licence-questions';
import { newReplayKey, type Sharing, withSharing } from '../instances/shared-store';
import { startRedisCluster } from './redis-cluster';

const patience = 60_000;
const password = randomBytes(24).toString('hex');
const configuration = findOrThrow(blocksOf('conf'), (block) => block.includes('aclfile '));
// The file as it is printed, with the hash that a reader writes into it.
const acl = findOrThrow(blocksOf('acl'), () => true).replace(
  'HASH',
  createHash('sha256').update(password).digest('hex'),
);

/** Asks everything of the store: answers, waits, budgets, large lists, an instance that dies and one that stops. */
async function askEverything(
  sharing: Pick<Sharing, 'setDelay' | 'urlOf' | 'url' | 'kill' | 'start' | 'terminate'>,
): Promise<void> {
  const { setDelay, urlOf, kill, start, terminate } = sharing;
  const headers = { 'x-max-units': '3', 'x-operation-id': 'operation' };
  for (const index of [1, 2]) await askLicence(urlOf(0), index, { headers });
  expect((await askLicence(urlOf(1), 1))?.servedFrom).toBe('REPLAY');
  setDelay(1_000);
  const both = await Promise.all([askLicence(urlOf(0), 3), askLicence(urlOf(1), 3)]);
  expect(both.map((answer) => answer?.servedFrom).sort()).toEqual(['LIVE', 'REPLAY']);
  const broken = askLicence(urlOf(0), 4);
  await new Promise((resolve) => setTimeout(resolve, 300));
  await kill(0);
  await broken;
  expect(await askPersistently(urlOf(1), 4)).toMatchObject({ servedFrom: 'LIVE', spent: 1, uncertain: 1 });
  await start(0);
  expect(await terminate(1)).toBe(0);
}

const denials = async ({ command }: RedisServer): Promise<string> => JSON.stringify(await command('ACL', 'LOG'));

describe('the recipe of docs/operations.md', () => {
  it(
    'runs as it stands there, and its access list names all that is needed',
    async () => {
      const tls = await makeTlsFiles();
      const redis = { tls, configuration, acl };
      const settingsOf = (port: number) => `rediss://padron:${password}@localhost:${port}`;
      const settings = { NODE_EXTRA_CA_CERTS: tls.authority };
      await withSharing({ count: 2, redis, settings, urlOf: ({ port }) => settingsOf(port) }, async (sharing) => {
        await askEverything(sharing);
        expect(await denials(sharing.redis)).toBe('[]');
        expect(await sharing.redis.command('CONFIG', 'GET', 'maxmemory-policy')).toContain('noeviction');
      });
    },
    patience,
  );

  it('names no command that nobody needs', async () => {
    const tls = await makeTlsFiles();
    const settings = { NODE_EXTRA_CA_CERTS: tls.authority };
    const rules = [...acl.matchAll(/ \+([\w|]+)/g)].map(([, name = '']) => name);
    expect(rules.length).toBeGreaterThan(15);
    for (const rule of rules) {
      const narrower = acl.replace(` +${rule} `, ' ').replace(new RegExp(` \\+${rule.replace('|', '\\|')}\\n`), '\n');
      const started = withSharing(
        {
          count: 1,
          redis: { tls, configuration, acl: narrower },
          settings,
          urlOf: ({ port }) => `rediss://padron:${password}@localhost:${port}`,
        },
        async () => `starts without ${rule}`,
      );
      await expect(started).rejects.toThrow('access list');
    }
  }, 120_000);

  it(
    'needs three commands more in a cluster',
    async () => {
      const cluster = await startRedisCluster();
      try {
        const rules = acl.trim().split('\n').at(-1)?.split(' ').slice(2) ?? [];
        for (const node of cluster.nodes)
          await node.command(
            'ACL',
            'SETUSER',
            'padron',
            ...rules,
            '+cluster|slots',
            '+cluster|info',
            '+client|setname',
          );
        const [first] = cluster.nodes;
        const REPLAY_URL = `redis://padron:${password}@127.0.0.1:${first?.port}?cluster=true`;
        const instances = await startInstances({ count: 2, settings: { REPLAY_URL, REPLAY_KEY: newReplayKey() } });
        try {
          await askEverything(instances);
          for (const node of cluster.nodes) expect(await denials(node)).toBe('[]');
        } finally {
          await instances.stop();
        }
      } finally {
        await cluster.stop();
      }
    },
    patience,
  );
});
