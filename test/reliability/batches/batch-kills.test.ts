import { engineRig, ownServerRig } from '../../support/stores/engines';
import { type KillResult, runKilled } from './batch-kills';
import { makeDataset } from './dataset';

const rows = 1_000;
const kills = 5;
const dataset = makeDataset(rows);

/** Expects no question to be paid twice, and the charge to be between the known units and the possible ones. */
function expectAccounted(result: KillResult): void {
  expect(result.paidTwice).toEqual([]);
  expect(result.ended).toBe(rows);
  expect(result.spent).toBeLessThanOrEqual(result.service);
  expect(result.service).toBeLessThanOrEqual(result.spent + result.uncertain);
  expect(result.spent + result.uncertain).toBeLessThanOrEqual(dataset.askable.size);
}

describe('a batch whose process is killed five times', () => {
  const rig = engineRig('embedded');

  it('pays for no question twice, on the embedded store', async () => {
    const { environment } = await rig.settings();
    const result = await runKilled({ dataset, environment, workers: 1, kills });
    expect(result.kills).toBe(kills);
    expectAccounted(result);
  }, 300_000);
});

describe('a batch whose workers are killed five times, on PostgreSQL', () => {
  const rig = ownServerRig();
  const settings = async (): Promise<Readonly<Record<string, string>>> => (await rig.settings()).environment;

  it('pays for no question twice, with two workers', async () => {
    const result = await runKilled({ dataset, environment: await settings(), workers: 2, kills });
    expect(result.kills).toBe(kills);
    expectAccounted(result);
  }, 400_000);

  it('waits for a database that is killed three times, and pays for each question once', async () => {
    const disturb = async (): Promise<void> => {
      await rig.cluster.kill();
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      await rig.cluster.start();
    };
    const result = await runKilled({ dataset, environment: await settings(), workers: 2, kills: 3, disturb });
    expectAccounted(result);
    const undisturbed = await runKilled({ dataset, environment: await settings(), workers: 1, kills: 0 });
    expect({ ...result, kills: 0 }).toEqual(undisturbed);
    expect(result.uncertain).toBe(dataset.uncertain.size);
  }, 300_000);
});
