import { isPending } from '../../../../../schema/client/is-found';
import { findOperation } from '../tabs/active-tab';
import { type Headers, type Operation, send } from './request';
import type { Run } from './run';
import { addUsage } from './run-units';

/** Milliseconds after the first response in which requests are sent, as in the client kit. */
const sendingMs = 10_000;
/** Headers of the last request, which waits until everything has arrived. */
const untilComplete = { 'x-answer-within': '60s' };

/**
 * Yields the run, and again after each request for the answers that were still running. A request repeats the whole operation: the
 * server returns what has arrived free of charge for a minute, also failures, so its response is the one that a complete request would get.
 */
export async function* followUp(operation: Operation, headers: Headers, first: Run): AsyncGenerator<Run> {
  const sendUntil = performance.now() + sendingMs;
  const started = performance.now() - first.ms;
  let run = first;
  yield run;
  if (findOperation(operation.query, operation.operationName ?? undefined)?.operation !== 'query') return;
  for (let isLast = false; !isLast; ) {
    const lookups = findLookups(run.response.data);
    const seconds = Math.min(...lookups.filter(isPending).map(readRetryAfter));
    if (seconds === Number.POSITIVE_INFINITY) return;
    isLast = performance.now() + 1_000 * seconds > sendUntil;
    if (!isLast) await new Promise((resolve) => setTimeout(resolve, 1_000 * seconds));
    const sentAt = Math.round(performance.now() - started);
    const response = await send(operation, isLast ? { ...headers, ...untilComplete } : headers);
    const ms = Math.round(performance.now() - started);
    // An error of the whole request would probably come again, and the data that has arrived stays.
    if (response.data === undefined || response.data === null) {
      yield { response: { ...run.response, errors: response.errors ?? [] }, ms };
      return;
    }
    const units = addUsage(run.response.extensions?.units, response.extensions?.units, sentAt);
    run = { response: { ...response, ...(units && { extensions: { ...response.extensions, units } }) }, ms };
    yield run;
  }
}

/** Returns the paths of the lookups that are still running, with dots. */
export function pendingPaths(data: unknown): ReadonlySet<string> {
  return new Set(
    findLookups(data)
      .filter(isPending)
      .map(({ path }) => path),
  );
}

/** The parts of a lookup in a response that tell whether it has arrived. */
interface FoundLookup {
  readonly path: string;
  readonly problems: readonly { readonly code: string; readonly retryAfter?: number | null }[];
}

function findLookups(data: unknown, path = ''): readonly FoundLookup[] {
  if (typeof data !== 'object' || data === null) return [];
  const { problems } = data as Partial<FoundLookup>;
  if (Array.isArray(problems)) return [{ path, problems }];
  return Object.entries(data).flatMap(([name, value]) => findLookups(value, path === '' ? name : `${path}.${name}`));
}

const readRetryAfter = ({ problems }: FoundLookup): number =>
  problems.find(({ code }) => code === 'STILL_RUNNING')?.retryAfter ?? 1;
