import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresCluster } from '../../support/stores/postgres';
import { askLicence, type LicenceAnswer } from './licence-questions';
import { type Sharing, withSharing } from './shared-store';

/** A way in which the store can fail, and how it comes back. */
export interface StoreFailure {
  readonly name: string;
  readonly fail: (database: PostgresCluster) => Promise<unknown> | unknown;
  readonly mend: (database: PostgresCluster) => Promise<unknown> | unknown;
  /** Over before anybody must have noticed. */
  readonly fleeting?: true;
}

/** Result of a failure. It was survived if there are no complaints. */
export interface SurvivedFailure {
  readonly failure: string;
  readonly complaints: readonly string[];
  /** Milliseconds of answers while the store was away, of a service that answers at once: the ninth of ten, and the slowest. */
  readonly p90Ms: number;
  readonly slowestMs: number;
}

const nothing = (): void => undefined;

export const storeFailures: readonly StoreFailure[] = [
  { name: 'is stopped', fail: (database) => database.kill(), mend: (database) => database.start() },
  { name: 'hangs', fail: (database) => database.freeze(), mend: (database) => database.thaw() },
  {
    name: 'is restarted',

    fail: async (database) => {
      await database.kill();
      await database.start();
    },
    mend: nothing,
    fleeting: true,
  },
  {
    name: 'closes all connections',

    fail: (database) =>
      database.run(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'padron' AND pid <> pg_backend_pid()",
      ),
    mend: nothing,
    fleeting: true,
  },
];

/** Two instances while the store fails and comes back: every question is answered, in time, and then they share again. */
export function tryStoreFailure(failure: StoreFailure): Promise<SurvivedFailure> {
  return withSharing({ count: 2 }, (sharing) => goThrough(failure, sharing));
}

async function goThrough(failure: StoreFailure, sharing: Sharing): Promise<SurvivedFailure> {
  let next = 0;
  const ask = (instance: number, index: number) => askLicence(sharing.urlOf(instance), index);
  /** Asks something new of the first instance and then of the second: whether they share. */
  const share = async (): Promise<boolean> => {
    next += 1;
    await ask(0, next);
    return (await ask(1, next))?.servedFrom === 'REPLAY';
  };
  const waitToShare = async (): Promise<boolean> => {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      if (await share()) return true;
      await sleep(100);
    }
    return false;
  };
  const complaints: string[] = [];
  if (!(await waitToShare()))
    return { failure: failure.name, complaints: ['nothing is shared'], p90Ms: 0, slowestMs: 0 };

  sharing.setDelay(700);
  const underWay = Array.from({ length: 8 }, (_, index) => ask(index % 2, 10_000 + index));
  await sleep(300);
  await failure.fail(sharing.database);
  complaints.push(...(await Promise.all(underWay)).flatMap((answer) => wrongIn(answer, 'under way')));

  sharing.setDelay(0);
  const times: number[] = [];
  for (let index = 0; index < 30; index += 1) {
    const started = performance.now();
    complaints.push(...wrongIn(await ask(index % 2, 20_000 + index), 'meanwhile'));
    times.push(performance.now() - started);
    await sleep(50);
  }

  await failure.mend(sharing.database);
  if (!(await waitToShare())) complaints.push('does not share again');
  for (const instance of [0, 1]) complaints.push(...wrongInLog(sharing.outputOf(instance), failure));
  times.sort((left, right) => left - right);
  return {
    failure: failure.name,
    complaints,
    p90Ms: Math.round(times[Math.floor(times.length * 0.9)] ?? 0),
    slowestMs: Math.round(times.at(-1) ?? 0),
  };
}

const maxAttempts = 100;

function wrongIn(answer: LicenceAnswer | null, when: string): readonly string[] {
  if (answer === null) return [`no answer ${when}`];
  const { outcome, problems, uncertain } = answer;
  const isRight = outcome === 'NOT_FOUND' && problems.length === 0 && uncertain === 0;
  return isRight ? [] : [`${outcome} ${problems.join()} ${when}`];
}

/** One line a change, and none beside; that it is there at the start may be told. A connection that is back at once may go unnoticed. */
function wrongInLog(output: string, { fleeting }: StoreFailure): readonly string[] {
  const states = [...output.matchAll(/"msg":"the store of the ledger is (available|unavailable)/g)].map(
    ([, state]) => state,
  );
  const changes = states[0] === 'available' ? states.slice(1) : states;
  const isRight = changes.join() === 'unavailable,available' || (fleeting === true && changes.length === 0);
  return isRight ? [] : [`the log says ${changes.join() || 'nothing'}`];
}

/** A store that is restarted while one instance asks, which the other one then is asked too: calls for ten questions. */
export async function restartUnderWay(): Promise<number> {
  return withSharing({ count: 2 }, async ({ setDelay, urlOf, database, calls }) => {
    setDelay(4_000);
    const numbers = Array.from({ length: 10 }, (_, index) => index);
    const first = numbers.map((index) => askLicence(urlOf(0), index));
    await sleep(800);
    await database.kill();
    await database.start();
    await sleep(2_000);
    const second = numbers.map((index) => askLicence(urlOf(1), index));
    await Promise.all([...first, ...second]);
    return calls();
  });
}
