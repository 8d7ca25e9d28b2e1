import type { GraphqlResponse } from '../requests/graphql-response';
import { type Headers, send, withoutSpendingHeaders } from '../requests/request';
import { days, shownDays } from './days';

/** A summary of the last days in the ledger. */
export type LedgerSummary =
  | {
      readonly kind: 'known';
      readonly spend: readonly DaySpend[];
      readonly unsettled: Unsettled;
      readonly today: string;
    }
  | { readonly kind: 'off' }
  | { readonly kind: 'unknown'; readonly reason: string }
  | { readonly kind: 'loading' };

/** One endpoint on one day. */
export interface DaySpend {
  readonly day: string;
  readonly endpoint: string;
  readonly calls: number;
  readonly units: number;
}

interface Unsettled {
  readonly calls: number;
  readonly uncertainUnits: number;
}

const query = `query Ledger($from: DateTime!) {
  days: registrySpend(filter: { from: $from }, by: [DAY, ENDPOINT]) { day endpoint calls units }
  unsettled: registrySpend(filter: { unsettled: true }, by: []) { calls uncertainUnits }
}`;
const csvQuery = '{ registryLedger(first: 1) { csvUrl } }';

const dayMs = 86_400_000;

export async function fetchLedger(headers: Headers, timeZone: string, signal: AbortSignal): Promise<LedgerSummary> {
  const now = new Date();
  // One more day than shown is requested, because the ledger's days begin in its own time zone.
  const from = new Date(now.getTime() - (shownDays + 1) * dayMs).toISOString();
  const response = await send({ query, variables: { from } }, withoutSpendingHeaders(headers), { signal });
  const { data, errors } = response as GraphqlResponse & { readonly data?: LedgerData | null };
  if (errors?.some(({ extensions }) => extensions?.code === 'LEDGER_OFF')) return { kind: 'off' };
  if (!data?.days || !data.unsettled) return { kind: 'unknown', reason: errors?.[0]?.message ?? '' };
  const shown = days(now, timeZone);
  return {
    kind: 'known',
    spend: data.days.filter(({ day }) => shown.includes(day)),
    unsettled: data.unsettled[0] ?? { calls: 0, uncertainUnits: 0 },
    today: shown.at(-1) ?? '',
  };
}

interface LedgerData {
  readonly days: readonly DaySpend[] | null;
  readonly unsettled: readonly Unsettled[] | null;
}

/** Fetches the URL of the complete ledger as CSV, which is valid for a few minutes, or the reason why there is none. */
export async function fetchCsvUrl(headers: Headers): Promise<{ readonly url: string } | { readonly reason: string }> {
  const response = await send({ query: csvQuery }, withoutSpendingHeaders(headers));
  const data = response.data as
    | { readonly registryLedger?: { readonly csvUrl: string | null } | null }
    | null
    | undefined;
  const url = data?.registryLedger?.csvUrl;
  return url ? { url } : { reason: response.errors?.[0]?.message ?? '' };
}
