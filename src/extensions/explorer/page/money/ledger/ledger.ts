import { texts } from '../../language/texts';
import {
  describeError,
  fetchValue,
  type GraphqlResponse,
  type Headers,
  type Reply,
  send,
  withoutSpendingHeaders,
} from '../../requests/request';

const shownDays = 14;

const shownMonths = 13;

const dayMs = 86_400_000;

/** Returns the last days in the ledger's format, with today last. */
export function lastDays(now: Date, timeZone: string): readonly string[] {
  const noon = Date.parse(`${today(now, timeZone)}T12:00:00Z`);
  return Array.from({ length: shownDays }, (_, index) =>
    new Date(noon - (shownDays - 1 - index) * dayMs).toISOString().slice(0, 10),
  );
}

/** Returns the last months in the ledger's format, with the current month first. */
export function lastMonths(now: Date, timeZone: string): readonly string[] {
  const month = today(now, timeZone).slice(0, 7);
  return Array.from({ length: shownMonths }, (_, index) => addMonths(month, -index));
}

export function addMonths(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7);
}

export const firstDay = (month: string): string => `${month}-01`;

// The Swedish date format is ISO 8601.
const today = (now: Date, timeZone: string): string => new Intl.DateTimeFormat('sv', { timeZone }).format(now);

export const groups = ['client', 'tag', 'endpoint'] as const;
export type Group = (typeof groups)[number];

/** Units, and their amounts in pesos if padron has a price of a unit. */
export interface Units {
  readonly units: number;
  readonly amount: string | null;
  readonly uncertainUnits: number;
  readonly uncertainAmount: string | null;
  readonly savedUnits: number;
  readonly savedAmount: string | null;
}

/** Units of a month: of the whole month, or of one client, tag or endpoint. */
export interface MonthSpend extends Units, Partial<Readonly<Record<Group, string | null>>> {
  readonly month: string;
}

export interface DaySpend {
  readonly day: string;
  readonly endpoint: string;
  readonly units: number;
}

export interface UnsettledCall extends Pick<Units, 'uncertainUnits' | 'uncertainAmount'> {
  readonly id: string;
  readonly at: string;
  readonly client: string | null;
  readonly evidence: { readonly endpoint: string };
}

export interface BudgetUsage extends Pick<Units, 'units' | 'amount' | 'uncertainUnits'> {
  readonly id: string;
  readonly client: string | null;
  readonly tag: string | null;
  readonly period: 'DAY' | 'MONTH';
  readonly spentUnits: number;
  readonly leftUnits: number;
  readonly leftAmount: string | null;
  /** Time of the last call with this client and tag. Null if there was none. */
  readonly lastSeenAt: string | null;
  readonly warning: string | null;
  readonly resetsAt: string;
}

export interface FailedEvent {
  readonly id: string;
  readonly type: string;
  readonly at: string;
  readonly attempts: number;
  readonly lastStatus: number | null;
}

const shownCalls = 20;
const shownEvents = 20;

const query = `query Ledger($today: DateTime!, $since: DateTime!, $from: DateTime!, $to: DateTime!) {
  today: registrySpend(filter: { from: $today }, by: []) { ...Units }
  days: registrySpend(filter: { from: $since }, by: [DAY, ENDPOINT]) { day endpoint units }
  totals: registrySpend(filter: { from: $from, to: $to }, by: [MONTH]) { month ...Units }
  client: registrySpend(filter: { from: $from, to: $to }, by: [MONTH, CLIENT]) { month client ...Units }
  tag: registrySpend(filter: { from: $from, to: $to }, by: [MONTH, TAG]) { month tag ...Units }
  endpoint: registrySpend(filter: { from: $from, to: $to }, by: [MONTH, ENDPOINT]) { month endpoint ...Units }
  unsettled: registrySpend(filter: { unsettled: true }, by: []) { calls ...Units }
  calls: registryLedger(filter: { unsettled: true }, first: ${shownCalls}) {
    entries { id at client uncertainUnits uncertainAmount evidence { endpoint } } limitedToClient
  }
  failed: registryEvents(state: FAILED, first: ${shownEvents}) { events { id type at attempts lastStatus } }
  budgets: registryBudgets {
    id client tag period units amount spentUnits uncertainUnits leftUnits leftAmount lastSeenAt warning resetsAt
  }
}
fragment Units on RegistrySpend { units amount uncertainUnits uncertainAmount savedUnits savedAmount }`;

type Sums = readonly MonthSpend[];

/** The response about the ledger. `today`, `budgets` and `failed` are null if the caller's JWT lacks the scope for the calls, the budgets or the events. */
export interface Ledger extends Readonly<Record<Group, Sums>> {
  readonly readAt: Date;
  readonly today: readonly [Units] | null;
  readonly days: readonly DaySpend[];
  readonly totals: Sums;
  readonly unsettled: readonly [Units & { readonly calls: number }];
  readonly calls: {
    readonly entries: readonly UnsettledCall[];
    /** The only client whose calls the caller may see. Null if it may see the whole account. */
    readonly limitedToClient: string | null;
  };
  readonly budgets: readonly BudgetUsage[] | null;
  readonly failed: { readonly events: readonly FailedEvent[] } | null;
}

export async function fetchLedger(
  headers: Headers | null,
  timeZone: string,
  month: string,
  signal: AbortSignal,
): Promise<Reply<Ledger>> {
  if (headers === null) return { code: undefined, reason: texts.price.headersUnread };
  const readAt = new Date();
  const days = lastDays(readAt, timeZone);
  const variables = {
    today: days.at(-1),
    since: days[0],
    from: firstDay(addMonths(month, -1)),
    to: firstDay(addMonths(month, 1)),
  };
  const response = await send({ query, variables }, withoutSpendingHeaders(headers), { signal });
  const { data, errors = [] } = response as GraphqlResponse & { readonly data?: Omit<Ledger, 'readAt'> | null };
  // Without its scope, a part is null with the error FORBIDDEN, and so are events while the token cannot be checked. Any other error means
  // that the ledger cannot be read.
  const error = errors.find(
    ({ extensions, path }) =>
      extensions?.code !== 'FORBIDDEN' && !(path?.[0] === 'failed' && extensions?.code === 'LEDGER_UNAVAILABLE'),
  );
  if (!data || error !== undefined)
    return { code: error?.extensions?.code, reason: error === undefined ? '' : describeError(error) };
  return { value: { ...data, readAt } };
}

/** Fetches the URL of the CSV file of a month, or of all months if it is null. */
export async function fetchCsvUrl(headers: Headers | null, month: string | null): Promise<Reply<string | null>> {
  const query =
    'query LedgerFile($filter: RegistryLedgerFilter) { value: registryLedger(filter: $filter, first: 1) { csvUrl } }';
  const filter = month === null ? null : { from: firstDay(month), to: firstDay(addMonths(month, 1)) };
  const reply = await fetchValue<{ readonly csvUrl: string | null }>(headers ?? {}, query, { filter });
  return 'value' in reply ? { value: reply.value?.csvUrl ?? null } : reply;
}
