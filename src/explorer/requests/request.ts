import { noteService } from '../access/registry-service';
import type { Upload } from '../files/uploads';
import { texts } from '../language/texts';
import type { GraphqlResponse } from './graphql-response';

export interface Operation {
  readonly query: string;
  readonly operationName?: string | null | undefined;
  readonly variables?: unknown;
}

export type Headers = Readonly<Record<string, unknown>>;

interface SendOptions {
  readonly uploads?: readonly Upload[];
  readonly signal?: AbortSignal;
}

/** Sends one operation to the graph, which answers at the address of this page. What is no GraphQL answer becomes an error that says why. */
export async function send(
  operation: Operation,
  headers: Headers,
  options: SendOptions = {},
): Promise<GraphqlResponse> {
  const { uploads = [], signal } = options;
  try {
    const response = await fetch(location.pathname, {
      method: 'POST',
      headers: toRequestHeaders(headers, uploads.length > 0),
      body: uploads.length > 0 ? toMultipartForm(operation, uploads) : JSON.stringify(operation),
      credentials: 'same-origin',
      cache: 'no-store',
      ...(signal === undefined ? {} : { signal }),
    });
    noteService(response.headers.get('x-registry-service'));
    return await readResponse(response);
  } catch (error) {
    if (signal?.aborted) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    return errorResponse(texts.notSent(reason));
  }
}

function toRequestHeaders(headers: Headers, multipart: boolean): Record<string, string> {
  const customHeaders = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return {
    accept: 'application/graphql-response+json, application/json;q=0.9',
    // The browser itself names the content type of a form, with its boundary.
    ...(multipart ? { 'apollo-require-preflight': 'true' } : { 'content-type': 'application/json' }),
    ...Object.fromEntries(customHeaders),
  };
}

/** A GraphQL multipart request: the operation, where each file belongs, and the files. */
function toMultipartForm(operation: Operation, uploads: readonly Upload[]): FormData {
  const form = new FormData();
  form.append('operations', JSON.stringify(operation));
  form.append(
    'map',
    JSON.stringify(Object.fromEntries(uploads.map(({ path }, index) => [index, [`variables.${path}`]]))),
  );
  for (const [index, { file }] of uploads.entries()) form.append(String(index), file, file.name);
  return form;
}

async function readResponse(response: Response): Promise<GraphqlResponse> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return errorResponse(texts.noGraphql(response.status));
  }
}

export function errorResponse(message: string): GraphqlResponse {
  return { errors: [{ message }] };
}

/** For what is read beside the operation of the tab: whatever that may spend, and also where only its price is asked. */
export function withoutMoney(headers: Headers): Headers {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !['x-dry-run', 'x-max-units'].includes(name.toLowerCase())),
  );
}
