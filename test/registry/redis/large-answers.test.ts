import {
  answeredLive,
  answeredShared,
  askCredit,
  sharingRig,
  storeStates,
} from '../../support/padrons/sharing-padrons';
import { waitUntil } from '../../support/proxies/deferred';

// A short deadline for calls, so that waiting requests soon notice that a call has ended.
const rig = sharingRig({ REGISTRY_TIMEOUT_MS: '4000' });
const { nextPerson } = rig;
beforeEach(() => answerInBytes(200_000));

/** White space does not change the content of an answer, but makes it large. */
const answerInBytes = (size: number): void =>
  rig.padrons.proxy.tamper(({ bytes }) => ({ bytes: Buffer.concat([bytes, Buffer.alloc(size, ' ')]) }));

/** The connections for large answers: on the others something is said each second, or listened to. */
async function bulkConnections(): Promise<readonly string[]> {
  const clients = String(await rig.redis.command('CLIENT', 'LIST', 'TYPE', 'normal'))
    .trim()
    .split('\n');
  return clients.flatMap((client) => {
    const idleSeconds = Number(/ idle=(\d+)/.exec(client)?.[1]);
    return idleSeconds < 3 ? [] : (/^id=(\d+)/.exec(client)?.[1] ?? []);
  });
}

async function killBulkConnections(): Promise<void> {
  await waitUntil(async () => (await bulkConnections()).length === 2);
  for (const id of await bulkConnections()) await rig.redis.command('CLIENT', 'KILL', 'ID', id);
}

/** Two connections of each padron, and the test's own. */
const areAllConnected = async (): Promise<boolean> =>
  String(await rig.redis.command('CLIENT', 'LIST', 'TYPE', 'normal'))
    .trim()
    .split('\n').length === 5;

const shareAnswer = async (): Promise<void> => {
  const nss = nextPerson();
  expect(await askCredit(rig.padrons.first, nss)).toEqual(answeredLive);
  expect(await askCredit(rig.padrons.second, nss)).toEqual(answeredShared);
};

describe('large answers', () => {
  it('are shared', async () => {
    await shareAnswer();
    expect(rig.padrons.calls()).toBe(1);
  });

  it('are shared again after only their connections broke, which does not mark the store as unavailable', async () => {
    const states = storeStates(rig.padrons.first).length;
    const nss = nextPerson();
    await killBulkConnections();
    // It cannot be left in the store now, and is as soon as it can.
    expect(await askCredit(rig.padrons.first, nss)).toEqual(answeredLive);
    await waitUntil(areAllConnected);
    expect(await askCredit(rig.padrons.second, nss)).toEqual(answeredShared);
    await shareAnswer();
    expect(rig.padrons.calls()).toBe(2);
    expect(storeStates(rig.padrons.first)).toHaveLength(states);
  });

  it('block no other instance if the store rejects them', async () => {
    answerInBytes(1_500_000);
    await rig.redis.command('CONFIG', 'SET', 'proto-max-bulk-len', '1mb');
    const nss = nextPerson();
    for (const padron of [rig.padrons.first, rig.padrons.second])
      expect(await askCredit(padron, nss)).toEqual(answeredLive);
    expect(rig.padrons.calls()).toBe(2);
    await rig.redis.command('CONFIG', 'SET', 'proto-max-bulk-len', '512mb');
    answerInBytes(200_000);
    await waitUntil(areAllConnected);
    await shareAnswer();
  });
});
