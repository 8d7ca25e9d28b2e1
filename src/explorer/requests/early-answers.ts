import { type DocumentNode, Kind, parse, print } from 'graphql';
import { isPending } from '../../../schema/client/is-found';
import { documentOfPending, secondsUntilDue } from '../../../schema/client/pending-lookups';
import { mergeResponses } from './merge-responses';
import { type Headers, type Operation, send } from './request';
import type { Run } from './run';

/** Milliseconds after the first response in which requests are sent, as in the client kit: everything is then still replayed. */
const sendingMs = 10_000;
/** Headers of the last request, which waits until everything has arrived. */
const untilComplete = { 'x-answer-within': '60s' };

/** Yields the run, and again after each request for the answers that were still running. Asks only for what is missing. */
export async function* fillIn(operation: Operation, headers: Headers, first: Run): AsyncGenerator<Run> {
  const started = performance.now() - first.ms;
  const document = selectOperation(operation);
  const sendUntil = performance.now() + sendingMs;
  let run = first;
  yield run;
  for (let isLast = false; document !== null && !isLast; ) {
    const seconds = secondsUntilDue(document, run.response.data);
    if (seconds === null) return;
    isLast = performance.now() + 1_000 * seconds > sendUntil;
    if (!isLast) await new Promise((resolve) => setTimeout(resolve, 1_000 * seconds));
    const pending = documentOfPending(document, run.response.data);
    if (pending === null) return;
    const sentAt = performance.now() - started;
    const { operationName, variables } = operation;
    const sentHeaders = isLast ? { ...headers, ...untilComplete } : headers;
    const response = await send({ query: print(pending), operationName, variables }, sentHeaders);
    const ms = Math.round(performance.now() - started);
    run = { response: mergeResponses(run.response, response, sentAt), ms };
    yield run;
    // An error would probably come again.
    if (response.errors !== undefined) return;
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

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
