import type { GraphiQLProps } from 'graphiql';
import type { ExplorerSettings } from '../../../../../schema/explorer-settings';
import { truncateContent } from '../files/response-files';
import { attachedFiles, clearUserFiles, collectUploads, emptyUploadPaths } from '../files/uploads';
import { texts } from '../language/texts';
import { token, withToken } from '../token';
import { followUp, pendingPaths } from './follow-up';
import type { GraphqlResponse } from './request';
import { errorResponse, type Headers, type Operation, send } from './request';
import { openTab, type Run, recordRun } from './run';
import { withRunHeaders } from './run-headers';
import { orderSchema } from './schema';

/** Creates the function with which GraphiQL sends operations. It adds attached files and records the response. */
export function createFetcher(settings: Pick<ExplorerSettings, 'headers'>): GraphiQLProps['fetcher'] {
  // The first query for the schema does not have the headers of the tab yet.
  const schemaHeaders: Headers = JSON.parse(settings.headers);
  return async (operation, options) => {
    const headers = withToken(options?.headers ?? {}, token.get());
    const isAboutSchema = operation.operationName === 'IntrospectionQuery';
    const response = isAboutSchema
      ? fetchSchema(operation, { ...schemaHeaders, ...headers })
      : runOperation(operation, headers);
    return (await response) as never;
  };
}

/** Returns the schema. Returns an empty error if the token is missing or not valid, because the page then asks for it. */
async function fetchSchema(operation: Operation, headers: Headers): Promise<GraphqlResponse | ''> {
  const response = await send(operation, headers);
  const isRefused = response.errors?.some(({ extensions }) => extensions?.code === 'UNAUTHENTICATED');
  return isRefused ? '' : orderSchema(response);
}

/** Returns the response, or one response after the other while answers are still running. */
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
  const headers = withRunHeaders(tabHeaders);
  const start = performance.now();
  const response = await send(operation, headers, { uploads });
  const run = { response, ms: Math.round(performance.now() - start) };
  recordRun(tab, run);
  if (uploads.length > 0) clearUserFiles();
  return pendingPaths(response.data).size === 0
    ? truncateContent(response)
    : showRuns(tab, followUp(operation, headers, run));
}

async function* showRuns(tab: string, runs: AsyncIterable<Run>): AsyncGenerator<GraphqlResponse> {
  for await (const run of runs) {
    recordRun(tab, run);
    yield truncateContent(run.response);
  }
}
