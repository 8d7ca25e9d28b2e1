import type { Estimate } from '../../../../../schema/client/price-of';
import type { UnitUsage } from '../../../../../schema/client/units';
import type { FileUpload } from '../files/uploads';
import { language } from '../language/language';
import { texts } from '../language/texts';
import { recordService } from '../service-badge';

export type EndpointPrice = Pick<Estimate['endpoints'][number], 'url' | 'fields' | 'calls' | 'subtotal'>;

export interface GraphqlError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: { readonly code?: string; readonly estimate?: Estimate; readonly budget?: number };
}

export interface GraphqlResponse {
  readonly data?: unknown;
  readonly errors?: readonly GraphqlError[];
  readonly extensions?: { readonly units?: UnitUsage; readonly estimate?: Estimate };
}

/** Returns an error in the user's language. The server's messages about whole requests are in English, for developers. */
export function describeError({ message, extensions = {} }: GraphqlError): string {
  const { code = '', budget, estimate } = extensions;
  if (code === 'UNIT_BUDGET_EXCEEDED' && budget !== undefined && estimate !== undefined)
    return texts.errors.overBudget(texts.units(estimate.estimatedUnits), budget);
  const [, variable, type] = /^Variable "(\$[^"]+)": expected ([^,]+),/.exec(message) ?? [];
  if (variable !== undefined && type !== undefined) return texts.errors.rejectedVariable(variable, type, message);
  return texts.errors.byCode[code] ?? message;
}

export interface Operation {
  readonly query: string;
  readonly operationName?: string | null | undefined;
  readonly variables?: unknown;
}

export type Headers = Readonly<Record<string, unknown>>;

interface SendOptions {
  readonly uploads?: readonly FileUpload[];
  readonly signal?: AbortSignal;
}

/** Sends one operation to the graph, which has the same URL as this page. A failed request is returned as a GraphQL error. */
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
    recordService(response.headers.get('x-registry-service'));
    return await readResponse(response);
  } catch (error) {
    if (signal?.aborted) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    return errorResponse(texts.notSent(reason));
  }
}

function toRequestHeaders(headers: Headers, multipart: boolean): Record<string, string> {
  const customHeaders = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), toUtf8(String(value))]);
  return {
    'accept-language': language,
    accept: 'application/graphql-response+json, application/json;q=0.9',
    // The browser sets the content type of a form, including its boundary.
    ...(multipart ? { 'apollo-require-preflight': 'true' } : { 'content-type': 'application/json' }),
    ...Object.fromEntries(customHeaders),
  };
}

/** Returns a header whose characters are the bytes of its UTF-8. A browser sends each character as a byte, and refuses those above U+00FF. */
const toUtf8 = (value: string): string => String.fromCharCode(...new TextEncoder().encode(value));

/** Returns a GraphQL multipart request: the operation, the map of files to variables, and the files. */
function toMultipartForm(operation: Operation, uploads: readonly FileUpload[]): FormData {
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

/** Removes `x-max-units` and `x-dry-run`, which only apply to the operation of the tab and not to the panels' requests. */
export function withoutSpendingHeaders(headers: Headers): Headers {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !['x-dry-run', 'x-max-units'].includes(name.toLowerCase())),
  );
}

export type Reply<Value> = { readonly value: Value } | { readonly code: string | undefined; readonly reason: string };

/** Sends a query and returns the field that it names `value`. The panels' requests ignore the budget of the tab. */
export async function fetchValue<Value>(
  headers: Headers,
  query: string,
  variables: object,
  signal?: AbortSignal,
): Promise<Reply<Value | null>> {
  const response = await send(
    { query, variables },
    withoutSpendingHeaders(headers),
    signal === undefined ? {} : { signal },
  );
  const [error] = response.errors ?? ([] as readonly GraphqlError[]);
  if (error !== undefined) return { code: error.extensions?.code, reason: describeError(error) };
  return { value: (response.data as { readonly value: Value | null }).value };
}
