import type { Rig, Running } from './rig/rig';
import { median } from './statistics';
import { padron } from './systems';

/** A profile of which one registry takes long, asked plainly and with `x-answer-within`. */
export interface EarlyAnswer {
  readonly system: string;
  /** Milliseconds until the first response, which has every other registry's answer. */
  readonly firstMs: number;
  /** Milliseconds until the profile was complete. */
  readonly completeMs: number;
  readonly requests: number;
  readonly calls: number;
  /** Units that the responses report as spent or uncertain, in all of them together. */
  readonly units: number;
}

const [usualMs, slowMs, withinMs] = [20, 10_000, 200];
/** Nothing else of the profile waits for this endpoint. */
const slowPath = '/obtener-cuenta';

/** Alternates between both ways, each time about another person, in one process. */
export async function earlyAnswers(
  rig: Rig,
  build: string,
  bodies: readonly string[],
  rounds: number,
): Promise<readonly EarlyAnswer[]> {
  const running = await rig.launch(padron('padron', build, { REPLAY_SECONDS: '60' }));
  const answers: EarlyAnswer[][] = [[], []];
  try {
    // Compiling is not what is measured.
    await rig.latency(0);
    for (const body of bodies.slice(-20)) await post(running, body, {});
    await rig.latency(usualMs, { path: slowPath, ms: slowMs });
    for (let round = 0; round < rounds; round += 1) {
      const [plain, early] = [bodies[2 * round] ?? '', bodies[2 * round + 1] ?? ''];
      answers[0]?.push(await askUntilComplete(rig, running, plain, 'plain request', {}));
      const headers = { 'x-answer-within': `${withinMs}ms` };
      answers[1]?.push(await askUntilComplete(rig, running, early, `x-answer-within: ${withinMs}ms`, headers));
    }
  } finally {
    await rig.latency(0, null);
    await running.server.end();
  }
  return answers.map(summarize);
}

async function askUntilComplete(
  rig: Rig,
  running: Running,
  body: string,
  system: string,
  headers: Readonly<Record<string, string>>,
): Promise<EarlyAnswer> {
  const callsBefore = await rig.calls();
  const started = performance.now();
  let [firstMs, requests, units] = [0, 0, 0];
  for (let isComplete = false; !isComplete; ) {
    // The follow-up waits for the answer, as a client would that has something to show.
    const response = await post(running, body, requests === 0 ? headers : {});
    requests += 1;
    if (requests === 1) firstMs = performance.now() - started;
    units += response.units;
    isComplete = response.isComplete;
  }
  const completeMs = performance.now() - started;
  return { system, firstMs, completeMs, requests, calls: (await rig.calls()) - callsBefore, units };
}

interface Response {
  readonly extensions: { readonly units: { readonly spent: number; readonly uncertain: number } };
}

async function post({ server }: Running, body: string, headers: Readonly<Record<string, string>>) {
  const all = { 'content-type': 'application/json', authorization: 'Bearer bench', ...headers };
  const response = await fetch(server.url, { method: 'POST', headers: all, body });
  const text = await response.text();
  const { spent, uncertain } = (JSON.parse(text) as Response).extensions.units;
  return { units: spent + uncertain, isComplete: !text.includes('STILL_RUNNING') };
}

function summarize(rounds: readonly EarlyAnswer[]): EarlyAnswer {
  const of = (figure: 'firstMs' | 'completeMs' | 'requests' | 'calls' | 'units'): number =>
    median(rounds.map((round) => round[figure]));
  const [requests, calls, units] = [of('requests'), of('calls'), of('units')];
  return {
    system: rounds[0]?.system ?? '',
    firstMs: of('firstMs'),
    completeMs: of('completeMs'),
    requests,
    calls,
    units,
  };
}
