import { Pool } from 'undici';
import { singleCredit } from '../documents';
import { inventedNss } from './recording';

/** Sends single credits to several servers in turn, for many accounts and always about another person. */
export interface AccountJob {
  readonly urls: readonly string[];
  readonly accounts: number;
  readonly firstPerson: number;
  readonly ms: number;
  /** Requests at once, at most. */
  readonly concurrency: number;
  /** Requests a second, or null for as many as possible. */
  readonly perSecond: number | null;
}

export interface AccountResult {
  readonly calls: number;
  readonly perSecond: number;
  /** From the time at which the request was due. */
  readonly p50Ms: number;
  readonly p95Ms: number;
}

async function run({ urls, accounts, firstPerson, ms, concurrency, perSecond }: AccountJob): Promise<AccountResult> {
  const pools = urls.map((url) => new Pool(new URL(url).origin, { pipelining: 1 }));
  const times: number[] = [];
  const start = performance.now();
  let next = 0;
  const sendInTurn = async (): Promise<void> => {
    while (true) {
      const index = next++;
      const due = perSecond === null ? performance.now() : start + (index * 1_000) / perSecond;
      // If the servers are slower than the load, what is still due at the end is not sent.
      if (Math.max(due, performance.now()) > start + ms) return;
      const early = due - performance.now();
      if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
      const headers = { 'content-type': 'application/json', authorization: `Bearer account-${index % accounts}` };
      const body = JSON.stringify({ query: singleCredit, variables: { nss: inventedNss(firstPerson + index) } });
      const answer = await pools[index % pools.length]?.request({ method: 'POST', path: '/graphql', headers, body });
      const text = (await answer?.body.text()) ?? '';
      if (!text.includes('"outcome":"FOUND"')) throw new Error(text);
      times.push(performance.now() - due);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, sendInTurn));
  const seconds = (performance.now() - start) / 1_000;
  await Promise.all(pools.map((pool) => pool.close()));
  times.sort((left, right) => left - right);
  const quantile = (share: number): number => times[Math.floor(times.length * share)] ?? Number.NaN;
  return { calls: times.length, perSecond: times.length / seconds, p50Ms: quantile(0.5), p95Ms: quantile(0.95) };
}

process.on('message', ({ id, ...job }: AccountJob & { readonly id: number }) => {
  run(job).then(
    (result) => process.send?.({ id, ...result }),
    (error: unknown) => {
      process.stderr.write(`${error}\n`);
      process.exit(1);
    },
  );
});
