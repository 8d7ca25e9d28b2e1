import { setTimeout as sleep } from 'node:timers/promises';
import { people } from '../../../src/extensions/sandbox/data/people';
import { findOrThrow } from '../../support/find-or-throw';
import {
  answeredLive,
  answeredShared,
  askCredit,
  type SharingPadrons,
  startSharingPadrons,
} from '../../support/padrons/sharing-padrons';
import { engineRig } from '../../support/stores/engines';

const { nss } = findOrThrow(people, ({ credit }) => credit !== null && credit !== '');

describe('processes over one PostgreSQL', () => {
  const rig = engineRig('postgres');
  const [old, fresh] = ['0123456789abcdef'.repeat(3), 'fedcba9876543210'.repeat(3)];

  async function withPadrons(
    settings: Readonly<Record<string, string>>,
    ofSecond: Readonly<Record<string, string>>,
    use: (padrons: SharingPadrons) => Promise<void>,
  ): Promise<void> {
    const padrons = await startSharingPadrons(rig, settings, ofSecond);
    await use(padrons).finally(() => padrons.stop());
  }

  it.each([
    ['while a key is added', old, `${fresh},${old}`],
    ['while a key is added, the other way round', `${fresh},${old}`, old],
    ['while their keys are in different orders', `${old},${fresh}`, `${fresh},${old}`],
  ])('share answers %s', async (_when, first, second) => {
    await withPadrons({ DATA_KEYS: first }, { DATA_KEYS: second }, async (padrons) => {
      expect(await askCredit(padrons.first, nss)).toEqual(answeredLive);
      expect(await askCredit(padrons.second, nss)).toEqual(answeredShared);
      expect(padrons.calls()).toBe(1);
    });
  });

  it('replay an answer for its window, which does not start again in the process that takes the answer over', async () => {
    await withPadrons({ REPLAY_SECONDS: '2' }, {}, async (padrons) => {
      expect(await askCredit(padrons.first, nss)).toEqual(answeredLive);
      await sleep(1_200);
      expect(await askCredit(padrons.second, nss)).toEqual(answeredShared);
      await sleep(1_000);
      expect(await askCredit(padrons.second, nss)).toEqual(answeredLive);
      expect(await askCredit(padrons.first, nss)).toEqual(answeredShared);
      expect(padrons.calls()).toBe(2);
    });
  });
});
