import { type ProxiedPadron, runPadronBehindProxy } from '../../support/padrons/padron-behind-proxy';
import { startProxy } from '../../support/proxies/tampering-proxy';
import { type Fault, found, unusable } from './fault';
import { faultyExchanges, hangs, redirectsTo } from './faulty-exchanges';
import { faultyJson } from './faulty-json';
import { knownFaults, knownHangs } from './known-faults';
import { type Tried, tryFault } from './matrix';
import { BALANCE, subjects } from './subjects';

const environment = { BALANCE_PATH: BALANCE, LIMIT_NODES: '1000000' };

const noFault: Fault = { name: 'does as it should', allowedReports: [found], tamper: () => null };

/** Every endpoint when nothing is wrong: what the faults are held against. */
export function tryNothing(): Promise<readonly Tried[]> {
  return tryAll(environment, [noFault]);
}

/** Every endpoint when nothing is wrong and something else is expected: whether the matrix would notice. */
export function tryLie(): Promise<readonly Tried[]> {
  return tryAll(environment, [{ ...noFault, allowedReports: [unusable] }]);
}

/** Every endpoint under every fault that is over by itself. */
export function tryQuickFaults(): Promise<readonly Tried[]> {
  return tryAll(environment, [...knownFaults, ...faultyJson, ...faultyExchanges]);
}

/** Every endpoint under every fault that only the deadline ends. */
export async function tryHangs(): Promise<readonly Tried[]> {
  const settings = { ...environment, REGISTRY_TIMEOUT_MS: '2000' };
  // Rounds wait for deadlines: all at once, each over a service of its own.
  const rounds = [0, 1, 2].map((round) => subjects.filter((subject) => subject.round === round));
  const tried = await Promise.all(rounds.map((round) => tryAll(settings, [...knownHangs, ...hangs], round)));
  return tried.flat();
}

/** Every endpoint under every redirect; the server behind them must not see a request, let alone a token. */
export async function tryRedirects(): Promise<{ readonly tried: readonly Tried[]; readonly trapped: number }> {
  const trap = await startProxy('http://127.0.0.1:1');
  trap.standIn(() => ({ json: {} }));
  try {
    const tried = await tryAll(environment, redirectsTo(trap.url));
    return { tried, trapped: trap.connections() };
  } finally {
    await trap.close();
  }
}

async function tryAll(
  settings: Readonly<Record<string, string>>,
  faults: readonly Fault[],
  tried = subjects,
): Promise<readonly Tried[]> {
  const padron = await runPadronBehindProxy(settings);
  try {
    // The first question of each kind takes longest: none of it is to count against a deadline.
    await tryFault(padron, noFault, tried);
    const results: Tried[] = [];
    for (const fault of faults) results.push(...(await tryFault(padron, fault, tried)));
    return [...results, ...complaintsOfLog(padron)];
  } finally {
    await padron.stop();
  }
}

/** A fault of the service is none of our own, and none of its words are for the log. */
function complaintsOfLog({ log }: ProxiedPadron): readonly Tried[] {
  const bad = log.filter((line) => /internal error|fallo-interno/.test(line));
  return bad.map((line) => ({ subject: 'log', fault: 'any', complaints: [line] }));
}
