import { setTimeout as sleep } from 'node:timers/promises';
import { people } from '../../../src/extensions/sandbox/data/people';
import { documentAttacks } from '../../reliability/attacks/attack-documents';
import { uploadAttacks } from '../../reliability/attacks/attack-uploads';
import { asked, type Probe } from '../../reliability/attacks/probe';
import { faultyExchanges } from '../../reliability/faults/faulty-exchanges';
import { faultyJson } from '../../reliability/faults/faulty-json';
import { knownFaults } from '../../reliability/faults/known-faults';
import { controls, subjects } from '../../reliability/faults/subjects';
import { measurePeak, residentMegabytes, startMeasured } from '../../reliability/load/measured-padron';
import type { ArrivedRequest, RelayedAnswer } from '../../support/proxies/tampering-proxy';

/** Result of a mixed load. Memory is that of padron's process, in megabytes. */
export interface LoadReport {
  readonly requests: number;
  /** Responses that are not JSON or have an internal error. */
  readonly bad: readonly string[];
  readonly faults: number;
  readonly memory: { readonly start: number; readonly peak: number; readonly end: number };
}

const clients = 10;
const maxRequests = 500_000;
/** Distance between two answers of the service that fail. */
const everyNth = 10;

const faults = [...knownFaults, ...faultyJson, ...faultyExchanges];
const profile = (nss: string): string =>
  `{ person(nss: "${nss}") { credit { outcome record { names } } housingAccount { outcome } licences { outcome records { number } } } }`;

/** Requests of the clients: all fields, many people, some attacks and malformed uploads. */
const questions: readonly Probe['send'][] = [
  ...subjects.map(({ query }) => asked(query)),
  ...people.map(({ nss }) => asked(profile(nss))),
  ...controls.map((query) => asked(query)),
  ...documentAttacks.slice(0, 10).map(({ send }) => send),
  ...uploadAttacks.map(({ send }) => send),
];

/** Runs clients for some seconds while every tenth answer of the service fails. */
export async function runMixedLoad(seconds: number): Promise<LoadReport> {
  const padron = await startMeasured({ REGISTRY_TIMEOUT_MS: '3000', REPLAY_SECONDS: '1' });
  const bad: string[] = [];
  const count = { requests: 0, faults: 0, calls: 0 };
  padron.proxy.tamper((answer, arrived) => {
    count.calls += 1;
    if (count.calls % everyNth !== 0) return null;
    count.faults += 1;
    return wrong(count.faults, answer, arrived);
  });
  const end = performance.now() + seconds * 1_000;
  const isRunning = (): boolean => performance.now() < end && count.requests < maxRequests;
  const client = async (): Promise<void> => {
    while (isRunning()) {
      const question = questions[count.requests % questions.length];
      count.requests += 1;
      bad.push(...(await complaintsOf(question, padron.url)));
      await sleep(5);
    }
  };
  try {
    const running = Promise.all(Array.from({ length: clients }, client));
    // The first tenth warms up: libraries load and code is compiled.
    await sleep(seconds * 100);
    const start = await residentMegabytes(padron);
    const peak = await measurePeak(padron, running, 500);
    return {
      requests: count.requests,
      bad,
      faults: count.faults,
      memory: { start, peak, end: await residentMegabytes(padron) },
    };
  } finally {
    await padron.end();
  }
}

function wrong(index: number, answer: RelayedAnswer, arrived: ArrivedRequest) {
  const fault = faults[index % faults.length];
  // A fault of JSON applies only to answers in JSON.
  const fits = fault?.opens === undefined || answer.json !== undefined;
  return fits && fault !== undefined ? fault.tamper(answer, arrived) : { status: 500 };
}

async function complaintsOf(question: Probe['send'] | undefined, url: string): Promise<readonly string[]> {
  try {
    const answer = await question?.(url);
    const { errors = [] } = JSON.parse(answer?.text ?? '') as {
      errors?: readonly { extensions?: { code?: string } }[];
    };
    return errors.some(({ extensions }) => extensions?.code === 'INTERNAL_SERVER_ERROR') ? [answer?.text ?? ''] : [];
  } catch (error) {
    return [String(error)];
  }
}
