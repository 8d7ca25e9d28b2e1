import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { waitUntil } from '../../support/proxies/deferred';
import { startPostgres } from '../../support/stores/postgres';
import { type Instances, startInstances } from './instances';

/** Figures of a scenario: units that the service charged, distinct questions, and what the responses reported. */
export interface Paid {
  readonly paid: number;
  readonly needed: number;
  readonly spent: number;
  readonly uncertain: number;
}

const distinct = ({ sandbox }: Pick<Instances, 'sandbox'>): number =>
  new Set(sandbox.calls.map(({ input }) => JSON.stringify(input))).size;

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

function figures({ paid }: Pick<Instances, 'paid'>, needed: number, answers: readonly Units[]): Paid {
  const sum = (of: (answer: Units) => number): number => answers.reduce((total, answer) => total + of(answer), 0);
  return { paid: paid(), needed, spent: sum(({ spent }) => spent), uncertain: sum(({ uncertain }) => uncertain) };
}

/** Thirty questions, each six times at the same moment, and once more when all is answered. */
function fanOut(count: number): Promise<Paid> {
  return withSharing(count, async (sharing) => {
    sharing.setDelay(150);
    // Beside each other, so that a balancer deals them out to all instances.
    const all = numbers(30 * 6).map((index) => Math.floor(index / 6));
    const answers = await Promise.all(all.map((index) => askPersistently(sharing.url, index)));
    for (const index of all) answers.push(await askPersistently(sharing.url, index));
    return figures(sharing, 30, answers);
  });
}

/** Clients that give up after 350 ms and ask again, of a service that takes much longer. */
function impatientClients(count: number): Promise<Paid> {
  return withSharing(count, async (sharing) => {
    sharing.setDelay(2_000);
    const asked = numbers(13).map((index) => askPersistently(sharing.url, index, 350));
    return figures(sharing, 13, await Promise.all(asked));
  });
}

/** The instance that asks is killed while the service answers; the clients ask the rest, and once more after that. */
function killedInCall(count: number): Promise<Paid> {
  return withSharing(count, async (sharing) => {
    sharing.setDelay(1_500);
    const broken = numbers(6).map((index) => askLicence(sharing.urlOf(0), index));
    await waitUntil(() => sharing.calls() === 6);
    await sharing.kill(0);
    sharing.setDelay(100);
    if (count === 1) await sharing.start(0);
    const answers = (await Promise.all(broken)).filter((answer) => answer !== null);
    for (let round = 0; round < 2; round += 1) {
      answers.push(...(await Promise.all(numbers(6).map((index) => askPersistently(sharing.url, index)))));
    }
    return figures(sharing, 6, answers);
  });
}

/** Instances are stopped and started in turn, so many times, while clients ask what was asked before and what is new. */
export function rollingRestart(count: number, restarts = 3 * count): Promise<Paid> {
  return withSharing(count, async (sharing) => {
    sharing.setDelay(100);
    const answers: Units[] = [];
    let asked = 0;
    let isOver = false;
    const client = async (): Promise<void> => {
      while (!isOver) {
        // Every third question is a new one, and the rest are among those asked last.
        if (answers.length % 3 === 0) asked += 1;
        answers.push(await askPersistently(sharing.url, Math.max(0, asked - (answers.length % 20))));
      }
    };
    const clients = Promise.all(numbers(8).map(client));
    for (let turn = 0; turn < restarts; turn += 1) {
      await sleep(500);
      await sharing.terminate(turn % count);
      await sharing.start(turn % count);
    }
    isOver = true;
    await clients;
    return figures(sharing, distinct(sharing), answers);
  });
}

/** Calls `use` with processes of padron over one PostgreSQL. */
async function withSharing<Result>(count: number, use: (sharing: Instances) => Promise<Result>): Promise<Result> {
  const database = await startPostgres();
  const DATABASE_URL = await database.createDatabase();
  const settings = { DATABASE_URL, DATA_KEYS: randomBytes(24).toString('base64url'), REPLAY_SECONDS: '300' };
  try {
    const instances = await startInstances({ count, settings });
    try {
      return await use(instances);
    } finally {
      await instances.stop();
    }
  } finally {
    await database.remove();
  }
}

/** The units of one answer. */
interface Units {
  readonly spent: number;
  readonly uncertain: number;
}

/** Asks one question of one unit. Returns null if the connection broke, the client gave up, or a balancer or a stopping server refused it. */
async function askLicence(url: string, index: number, patienceMs?: number): Promise<Units | null> {
  const query = `{ professionalLicence(number: "${1_000_000 + index}") { outcome } }`;
  try {
    const { statusCode, body } = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${SANDBOX_TOKEN}` },
      body: JSON.stringify({ query }),
      ...(patienceMs === undefined ? {} : { signal: AbortSignal.timeout(patienceMs) }),
    });
    const text = await body.text();
    return statusCode >= 500 ? null : JSON.parse(text).extensions.units;
  } catch {
    return null;
  }
}

/** Asks until padron answers. */
async function askPersistently(url: string, index: number, patienceMs?: number): Promise<Units> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const answer = await askLicence(url, index, patienceMs);
    if (answer !== null) return answer;
    await sleep(50);
  }
  throw new Error(`Question ${index} was not answered.`);
}

const asRatio = ({ paid, needed }: Paid): string => `${paid}/${needed}`;

const scenarios: readonly (readonly [what: string, run: (count: number) => Promise<Paid>])[] = [
  ['30 questions × 6 at once, then all of them again', fanOut],
  ['clients that give up at 350 ms and repeat, calls of 2 s', impatientClients],
  ['`kill -9` in mid-call, then repeats', killedInCall],
  ['rolling SIGTERM under load', (count) => rollingRestart(count)],
];

/** Units paid and needed with one, two and three instances. */
export async function severalRows(): Promise<readonly (readonly string[])[]> {
  const rows: string[][] = [];
  for (const [what, run] of scenarios) {
    const figures: string[] = [];
    for (const count of [1, 2, 3]) {
      const paid = await run(count);
      figures.push(paid.uncertain === 0 ? asRatio(paid) : `${asRatio(paid)}, \`uncertain\` ${paid.uncertain}`);
    }
    rows.push([what, ...figures]);
  }
  return rows;
}
