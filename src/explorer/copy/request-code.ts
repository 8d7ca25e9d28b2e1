import { emptyUploadPaths, toSlotName } from '../files/uploads';
import type { SafeHeader } from './secrets';

/** A request to be written down as code, with nothing secret in it. */
export interface WrittenRequest {
  readonly url: string;
  readonly query: string;
  readonly operationName: string | undefined;
  readonly kind: 'query' | 'mutation' | 'subscription';
  readonly variables: unknown;
  readonly headers: readonly SafeHeader[];
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const toBody = ({ query, operationName, variables }: WrittenRequest, indent?: number): string =>
  JSON.stringify({ query, ...(operationName === undefined ? {} : { operationName }), variables }, null, indent);

/** For a shell: secrets are variables of the environment, files are named after their places. */
export function toCurl(request: WrittenRequest): string {
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

/** For a program: secrets are constants that the reader declares. */
export function toFetch(request: WrittenRequest): string {
  const headers = request.headers
    .filter(({ name }) => name !== 'content-type')
    .map(({ name, value, secret }) =>
      secret === null
        ? `${JSON.stringify(name)}: ${JSON.stringify(value)}`
        : `${JSON.stringify(name)}: \`${value}\${${secret}}\``,
    );
  const all = [`"content-type": "application/json"`, ...headers].map((line) => `    ${line},`).join('\n');
  const body = toBody(request, 2).replaceAll('\n', '\n  ');
  return `const response = await fetch(${JSON.stringify(request.url)}, {
  method: "POST",
  headers: {
${all}
  },
  body: JSON.stringify(${body}),
});
const { data, errors, extensions } = await response.json();
`;
}

/** For a component, with the types that codegen makes of the document. */
export function toHook({ operationName = 'Unnamed', kind, variables }: WrittenRequest): string {
  const hook = kind === 'mutation' ? 'useMutation' : 'useQuery';
  const result = kind === 'mutation' ? '[run, { data, loading, error }]' : '{ data, loading, error }';
  return `import { ${hook} } from '@apollo/client/react';
import { ${operationName}Document } from './client/generated/graphql';

const ${result} = ${hook}(${operationName}Document, {
  variables: ${JSON.stringify(variables, null, 2).replaceAll('\n', '\n  ')},
});
`;
}
