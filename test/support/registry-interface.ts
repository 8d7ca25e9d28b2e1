import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export interface Media {
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface Answer {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, Media>>;
}

interface Parameter {
  readonly in?: string;
  readonly name?: string;
  readonly required?: boolean;
}

export interface Operation {
  readonly operationId: string;
  readonly security?: readonly unknown[];
  readonly 'x-units': number;
  readonly 'x-permission': string | null;
  readonly 'x-batch': boolean;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Answer>>;
}

export interface OpenApi {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    readonly responses: Readonly<Record<string, Answer>>;
  };
}

export interface DocumentedEndpoint {
  /** Operation id, which is also the name of the endpoint in `src/graph`. */
  readonly name: string;
  readonly endpoint: string;
  readonly method: string;
  readonly path: string;
  readonly encoding: 'query' | 'json' | 'multipart';
  readonly units: number;
  readonly permission: string | null;
  readonly batch: boolean;
  /** Names of the query parameters, of the members of the JSON body, or of the parts of the form. */
  readonly inputs: readonly string[];
  readonly requiredInputs: readonly string[];
}

export const OPENAPI_FILE = join(__dirname, '../../schema/registry.openapi.yaml');

export const openApi = parse(readFileSync(OPENAPI_FILE, 'utf8'), { merge: true }) as OpenApi;

const operations = Object.entries(openApi.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);

function inputsOf({ parameters = [], requestBody }: Operation): Pick<DocumentedEndpoint, 'inputs' | 'requiredInputs'> {
  const [media] = Object.values(requestBody?.content ?? {});
  if (media === undefined) {
    const query = parameters.filter((parameter) => parameter.in === 'query');
    const names = (wanted: readonly Parameter[]) => wanted.map(({ name = '' }) => name);
    return { inputs: names(query), requiredInputs: names(query.filter(({ required }) => required)) };
  }
  const body = openApi.components.schemas[String(media.schema.$ref).replace('#/components/schemas/', '')];
  return { inputs: Object.keys(body?.properties ?? {}), requiredInputs: (body?.required ?? []) as readonly string[] };
}

function encodingOf({ requestBody }: Operation): DocumentedEndpoint['encoding'] {
  const [type] = Object.keys(requestBody?.content ?? {});
  if (type === undefined) return 'query';
  return type === 'application/json' ? 'json' : 'multipart';
}

export const documentedEndpoints: readonly DocumentedEndpoint[] = operations
  .filter(({ operation }) => operation.security === undefined)
  .map(({ path, method, operation }) => ({
    name: operation.operationId,
    endpoint: `${method} ${path}`,
    method,
    path,
    encoding: encodingOf(operation),
    units: operation['x-units'],
    permission: operation['x-permission'],
    batch: operation['x-batch'],
    ...inputsOf(operation),
  }));

/** Paths of the signed links, which are free and need no token. */
export const documentedLinks: readonly string[] = operations
  .filter(({ operation }) => operation.security?.length === 0)
  .map(({ path }) => path);

export function documentedEndpoint(name: string): DocumentedEndpoint {
  const found = documentedEndpoints.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`schema/registry.openapi.yaml has no operation ${name}.`);
  return found;
}
