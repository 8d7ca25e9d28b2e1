import { type DocumentNode, Kind, parse, print } from 'graphql';
import { isPending } from '../../../schema/client/is-found';
import { documentOfPending, secondsUntilDue } from '../../../schema/client/pending-lookups';
import type { GraphqlResponse, ReportedCall, UnitUsage } from './graphql-response';
import { type Headers, type Operation, send } from './request';
import type { Run } from './run';

const maxRequests = 20;

/** Yields the run, and again each time an answer has arrived that was still running. Asks only for what is missing. */
export async function* fillIn(operation: Operation, headers: Headers, first: Run): AsyncGenerator<Run> {
  const started = performance.now() - first.ms;
  const document = selectOperation(operation);
  let run = first;
  yield run;
  for (let requests = 0; document !== null && requests < maxRequests; requests += 1) {
    const seconds = secondsUntilDue(document, run.response.data);
    if (seconds === null) return;
    await new Promise((resolve) => setTimeout(resolve, 1_000 * seconds));
    const pending = documentOfPending(document, run.response.data);
    if (pending === null) return;
    const sentAt = performance.now() - started;
    const { operationName, variables } = operation;
    const response = await send({ query: print(pending), operationName, variables }, headers);
    const ms = Math.round(performance.now() - started);
    run = { response: mergeResponses(run.response, response, sentAt), ms };
    yield run;
  }
}

/** Returns the paths of the lookups that are still running, with dots. */
export function pendingPaths(data: unknown, path: readonly (string | number)[] = []): ReadonlySet<string> {
  if (Array.isArray(data)) return new Set(data.flatMap((item, index) => [...pendingPaths(item, [...path, index])]));
  if (!isObject(data)) return new Set();
  if (Array.isArray(data.problems) && isPending(data as unknown as Parameters<typeof isPending>[0]))
    return new Set([path.join('.')]);
  return new Set(Object.entries(data).flatMap(([name, value]) => [...pendingPaths(value, [...path, name])]));
}

/** Returns the document with the operation that runs and its fragments. Null if it cannot be parsed. */
function selectOperation({ query, operationName }: Operation): DocumentNode | null {
  try {
    const { definitions, ...document } = parse(query);
    const isOther = (definition: (typeof definitions)[number]): boolean =>
      definition.kind === Kind.OPERATION_DEFINITION &&
      operationName != null &&
      definition.name?.value !== operationName;
    return { ...document, definitions: definitions.filter((definition) => !isOther(definition)) };
  } catch {
    return null;
  }
}

function mergeResponses(earlier: GraphqlResponse, later: GraphqlResponse, sentAt: number): GraphqlResponse {
  const units = mergeUsage(earlier.extensions?.units, later.extensions?.units, sentAt);
  return {
    ...earlier,
    data: mergeData(earlier.data, later.data),
    ...(units === undefined ? {} : { extensions: { ...earlier.extensions, units } }),
  };
}

/** A later response has the same shape, without the fields that had arrived. */
function mergeData(earlier: unknown, later: unknown): unknown {
  if (later === undefined || later === null) return earlier;
  if (Array.isArray(earlier) && Array.isArray(later) && earlier.length === later.length)
    return earlier.map((item, index) => mergeData(item, later[index]));
  if (!isObject(earlier) || !isObject(later)) return later;
  const merged = Object.entries(later).map(([name, value]) => [name, mergeData(earlier[name], value)]);
  return { ...earlier, ...Object.fromEntries(merged) };
}

/**
 * Replaces the calls that were still running by the calls of the later response. Its other answers are reused and are not added. When
 * every call has its answer, nothing is uncertain any more: what was, has been spent.
 */
function mergeUsage(
  earlier: UnitUsage | undefined,
  later: UnitUsage | undefined,
  sentAt: number,
): UnitUsage | undefined {
  if (earlier === undefined || later === undefined) return earlier;
  const calls = [...earlier.calls];
  for (const call of later.calls) {
    const index = calls.findIndex((earlierCall) => earlierCall.outcome === 'UNAVAILABLE' && isSame(earlierCall, call));
    const begun = calls[index];
    const ended = { ...call, at: Math.round(sentAt + call.at) };
    if (begun !== undefined) calls[index] = continueCall(begun, ended);
    else if (call.servedFrom !== 'REPLAY') calls.push(ended);
  }
  const { spent } = earlier;
  const uncertain = earlier.uncertain + later.uncertain;
  const isSettled = calls.every(({ outcome }) => outcome !== 'UNAVAILABLE');
  return {
    ...earlier,
    spent: spent + later.spent + (isSettled ? uncertain : 0),
    uncertain: isSettled ? 0 : uncertain,
    calls,
  };
}

/** Returns the call from its start in the first request to its end. If that request sent it, its answer is not a reused one. */
function continueCall(begun: ReportedCall, ended: ReportedCall): ReportedCall {
  const servedFrom = begun.servedFrom === 'LIVE' ? begun.servedFrom : ended.servedFrom;
  return { ...ended, servedFrom, at: begun.at, ms: ended.at + ended.ms - begun.at };
}

const isSame = (left: ReportedCall, right: ReportedCall): boolean =>
  left.endpoint === right.endpoint && left.path.join('.') === right.path.join('.');

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
