import type { Answer } from './answer';
import type { Upload } from './files/uploads';

export interface Operation {
  readonly query: string;
  readonly operationName?: string | null | undefined;
  readonly variables?: unknown;
}

export type Headers = Readonly<Record<string, unknown>>;

interface Sending {
  readonly uploads?: readonly Upload[];
  readonly signal?: AbortSignal;
}

/** Sends one operation to the graph, which answers at the address of this page. What is no answer becomes one that says why. */
export async function send(operation: Operation, headers: Headers, sending: Sending = {}): Promise<Answer> {
  const { uploads = [], signal } = sending;
  try {
    const response = await fetch(location.pathname, {
      method: 'POST',
      headers: headersOf(headers, uploads.length > 0),
      body: uploads.length > 0 ? formOf(operation, uploads) : JSON.stringify(operation),
      credentials: 'same-origin',
      cache: 'no-store',
      ...(signal === undefined ? {} : { signal }),
    });
    return await read(response);
  } catch (error) {
    if (signal?.aborted) throw error;
    const why = error instanceof Error ? error.message : String(error);
    return fault(`The request could not be sent, or no answer came back (${why}). Does padron run?`);
  }
}

function headersOf(headers: Headers, multipart: boolean): Record<string, string> {
  const given = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return {
    accept: 'application/graphql-response+json, application/json;q=0.9',
    // The browser itself names the content type of a form, with its boundary.
    ...(multipart ? { 'apollo-require-preflight': 'true' } : { 'content-type': 'application/json' }),
    ...Object.fromEntries(given),
  };
}

/** A GraphQL multipart request: the operation, where each file belongs, and the files. */
function formOf(operation: Operation, uploads: readonly Upload[]): FormData {
  const form = new FormData();
  form.append('operations', JSON.stringify(operation));
  form.append(
    'map',
    JSON.stringify(Object.fromEntries(uploads.map(({ path }, index) => [index, [`variables.${path}`]]))),
  );
  for (const [index, { file }] of uploads.entries()) form.append(String(index), file, file.name);
  return form;
}

async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return fault(`HTTP ${response.status}, and no GraphQL answer in it.`);
  }
}

export function fault(message: string): Answer {
  return { errors: [{ message }] };
}
