import type { GraphiQLProps } from 'graphiql';
import type { Answer } from './answer';
import { shortened } from './files/answered';
import { attached, dropOwn, openSlots, uploadsFor } from './files/uploads';
import { fault, type Operation, send } from './request';
import { noteRun, openTab } from './run';

/** GraphiQL's way to the graph: sends, with attached files where the variables leave a place, and notes what came back. */
export function makeFetcher(): GraphiQLProps['fetcher'] {
  return async (operation, options) => {
    if (operation.operationName === 'IntrospectionQuery')
      return (await send(operation, options?.headers ?? {})) as never;
    return (await run(operation, options?.headers ?? {})) as never;
  };
}

async function run(operation: Operation, headers: Readonly<Record<string, unknown>>): Promise<Answer> {
  const uploads = uploadsFor(operation.variables, attached.get());
  const missing = openSlots(operation.variables).filter((path) => !uploads.some((upload) => upload.path === path));
  if (missing.length > 0 && uploads.length > 0)
    return fault(`Not sent: no file is attached for ${missing.join(' and ')}. Attach it in the panel Files.`);
  const tab = openTab.get();
  const start = performance.now();
  const answer = await send(operation, headers, { uploads });
  noteRun(tab, { answer, ms: Math.round(performance.now() - start) });
  if (uploads.length > 0) dropOwn();
  return shortened(answer);
}
