import { Pool } from 'undici';
import { checksum } from './answers';

/** The load generator, in a separate process. It sends a fixed number of requests concurrently and compares each answer with the expected one. */
export interface Job {
  readonly url: string;
  readonly bodies: readonly string[];
  /** Checksum of each body's answer; null while it is being learnt. */
  readonly expected: readonly string[] | null;
  readonly count: number;
  readonly concurrency: number;
  /** First index in `bodies`, so that rounds do not repeat each other. */
  readonly offset: number;
  /** Open all connections before the first request. */
  readonly connectFirst?: boolean;
}

export interface JobResult {
  readonly p50: number;
  readonly wrong: number;
  readonly firstWrong: string | null;
  /** Checksums of the answers in order, where nothing was expected. */
  readonly learnt: readonly string[];
}

const headers = { 'content-type': 'application/json', authorization: 'Bearer bench' };

async function run(job: Job): Promise<JobResult> {
  const { origin, pathname } = new URL(job.url);
  const pool = new Pool(origin, { connections: job.concurrency, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
  const times = new Float64Array(job.count);
  const learnt: string[] = [];
  let next = 0;
  let wrong = 0;
  let firstWrong: string | null = null;
  const sendInTurn = async (): Promise<void> => {
    while (next < job.count) {
      const index = next;
      next += 1;
      const bodyIndex = (job.offset + index) % job.bodies.length;
      const started = performance.now();
      const text = await post(pool, pathname, job.bodies[bodyIndex] ?? '');
      times[index] = performance.now() - started;
      const sum = checksum(text);
      if (job.expected === null && sum !== null) learnt.push(sum);
      else if (sum === null || sum !== job.expected?.[bodyIndex]) {
        wrong += 1;
        firstWrong ??= text.slice(0, 2_000);
      }
    }
  };
  if (job.connectFirst === true) await connect(pool, job.concurrency);
  await Promise.all(Array.from({ length: job.concurrency }, sendInTurn));
  await pool.destroy();
  times.sort();
  return { p50: times[Math.floor(times.length / 2)] ?? 0, wrong, firstWrong, learnt };
}

async function post(pool: Pool, path: string, body: string): Promise<string> {
  try {
    const answer = await pool.request({ method: 'POST', path, headers, body });
    return await answer.body.text();
  } catch (error) {
    return String(error);
  }
}

/** A few at a time: what is measured later is waiting, not the queue of the listening socket. */
async function connect(pool: Pool, connections: number): Promise<void> {
  const some = 250;
  for (let opened = 0; opened < connections; opened += some) {
    const held = Array.from({ length: Math.min(opened + some, connections) }, async () => {
      const answer = await pool.request({ method: 'GET', path: '/health/live' });
      await answer.body.dump();
    });
    await Promise.allSettled(held);
  }
}

process.on('message', ({ id, ...job }: Job & { readonly id: number }) => {
  run(job).then(
    (result) => process.send?.({ id, ...result }),
    (error: unknown) => process.send?.({ id, wrong: job.count, firstWrong: String(error), p50: 0, learnt: [] }),
  );
});
