import { Kind, parse, print, specifiedDirectives, visit } from 'graphql';

const standardDirectives: ReadonlySet<string> = new Set(specifiedDirectives.map(({ name }) => name));

/**
 * Returns the SDL that clients query, for tools that do not know federation: the subgraph's SDL with only the directives that
 * the specification of GraphQL defines.
 */
export function toApiSdl(subgraphSdl: string): string {
  const api = visit(parse(subgraphSdl), {
    [Kind.SCHEMA_EXTENSION]: () => null,
    [Kind.DIRECTIVE]: ({ name }) => (standardDirectives.has(name.value) ? undefined : null),
  });
  return `${print(api)}\n`;
}
