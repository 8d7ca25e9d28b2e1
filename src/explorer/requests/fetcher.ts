import type { GraphiQLProps } from 'graphiql';
import { truncateContent } from '../files/response-file';
import { attachedFiles, clearUserFiles, collectUploads, emptyUploadPaths } from '../files/uploads';
import { texts } from '../language/texts';
import type { GraphqlResponse } from './graphql-response';
import { errorResponse, type Operation, send } from './request';
import { openTab, recordRun } from './run';

/** Creates the function with which GraphiQL sends operations. It adds attached files and records the response. */
export function createFetcher(): GraphiQLProps['fetcher'] {
  return async (operation, options) => {
    if (operation.operationName === 'IntrospectionQuery')
      return (await send(operation, options?.headers ?? {})) as never;
    return (await runOperation(operation, options?.headers ?? {})) as never;
  };
}

async function runOperation(
  operation: Operation,
  headers: Readonly<Record<string, unknown>>,
): Promise<GraphqlResponse> {
  const uploads = collectUploads(operation.variables, attachedFiles.get());
  const missing = emptyUploadPaths(operation.variables).filter(
    (path) => !uploads.some((upload) => upload.path === path),
  );
  if (missing.length > 0 && uploads.length > 0) return errorResponse(texts.fileMissing(missing));
  const tab = openTab.get();
  const start = performance.now();
  const response = await send(operation, headers, { uploads });
  recordRun(tab, { response, ms: Math.round(performance.now() - start) });
  if (uploads.length > 0) clearUserFiles();
  return truncateContent(response);
}
