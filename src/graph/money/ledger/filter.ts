import { GraphQLError } from 'graphql';
import { maxInputLength } from '../../../identifiers/normalise';
import {
  InvalidCursorError,
  type LedgerFilter,
  type LedgerReader,
  type PageRequest,
} from '../../../ledger/reading/ledger-api';
import type { RegistryLedgerFilter } from './inputs';

const maxPage = 1_000;
/** Format of an instant: it needs a time zone, and a year of four digits as both engines support. */
const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/i;
const day = /^(\d{4})-(\d{2})-(\d{2})/;
const plainDay = /^\d{4}-\d{2}-\d{2}$/;

type Days = Pick<LedgerReader, 'startOfDay'>;

export function readFilter(filter: RegistryLedgerFilter | null | undefined, days: Days): LedgerFilter {
  return {
    ...readInterval(filter, days),
    client: readName(filter?.client, 'client'),
    tag: readName(filter?.tag, 'tag'),
    operation: readName(filter?.operation, 'operation'),
    endpoint: readName(filter?.endpoint, 'endpoint'),
    batch: readName(filter?.batch, 'batch'),
    billing: filter?.billing ?? null,
    unsettled: filter?.unsettled ?? null,
  };
}

export function readPageRequest(first: number, after: string | null | undefined): PageRequest {
  if (first < 1 || first > maxPage)
    throw invalidInput(`\`first\` must be between 1 and ${maxPage}. Use the CSV for more at once.`);
  return { first, after: after ?? null };
}

interface Interval {
  readonly from?: string | null;
  readonly to?: string | null;
}

export function readInterval(filter: Interval | null | undefined, days: Days): Pick<LedgerFilter, 'from' | 'to'> {
  const from = readInstant(filter?.from ?? null, 'from', days);
  const to = readInstant(filter?.to ?? null, 'to', days);
  if (from !== null && to !== null && from >= to)
    throw invalidInput(
      '`filter.from` must be before `filter.to`. The interval includes its start and excludes its end.',
    );
  return { from, to };
}

export async function pageOf<Page>(page: Promise<Page>): Promise<Page> {
  try {
    return await page;
  } catch (error) {
    if (!(error instanceof InvalidCursorError)) throw error;
    throw invalidInput('`after` is not a cursor of these entries. Use `next` of the previous page.');
  }
}

function readInstant(text: string | null, name: string, days: Days): Date | null {
  if (text === null) return null;
  if (plainDay.test(text) && isDay(text)) return days.startOfDay(text);
  const date = new Date(text);
  if (instant.test(text) && isDay(text) && !Number.isNaN(date.getTime())) return date;
  throw invalidInput(
    `\`filter.${name}\` must be a day, for example 2026-02-01, or an instant with a time zone, for example 2026-02-01T00:00:00-06:00.`,
  );
}

/** Whether a day exists. JavaScript parses 31 February as 3 March. */
function isDay(text: string): boolean {
  const [, year = '', month = '', date = ''] = day.exec(text) ?? [];
  const parsed = new Date(`${year}-${month}-${date}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.getUTCDate() === Number(date);
}

/** Returns a name as it is stored, or null. No stored name is longer than `maxInputLength`. */
export function readName(name: string | null | undefined, field: string): string | null {
  if (name === null || name === undefined) return null;
  if (name.length > maxInputLength) throw invalidInput(`\`filter.${field}\` must have at most 1,000 characters.`);
  return name;
}

export function invalidInput(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT' } });
}
