import { setTimeout as sleep } from 'node:timers/promises';
import { CREDIT } from '../../support/requests/batches';
import { type Siege, type SiegedBatch, spenders } from './siege';
import { expectOwnership } from './siege-checks';

/** The intern's budget for a day, which never changes. */
export const internUnits = 150;

/** Returns a repeatable generator of numbers from 0 to 1 (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Action = (siege: Siege) => Promise<unknown>;

const pick = <Item>(siege: Siege, items: readonly Item[]): Item | undefined =>
  items[Math.floor(siege.random() * items.length)];
const pickBatch = (siege: Siege): SiegedBatch | undefined => pick(siege, siege.batches.slice(-6));

/** Makes a change by the batch's owner. The batch may reject it, or the process may be killed before it answers. */
const change =
  (call: (batch: SiegedBatch, units: number) => string): Action =>
  async (siege) => {
    const batch = pickBatch(siege);
    if (batch === undefined) return;
    const units = Math.ceil(siege.random() * 60);
    await siege
      .as(batch.owner)
      .change(call(batch, units))
      .catch(() => undefined);
  };

/** The actions and their weights. */
const actions: readonly (readonly [weight: number, action: Action])[] = [
  [2, (siege) => siege.create(pick(siege, spenders) ?? 'payroll', 5 + Math.floor(siege.random() * 25))],
  [6, change(({ id }, units) => `startRegistryBatch(id: "${id}", maxUnits: ${units})`)],
  [3, change(({ id }) => `pauseRegistryBatch(id: "${id}")`)],
  [6, change(({ id }, units) => `resumeRegistryBatch(id: "${id}", maxUnits: ${units})`)],
  [4, change(({ id }, units) => `retryRegistryBatch(id: "${id}", maxUnits: ${units})`)],
  [
    2,
    change((batch, units) => {
      batch.mayRepeat = true;
      return `retryRegistryBatch(id: "${batch.id}", rows: UNKNOWN, maxUnits: ${units})`;
    }),
  ],
  [0.5, change(({ id }) => `cancelRegistryBatch(id: "${id}")`)],
  [
    0.5,
    change((batch) => {
      batch.isErased = true;
      return `eraseRegistryBatch(id: "${batch.id}")`;
    }),
  ],
  [3, askAlone],
  [1, setBudget],
  [2, (siege) => expectOwnership(siege, pickBatch(siege))],
  [1, loseAnswers],
  [4, () => sleep(100)],
];

async function loseAnswers(siege: Siege): Promise<void> {
  siege.lossPercent = pick(siege, [0, 0, 5, 20]) ?? 0;
}

async function askAlone(siege: Siege): Promise<void> {
  const client = pick(siege, spenders) ?? 'payroll';
  const [nss = ''] = siege.unusedPeople(1);
  siege.asked[client].push(nss);
  await siege
    .as(client)
    .ask(CREDIT, { nss })
    .catch(() => undefined);
}

/** Changes the budget of payroll. */
async function setBudget(siege: Siege): Promise<void> {
  const units = 100 + Math.floor(siege.random() * 2_000);
  const input = { client: 'payroll', tag: null, period: 'DAY', units, alertsAt: [] };
  await sendBudget(siege, input).catch(() => undefined);
}

export function sendBudget(siege: Siege, input: object): Promise<unknown> {
  const mutation = 'mutation($input: RegistryBudgetInput!) { setRegistryBudget(input: $input) { id } }';
  return siege.as('auditor').ask(mutation, { input });
}

const totalWeight = actions.reduce((sum, [weight]) => sum + weight, 0);

export async function takeAction(siege: Siege): Promise<void> {
  const place = siege.random() * totalWeight;
  let sum = 0;
  for (const [weight, action] of actions) {
    sum += weight;
    if (place < sum) return void (await action(siege));
  }
}
