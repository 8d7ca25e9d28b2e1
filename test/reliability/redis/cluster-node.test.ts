import { setTimeout as sleep } from 'node:timers/promises';
import { people } from '../../../src/sandbox/data/people';
import { type RunningPadron, runPadron } from '../../support/padrons/padron';
import { LONG_SECRET } from '../../support/padrons/settings';
import { askCredit, storeStates } from '../../support/padrons/sharing-padrons';
import { waitUntil } from '../../support/proxies/deferred';
import { type RedisCluster, startRedisCluster } from './redis-cluster';

const indebted = people.filter(({ credit }) => credit !== null && credit !== '').map(({ nss }) => nss);

/** Where nodes are left of which some slots have gone, and where then nobody answers any more. */
describe.each([['no'], ['yes']])('a cluster that wants all slots to be covered: %s', (coverage) => {
  let cluster: RedisCluster;
  let padron: RunningPadron;
  beforeAll(async () => {
    cluster = await startRedisCluster(['--cluster-require-full-coverage', coverage]);
    const environment = {
      REPLAY_SECONDS: '60',
      REPLAY_URL: `${cluster.nodes[0]?.url}?cluster=true`,
      REPLAY_KEY: LONG_SECRET,
    };
    padron = await runPadron({ environment });
  });
  afterAll(async () => {
    await padron.stop();
    await cluster.stop();
  });

  let asked = 0;
  /** Asks for so long, in the name of accounts that stand on all nodes; most of them the service does not know. */
  const askAll = async (ms: number): Promise<void> => {
    const end = performance.now() + ms;
    while (performance.now() < end) {
      for (let account = 0; account < 12; account += 1)
        await askCredit(padron, indebted[0] ?? '', { authorization: `Bearer account-${account}` });
      asked += 1;
      expect((await askCredit(padron, indebted[asked % indebted.length] ?? '')).outcome).toBe('FOUND');
      await sleep(50);
    }
  };

  it('goes and comes back in one line each when a node does', async () => {
    const states = storeStates(padron).length;
    await askAll(500);
    await cluster.nodes[2]?.kill();
    await askAll(4_000);
    expect(storeStates(padron).slice(states)).toEqual(['unavailable']);
    await cluster.nodes[2]?.start();
    await waitUntil(() => storeStates(padron).at(-1) === 'available');
    await askAll(1_500);
    expect(storeStates(padron).slice(states)).toEqual(['unavailable', 'available']);
  });
});
