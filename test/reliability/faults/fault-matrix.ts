import { request } from 'undici';
import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { type ProxiedPadron, runPadronBehindProxy } from '../../support/padrons/padron-behind-proxy';
import { INTERNALS } from '../../support/proxies/broken-transport';
import { type ArrivedRequest, startProxy } from '../../support/proxies/tampering-proxy';
import { type Fault, found, type LookupReport, unusable } from './fault';
import { faultyExchanges, hangs, redirectsTo } from './faulty-exchanges';
import { faultyJson } from './faulty-json';
import { knownFaults, knownHangs } from './known-faults';
import { BALANCE, controls, type Subject, subjects } from './subjects';

/** The result of one fault at one endpoint. */
export interface Tried {
  readonly subject: string;
  readonly fault: string;
  readonly complaints: readonly string[];
}

interface Answered {
  readonly subject: Subject;
  readonly complaints: readonly string[];
  readonly units: { readonly spent: number; readonly uncertain: number };
}

type Json = Readonly<Record<string, unknown>>;

/** Text that an answer must not contain. */
const internals = new RegExp(
  `${INTERNALS}|UND_ERR|HPE_|ECONN|EPIPE|socket hang|undici|\\bzod\\b|ZodError|node_modules|<html|SyntaxError|TypeError|\\.ts:\\d`,
  'i',
);

/** Tries a fault at all endpoints that can have it, and then calls all registries without a fault. */
async function tryFault(padron: ProxiedPadron, fault: Fault, subjects: readonly Subject[]): Promise<readonly Tried[]> {
  const fitting = subjects.filter(({ opens }) => fault.opens?.includes(opens) ?? true);
  const tried: Tried[] = [];
  for (const round of [0, 1, 2]) {
    const together = fitting.filter((subject) => subject.round === round);
    if (together.length > 0) tried.push(...(await tryRound(padron, fault, together)));
  }
  padron.proxy.reset();
  const afterwards = await complaintsOfControls(padron.url);
  return tried.map((attempt) => ({ ...attempt, complaints: [...attempt.complaints, ...afterwards] }));
}

async function tryRound(padron: ProxiedPadron, fault: Fault, together: readonly Subject[]): Promise<readonly Tried[]> {
  const { proxy } = padron;
  const isMeant = ({ path }: ArrivedRequest): boolean => together.some(({ matches }) => matches(path));
  const before = padron.spent();
  proxy.reset();
  proxy.tamper((answer, arrived) => (isMeant(arrived) ? fault.tamper(answer, arrived) : null));
  proxy.standIn((arrived) => (isMeant(arrived) ? (fault.standIn?.(arrived) ?? null) : null));
  const answered = await Promise.all(together.map((subject) => askUnder(padron.url, fault, subject)));
  const seen = proxy.requests.map(({ path }) => path);
  const shared = complaintsOfLedger(fault, answered, padron.spent() - before);
  return answered.map(({ subject, complaints }) => ({
    subject: subject.name,
    fault: fault.name,
    complaints: [...complaints, ...complaintsOfCalls(fault, subject, seen), ...shared],
  }));
}

async function askUnder(url: string, fault: Fault, subject: Subject): Promise<Answered> {
  const { status, text } = await ask(url, subject.query);
  const { data, errors, extensions } = JSON.parse(text) as {
    data: Json;
    errors?: unknown;
    extensions?: { units?: Answered['units'] };
  };
  const units = extensions?.units ?? { spent: 0, uncertain: 0 };
  const complaints = [
    ...(status === 200 ? [] : [`HTTP ${status}`]),
    ...(errors === undefined ? [] : [`errors: ${JSON.stringify(errors)}`]),
    ...(internals.test(text) ? [`contains internals: ${internals.exec(text)?.[0]}`] : []),
  ];
  if (complaints.length > 0 && !data) return { subject, complaints, units };
  const { sibling, ...rest } = data;
  return {
    subject,
    units,
    complaints: [...complaints, ...complaintsOfReport(fault, subject, rest), ...ofSibling(sibling)],
  };
}

function complaintsOfReport({ allowedReports, calls = 1 }: Fault, subject: Subject, data: Json): readonly string[] {
  if (subject.free) {
    const isThere = /"(content|currentBalance)":"/.test(JSON.stringify(data));
    // padron does not retry a free link after a rate limit.
    if (subject.opens === 'file' && calls > 1) return [];
    return allowedReports.some(({ outcome }) => (outcome === 'FOUND') === isThere)
      ? []
      : [isThere ? 'there' : 'not there'];
  }
  const lookup = lookupIn(data);
  const { outcome, problems, evidence } = lookup as {
    outcome: string;
    problems: { code: string }[];
    evidence: { billing: string };
  };
  const code = problems[0]?.code ?? null;
  const fits = (allowed: LookupReport): boolean =>
    allowed.outcome === outcome &&
    allowed.billing === evidence.billing &&
    (allowed.code === code || (allowed.code === null && outcome === 'FOUND'));
  return allowedReports.some(fits) ? [] : [`reported ${outcome} ${code} ${evidence.billing}`];
}

/** Returns the first lookup in an answer. */
function lookupIn(value: unknown): Json {
  if (typeof value !== 'object' || value === null) throw new Error('The answer holds no lookup.');
  return 'outcome' in value ? (value as Json) : lookupIn(Object.values(value)[0]);
}

function ofSibling(sibling: unknown): readonly string[] {
  const { outcome } = lookupIn(sibling);
  return outcome === 'FOUND' || outcome === 'INVALID_INPUT' ? [] : [`the sibling is ${outcome}`];
}

function complaintsOfCalls(
  { calls = 1 }: Fault,
  { matches, free }: Subject,
  seen: readonly string[],
): readonly string[] {
  const count = seen.filter(matches).length;
  return count === calls || (free && count >= 1 && count <= 3) ? [] : [`${count} requests instead of ${calls}`];
}

/** Complains unless the service charged at least `spent` and at most `spent + uncertain`. */
function complaintsOfLedger(
  { allowedReports }: Fault,
  answered: readonly Answered[],
  ledger: number,
): readonly string[] {
  // The service charges before the fault, so a fault that padron reports as free cannot be compared.
  if (allowedReports.some(({ billing }) => billing === 'NOT_CHARGED')) return [];
  const spent = answered.reduce((sum, { units }) => sum + units.spent, 0);
  const upperBound = answered.reduce((sum, { units }) => sum + units.spent + units.uncertain, 0);
  return spent <= ledger && ledger <= upperBound
    ? []
    : [`the service charged ${ledger}, padron ${spent} to ${upperBound}`];
}

async function complaintsOfControls(url: string): Promise<readonly string[]> {
  const texts = await Promise.all(controls.map(async (query) => (await ask(url, query)).text));
  return texts
    .filter((text) => /"errors"|"outcome":"(?!FOUND)/.test(text.split('"extensions"')[0] ?? ''))
    .map((text) => `afterwards: ${text.slice(0, 300)}`);
}

async function ask(url: string, query: string): Promise<{ readonly status: number; readonly text: string }> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${SANDBOX_TOKEN}` };
  const response = await request(url, { method: 'POST', headers, body: JSON.stringify({ query }) });
  return { status: response.statusCode, text: await response.body.text() };
}

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
