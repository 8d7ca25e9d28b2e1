import { type ProxiedPadron, runPadronBehindProxy } from '../../support/padrons/padron-behind-proxy';
import { startProxy } from '../../support/proxies/tampering-proxy';
import { type Fault, found, unusable } from './fault';
import { faultyExchanges, hangs, redirectsTo } from './faulty-exchanges';
import { faultyJson } from './faulty-json';
import { knownFaults, knownHangs } from './known-faults';
import { type Tried, tryFault } from './matrix';
import { BALANCE, subjects } from './subjects';

const environment = { BALANCE_PATH: BALANCE, LIMIT_NODES: '1000000' };

const noFault: Fault = { name: 'works', allowedReports: [found], tamper: () => null };

/** Calls every endpoint without a fault. */
export function tryNothing(): Promise<readonly Tried[]> {
  return tryAll(environment, [noFault]);
}

/** Calls every endpoint without a fault but with a wrong expectation, to show that the matrix notices. */
export function tryLie(): Promise<readonly Tried[]> {
  return tryAll(environment, [{ ...noFault, allowedReports: [unusable] }]);
}

/** Calls every endpoint with every fault that ends without a timeout. */
export function tryQuickFaults(): Promise<readonly Tried[]> {
  return tryAll(environment, [...knownFaults, ...faultyJson, ...faultyExchanges]);
}

/** Calls every endpoint with every fault that only the deadline ends. */
export async function tryHangs(): Promise<readonly Tried[]> {
  const settings = { ...environment, REGISTRY_TIMEOUT_MS: '2000' };
  // The rounds run at the same time, each with its own service, because each waits for deadlines.
  const rounds = [0, 1, 2].map((round) => subjects.filter((subject) => subject.round === round));
  const tried = await Promise.all(rounds.map((round) => tryAll(settings, [...knownHangs, ...hangs], round)));
  return tried.flat();
}

/** Calls every endpoint with every redirect, and counts connections to the server behind them. */
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
    // The first call of each endpoint takes longest and must not meet a deadline.
    await tryFault(padron, noFault, tried);
    const results: Tried[] = [];
    for (const fault of faults) results.push(...(await tryFault(padron, fault, tried)));
    return [...results, ...complaintsOfLog(padron)];
  } finally {
    await padron.stop();
  }
}

/** Returns a complaint for each log line with an internal error or text of the service. */
function complaintsOfLog({ log }: ProxiedPadron): readonly Tried[] {
  const bad = log.filter((line) => /internal error|fallo-interno/.test(line));
  return bad.map((line) => ({ subject: 'log', fault: 'any', complaints: [line] }));
}
