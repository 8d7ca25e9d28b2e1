import { stripIgnoredCharacters } from 'graphql';
import type { SandboxGuide } from '../../../../../schema/explorer-settings';
import { emptyUploadPaths, toSlotName } from '../files/uploads';

export interface CodeRequest {
  readonly url: string;
  readonly query: string;
  readonly operationName: string | undefined;
  readonly kind: 'query' | 'mutation' | 'subscription';
  readonly variables: unknown;
  readonly headers: readonly SafeHeader[];
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Returns the body as JSON. The document is on one line, because JSON has no line breaks in texts. */
const toBody = ({ query, operationName, variables }: CodeRequest): string =>
  JSON.stringify(
    { query: onOneLine(query), ...(operationName === undefined ? {} : { operationName }), variables },
    null,
    2,
  );

function onOneLine(query: string): string {
  try {
    return stripIgnoredCharacters(query);
  } catch {
    return query;
  }
}

/** Returns a value as JSON whose lines after the first are indented. */
const indented = (value: unknown, spaces: number): string =>
  JSON.stringify(value, null, 2).replaceAll('\n', `\n${' '.repeat(spaces)}`);

/** Returns the request as a curl command. Secrets become environment variables, and files are named after their variables. */
export function toCurl(request: CodeRequest): string {
  const headers = request.headers.map(({ name, value, secret }) =>
    secret === null ? `-H ${quote(`${name}: ${value}`)}` : `-H "${name}: ${value}$${secret}"`,
  );
  const paths = emptyUploadPaths(request.variables);
  const map = Object.fromEntries(paths.map((path, index) => [index, [`variables.${path}`]]));
  const body =
    paths.length === 0
      ? [`-H 'content-type: application/json'`, ...headers, `-d ${quote(toBody(request))}`]
      : [
          `-H 'apollo-require-preflight: true'`,
          ...headers,
          `-F operations=${quote(toBody(request))}`,
          `-F map=${quote(JSON.stringify(map))}`,
          ...paths.map((path, index) => `-F ${index}=@${toSlotName(path)}`),
        ];
  return [`curl ${request.url}`, ...body].join(' \\\n  ');
}

/** Returns the request as a fetch call. Secrets become constants that the reader declares. */
export function toFetch(request: CodeRequest): string {
  const headers = request.headers
    .filter(({ name }) => name !== 'content-type')
    .map(({ name, value, secret }) =>
      secret === null
        ? `${JSON.stringify(name)}: ${JSON.stringify(value)}`
        : `${JSON.stringify(name)}: \`${value}\${${secret}}\``,
    );
  const all = [`"content-type": "application/json"`, ...headers].map((line) => `    ${line},`).join('\n');
  const { query, operationName, variables } = request;
  const body = [
    '    query,',
    ...(operationName === undefined ? [] : [`    operationName: ${JSON.stringify(operationName)},`]),
    `    variables: ${indented(variables, 4)},`,
  ].join('\n');
  return `const query = \`
${query.replaceAll(/[\\`]|\$\{/g, '\\$&')}
\`;

const response = await fetch(${JSON.stringify(request.url)}, {
  method: "POST",
  headers: {
${all}
  },
  body: JSON.stringify({
${body}
  }),
});
const { data, errors, extensions } = await response.json();
`;
}

/** Returns the request as a hook for a component, with the types that codegen generates from the document. */
export function toHook({ operationName = 'Unnamed', kind, variables }: CodeRequest): string {
  const hook = kind === 'mutation' ? 'useMutation' : 'useQuery';
  const result = kind === 'mutation' ? '[run, { data, loading, error }]' : '{ data, loading, error }';
  return `import { ${hook} } from '@apollo/client/react';
import { ${operationName}Document } from './generated/graphql';

const ${result} = ${hook}(${operationName}Document, {
  variables: ${indented(variables, 2)},
});
`;
}

export function toUrqlHook({ operationName = 'Unnamed', kind, variables }: CodeRequest): string {
  const hook = kind === 'mutation' ? 'useMutation' : 'useQuery';
  const imports = `import { ${hook} } from 'urql';
import { ${operationName}Document } from './generated/graphql';
`;
  if (kind === 'mutation')
    return `${imports}
const [{ data, fetching, error }, run] = useMutation(${operationName}Document);
await run(${indented(variables, 0)});
`;
  return `${imports}
const [{ data, fetching, error }] = useQuery({
  query: ${operationName}Document,
  variables: ${indented(variables, 2)},
});
`;
}

/** Tokens and passwords of the sandbox, which are not secret. */
export interface PublicValues {
  readonly tokens: ReadonlySet<string>;
  readonly passwords: ReadonlySet<string>;
}

export function findPublicValues(sandbox: SandboxGuide | null): PublicValues {
  return {
    tokens: new Set(sandbox?.tokens.map(({ token }) => token)),
    passwords: new Set(sandbox?.credentials.map(({ password }) => password)),
  };
}

/** A header without its secret. The reader appends the value of `secret` to `value`. */
export interface SafeHeader {
  readonly name: string;
  readonly value: string;
  readonly secret: string | null;
}

/** Headers whose values are not secret. */
const plainHeaders =
  /^(x-max-age|x-max-units|x-dry-run|x-sandbox|x-sandbox-delay|accept|accept-language|content-type|apollo-require-preflight)$/;

export function withoutSecretHeader(
  [given, content]: readonly [string, unknown],
  { tokens }: PublicValues,
): SafeHeader {
  const name = given.toLowerCase();
  const value = String(content);
  if (plainHeaders.test(name)) return { name, value, secret: null };
  if (name !== 'authorization') return { name, value: '', secret: name.toUpperCase().replace(/\W/g, '_') };
  const token = /^Bearer\s+(\S+)\s*$/i.exec(value)?.[1] ?? '';
  return tokens.has(token)
    ? { name, value: `Bearer ${token}`, secret: null }
    : { name, value: 'Bearer ', secret: 'TOKEN' };
}

/** Replaces passwords and file contents in variables by placeholders. */
export function withoutSecretValues(variables: unknown, { passwords }: PublicValues): unknown {
  return JSON.parse(
    JSON.stringify(variables, (name, value) => {
      const isSecret = name === 'base64' || (name === 'password' && !passwords.has(value));
      return isSecret && typeof value === 'string' && value !== '' ? `<${name}>` : value;
    }),
  );
}

/** Replaces passwords and file contents in a document by placeholders. */
export function withoutSecretLiterals(query: string): string {
  return query.replace(/\b(password|base64)(\s*:\s*)("""[\s\S]*?"""|"(?:\\.|[^"\\\n])*")/g, '$1$2"<$1>"');
}
