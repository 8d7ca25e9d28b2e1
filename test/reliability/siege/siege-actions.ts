import { setTimeout as sleep } from 'node:timers/promises';
import { type Asker, askers, type Siege, type SiegedBatch, spenders } from './siege';
import { expectOwnership, SiegeFault } from './siege-checks';

/** The intern's budget for a day, which never changes. */
export const internUnits = 150;

type Action = (siege: Siege) => Promise<unknown>;

const pickBatch = ({ random, batches }: Siege): SiegedBatch => random.pick(batches.slice(-6));

/** Makes a change by the batch's owner. The batch may reject it, or the process may be killed before it answers. */
const change =
  (call: (batch: SiegedBatch, units: number) => string): Action =>
  async (siege) => {
    const batch = pickBatch(siege);
    const units = siege.random.integer(1, 60);
    await siege
      .as(batch.owner)
      .change(call(batch, units))
      .catch(() => undefined);
  };

/** The actions and their weights. */
const actions: readonly (readonly [weight: number, action: Action])[] = [
  [2, (siege) => siege.create(siege.random.pick(spenders), siege.random.integer(5, 29))],
  [6, change(({ id }, units) => `startRegistryBatch(id: "${id}", maxUnits: ${units}, earlierAnswers: PAY_AGAIN)`)],
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
  [3, askTogether],
  [1, setBudget],
  [2, (siege) => expectOwnership(siege, pickBatch(siege))],
  [1, loseAnswers],
  [4, () => sleep(100)],
];

async function loseAnswers(siege: Siege): Promise<void> {
  siege.lossPercent = siege.random.pick([0, 0, 5, 20]);
}

/** Asks something new or asks again, sometimes in a hurry. */
async function askAlone(siege: Siege): Promise<void> {
  const { random, recentQuestions } = siege;
  const [client, nss] =
    random.oneIn(2) && recentQuestions.length > 0 ? random.pick(recentQuestions) : newQuestion(siege);
  const early = random.oneIn(4) ? { 'x-answer-within': '300ms' } : {};
  const headers = random.oneIn(2) ? { ...early, ...lastingOf(client) } : early;
  const { crashes } = siege;
  await siege.askOne(client, nss, headers).catch(() => undefined);
  // The question may have been answered before the crash, and is a new call after it.
  if (siege.crashes > crashes) siege.forgotten += 1;
}

/** The headers with which all such questions of a client are of one operation that lasts. */
const lastingOf = (client: Asker) => ({
  'x-operation-id': `operation of the siege ${client}`.replaceAll(' ', '-'),
  'x-operation-keep': '1d',
});

function newQuestion(siege: Siege): readonly [client: Asker, nss: string] {
  const client = siege.random.pick(askers);
  const [nss = ''] = siege.unusedPeople(1);
  siege.asked[client].push(nss);
  siege.recentQuestions.push([client, nss]);
  return [client, nss];
}

/** Asks all processes at once. If no response reports an uncertain price, the service has charged once, and one response has paid. */
export async function askTogether(siege: Siege): Promise<void> {
  const [nss = ''] = siege.unusedPeople(1);
  const client = siege.random.pick(['payroll', 'kiosk'] as const);
  siege.asked[client].push(nss);
  const { crashes } = siege;
  const answers = (await siege.askAll(client, nss)) ?? [];
  if (siege.crashes > crashes) {
    // Each of the other two may have been charged again, also if one of the processes did not answer.
    siege.forgotten += 2;
    return;
  }
  const areCertain = answers.every(
    ({ data, units }) => data?.person.credit.outcome !== 'UNAVAILABLE' && units?.uncertain === 0,
  );
  const isAnswered = answers.some(({ units }) => (units?.spent ?? 0) > 0);
  if (!areCertain || !isAnswered) return;
  siege.askedTogether += 1;
  const paid = answers.reduce((sum, { units }) => sum + (units?.spent ?? 0), 0);
  const charged = siege.charges([nss]).get(nss.replace(/^0+/, '')) ?? 0;
  if (paid !== 1 || charged !== 1)
    throw new SiegeFault(
      `a question of all processes was charged ${charged} times, and ${paid} paid, at ${siege.recent}`,
    );
}

/** Changes the budget of payroll. */
async function setBudget(siege: Siege): Promise<void> {
  const units = siege.random.integer(100, 2_099);
  const input = { client: 'payroll', tag: null, period: 'DAY', units, alertsAt: [] };
  await sendBudget(siege, input).catch(() => undefined);
}

export function sendBudget(siege: Siege, input: object): Promise<unknown> {
  const mutation = 'mutation($input: RegistryBudgetInput!) { setRegistryBudget(input: $input) { id } }';
  return siege.as('auditor').ask(mutation, { input });
}

const totalWeight = actions.reduce((sum, [weight]) => sum + weight, 0);

export async function takeAction(siege: Siege): Promise<void> {
  const place = siege.random.integer(0, totalWeight * 1_000 - 1) / 1_000;
  let sum = 0;
  for (const [weight, action] of actions) {
    sum += weight;
    if (place < sum) return void (await action(siege));
  }
}
