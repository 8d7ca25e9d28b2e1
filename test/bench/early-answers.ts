import { milliseconds, type Table, whole } from './report';
import type { Rig, Running } from './rig/rig';
import { median } from './statistics';
import { padron } from './systems';

/** A profile of which one registry takes long. */
interface EarlyAnswer {
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

/** Asks for it plainly and with `x-answer-within` in turn, each time about another person, in one process. */
export async function earlyAnswers(rig: Rig, build: string, bodies: readonly string[], rounds: number): Promise<Table> {
  const running = await rig.launch(padron('padron', build, { REPLAY_SECONDS: '60' }));
  const [plainly, within]: [EarlyAnswer[], EarlyAnswer[]] = [[], []];
  try {
    // Compiling is not what is measured.
    await rig.latency(0);
    for (const body of bodies.slice(-20)) await post(running, body, {});
    await rig.latency(usualMs, { path: slowPath, ms: slowMs });
    for (let round = 0; round < rounds; round += 1) {
      const [plain, early] = [bodies[2 * round] ?? '', bodies[2 * round + 1] ?? ''];
      plainly.push(await askUntilComplete(rig, running, plain, {}));
      within.push(await askUntilComplete(rig, running, early, { 'x-answer-within': `${withinMs}ms` }));
    }
  } finally {
    await rig.latency(0, null);
    await running.server.end();
  }
  return {
    title: 'A profile of six registry calls: five at 20 ms and one at 10 s',
    head: ['request', 'first response', 'complete', 'requests', 'calls', 'units'],
    rows: [toRow('plain request', plainly), toRow(`x-answer-within: ${withinMs}ms`, within)],
  };
}

async function askUntilComplete(
  rig: Rig,
  running: Running,
  body: string,
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
  return { firstMs, completeMs, requests, calls: (await rig.calls()) - callsBefore, units };
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

function toRow(name: string, answers: readonly EarlyAnswer[]): readonly string[] {
  const of = (figure: keyof EarlyAnswer): number => median(answers.map((answer) => answer[figure]));
  return [
    name,
    milliseconds(of('firstMs')),
    milliseconds(of('completeMs')),
    whole(of('requests')),
    whole(of('calls')),
    whole(of('units')),
  ];
}
