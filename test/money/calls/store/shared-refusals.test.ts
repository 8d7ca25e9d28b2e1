import { askCredit, sharingRig } from '../../../support/padrons/sharing-padrons';
import { ownServerRig } from '../../../support/stores/engines';

const own = ownServerRig();
const rig = sharingRig({ REGISTRY_TIMEOUT_MS: '2500', REUSE_DAYS: '30' }, own);
const refused = {
  outcome: 'NOT_RUN',
  problems: ['LEDGER_UNAVAILABLE'],
  servedFrom: 'NOT_SENT',
  spent: 0,
  uncertain: 0,
};

describe('the store is unavailable, and several requests ask the same question', () => {
  beforeAll(() => own.cluster.stop());
  afterAll(() => own.cluster.start());

  /** Returns the milliseconds until the last request is answered. */
  async function measure(headers: readonly Readonly<Record<string, string>>[]): Promise<number> {
    const nss = rig.nextPerson();
    const began = performance.now();
    const answers = await Promise.all(headers.map((each) => askCredit(rig.padrons.first, nss, each)));
    expect(answers).toEqual(headers.map(() => refused));
    return performance.now() - began;
  }

  it('refuses all of them when it refuses one', async () => {
    const alone = await measure([{}]);
    // One after another they would take six times as long.
    const ages = ['0s', '1h', '30d', '0s'].map((age) => ({ 'x-max-age': age }));
    for (const all of [Array.from({ length: 6 }, () => ({})), [{}, ...ages, {}]])
      expect(await measure(all)).toBeLessThan(3 * alone);
  });
});
