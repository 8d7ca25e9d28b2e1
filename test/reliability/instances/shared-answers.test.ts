import { setTimeout as sleep } from 'node:timers/promises';
import { OTHER_TOKEN } from '../../../src/sandbox/accounts/accounts';
import type { Instances } from './instances';
import { askLicence } from './licence-questions';
import { newDataKey, withSharing } from './shared-store';

const patience = 60_000;

/** Asks one instance, and returns the source of the answer and the units spent. */
async function source(sharing: Instances, instance: number, index: number, headers = {}): Promise<string> {
  const answer = await askLicence(sharing.urlOf(instance), index, { headers });
  return `${answer?.servedFrom} ${answer?.spent}`;
}

describe('what one instance was answered', () => {
  it(
    'is taken by the others, at no cost, within a budget of nothing',
    async () => {
      await withSharing({ count: 3 }, async (sharing) => {
        expect(await source(sharing, 0, 1)).toBe('LIVE 1');
        expect(await source(sharing, 1, 1)).toBe('REPLAY 0');
        expect(await source(sharing, 2, 1, { 'x-max-units': '0' })).toBe('REPLAY 0');
        expect(sharing.paid()).toBe(1);
      });
    },
    patience,
  );

  it(
    'serves for its window in all, whoever relays it',
    async () => {
      await withSharing({ count: 3, settings: { REPLAY_SECONDS: '4' } }, async (sharing) => {
        expect(await source(sharing, 0, 1)).toBe('LIVE 1');
        await sleep(2_500);
        expect(await source(sharing, 1, 1)).toBe('REPLAY 0');
        await sleep(2_000);
        // Taken from another instance 2 s ago, and asked of the service more than 4 s ago.
        expect(await source(sharing, 1, 1)).toBe('LIVE 1');
        expect(await source(sharing, 2, 1)).toBe('REPLAY 0');
        expect(sharing.paid()).toBe(2);
      });
    },
    patience,
  );

  it(
    'is nothing to another account, nor to the sandbox mode',
    async () => {
      await withSharing({ count: 2 }, async (sharing) => {
        await source(sharing, 0, 1);
        expect(await source(sharing, 1, 1, { authorization: `Bearer ${OTHER_TOKEN}` })).toBe('LIVE 1');
        expect(await source(sharing, 1, 1, { 'x-sandbox': 'true' })).toBe('SANDBOX 0');
        expect([sharing.paid(), sharing.paid(OTHER_TOKEN)]).toEqual([1, 1]);
      });
    },
    patience,
  );
});

describe('DATA_KEYS', () => {
  const [old, fresh] = [newDataKey(), newDataKey()];

  it.each([
    ['goes on sharing while the new one is added', old, `${fresh},${old}`, 'REPLAY 0'],
    ['goes on sharing while it is added, the other way too', `${fresh},${old}`, old, 'REPLAY 0'],
    ['goes on sharing while the old one is removed', `${fresh},${old}`, fresh, 'REPLAY 0'],
    ['goes on sharing while it is removed, the other way too', fresh, `${fresh},${old}`, 'REPLAY 0'],
    ['shares nothing with whoever has another one, and asks', old, fresh, 'LIVE 1'],
  ])(
    '%s',
    async (_what, first, second, expected) => {
      const settingsOf = (index: number) => ({ DATA_KEYS: index === 0 ? first : second });
      await withSharing({ count: 2, settingsOf }, async (sharing) => {
        expect(await source(sharing, 0, 1)).toBe('LIVE 1');
        expect(await source(sharing, 1, 1)).toBe(expected);
      });
    },
    patience,
  );
});
