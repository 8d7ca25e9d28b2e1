import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '../../../src/sandbox/data/random';
import type { Instances } from './instances';
import { askLicence, askPersistently } from './licence-questions';
import { type Sharing, withSharing } from './shared-store';

/** Figures of many operations by many clients while instances were killed. */
export interface Survived {
  readonly operations: number;
  readonly kills: number;
  readonly paid: number;
  /** Different questions. */
  readonly needed: number;
  /** Calls whose answer the killed instances were waiting for: each may be paid again, once. */
  readonly lost: number;
  /** Units that clients were told of. */
  readonly spent: number;
  readonly uncertain: number;
}

const clients = 12;

/** Clients that ask few questions often, some of them in a hurry, of three instances that are killed in turn; by a seed. */
export function randomOperations(operations: number, kills: number, seed: string): Promise<Survived> {
  return withSharing({ count: 3 }, async (sharing) => {
    const random = seededRandom(seed);
    // So slow that each kill finds calls under way.
    sharing.setDelay(500);
    let asked = 0;
    let isKilling = true;
    const units = { spent: 0, uncertain: 0 };
    const client = async (): Promise<void> => {
      while (asked < operations || isKilling) {
        asked += 1;
        // New questions follow, however long the instances take to start again.
        const index = random.integer(1, Math.ceil(Math.max(asked, operations) / 2));
        const patienceMs = random.oneIn(4) ? random.integer(30, 330) : 20_000;
        const { spent, uncertain } = await askPersistently(sharing.url, index, { patienceMs });
        units.spent += spent;
        units.uncertain += uncertain;
        await sleep(random.integer(0, 20));
      }
    };
    const all = Promise.all(Array.from({ length: clients }, client));
    const lost = await killInTurn(sharing, kills, () => random.integer(300, 900));
    isKilling = false;
    await all;
    return { operations: asked, kills, paid: sharing.paid(), needed: distinct(sharing), lost, ...units };
  });
}

/** Kills one instance after the other and starts it again; counts the calls that they leave behind. */
async function killInTurn(instances: Instances, kills: number, pauseMs: () => number): Promise<number> {
  const before = instances.proxy.abandoned();
  for (let turn = 0; turn < kills; turn += 1) {
    await sleep(pauseMs());
    await instances.kill(turn % instances.count);
    await instances.start(turn % instances.count);
  }
  return instances.proxy.abandoned() - before;
}

export const distinct = ({ sandbox }: Pick<Sharing, 'sandbox'>): number =>
  new Set(sandbox.calls.map(({ input }) => JSON.stringify(input))).size;

/** One question whose every asker is killed while the service answers: how often the service is asked for it. */
export function deadlyQuestion(
  askers: number,
): Promise<{ readonly calls: number; readonly problems: readonly string[] }> {
  return withSharing({ count: 2 }, async (sharing) => {
    sharing.setDelay(60_000);
    for (let turn = 0; turn < askers; turn += 1) {
      const before = sharing.calls();
      let isOver = false;
      const asked = askLicence(sharing.urlOf(turn % 2), 0, { patienceMs: 15_000 }).finally(() => {
        isOver = true;
      });
      while (sharing.calls() === before && !isOver) await sleep(10);
      // Whoever refuses to ask once more is not killed for it.
      const refusal = isOver ? await asked : null;
      if (refusal !== null) return { calls: sharing.calls(), problems: refusal.problems };
      await sharing.kill(turn % 2);
      await sharing.start(turn % 2);
    }
    return { calls: sharing.calls(), problems: [] };
  });
}
