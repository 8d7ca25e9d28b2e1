import type { GraphiQLProps } from 'graphiql';
import { truncateContent } from '../files/response-file';
import { attachedFiles, clearUserFiles, collectUploads, emptyUploadPaths } from '../files/uploads';
import { texts } from '../language/texts';
import { withAnswerWithin } from './answer-within';
import { fillIn, pendingPaths } from './early-answers';
import type { GraphqlResponse } from './graphql-response';
import { errorResponse, type Headers, type Operation, send } from './request';
import { openTab, type Run, recordRun } from './run';

/** Creates the function with which GraphiQL sends operations. It adds attached files and records the response. */
export function createFetcher(): GraphiQLProps['fetcher'] {
  return async (operation, options) => {
    if (operation.operationName === 'IntrospectionQuery')
      return (await send(operation, options?.headers ?? {})) as never;
    return (await runOperation(operation, options?.headers ?? {})) as never;
  };
}

/** Returns the response, or responses that are filled in as answers arrive. */
async function runOperation(
  operation: Operation,
  tabHeaders: Headers,
): Promise<GraphqlResponse | AsyncIterable<GraphqlResponse>> {
  const uploads = collectUploads(operation.variables, attachedFiles.get());
  const missing = emptyUploadPaths(operation.variables).filter(
    (path) => !uploads.some((upload) => upload.path === path),
  );
  if (missing.length > 0 && uploads.length > 0) return errorResponse(texts.fileMissing(missing));
  const tab = openTab.get();
  const headers = withAnswerWithin(tabHeaders);
  const start = performance.now();
  const response = await send(operation, headers, { uploads });
  const run = { response, ms: Math.round(performance.now() - start) };
  recordRun(tab, run);
  if (uploads.length > 0) clearUserFiles();
  return pendingPaths(response.data).size === 0
    ? truncateContent(response)
    : showParts(tab, fillIn(operation, headers, run));
}

async function* showParts(tab: string, parts: AsyncIterable<Run>): AsyncGenerator<GraphqlResponse> {
  for await (const run of parts) {
    recordRun(tab, run);
    yield truncateContent(run.response);
  }
}
