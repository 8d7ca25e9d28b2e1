import { Pool } from 'undici';

/** Makes the calls of a batch with the same concurrency and nothing else, in a separate process. */
interface Job {
  readonly id: number;
  readonly url: string;
  readonly paths: readonly string[];
  readonly token: string;
  readonly concurrency: number;
}

async function callAll({ url, paths, token, concurrency }: Job): Promise<number> {
  const pool = new Pool(url, { pipelining: 1 });
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
  let next = 0;
  const start = performance.now();
  const callInTurn = async (): Promise<void> => {
    for (let path = paths[next++]; path !== undefined; path = paths[next++]) {
      const { statusCode, body } = await pool.request({ method: 'POST', path, headers });
      JSON.parse(await body.text());
      if (statusCode !== 200) throw new Error(`A bare call was answered with ${statusCode}.`);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, callInTurn));
  const seconds = (performance.now() - start) / 1_000;
  await pool.close();
  return paths.length / seconds;
}

process.on('message', (job: Job) => {
  callAll(job).then(
    (callsPerSecond) => process.send?.({ id: job.id, callsPerSecond }),
    (error: unknown) => {
      process.stderr.write(`${error}\n`);
      process.exit(1);
    },
  );
});
