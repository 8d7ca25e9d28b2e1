import { type DocumentNode, parse, print, TypeInfo, type ValueNode, visit, visitWithTypeInfo } from 'graphql';
import { buildGraph } from '../../src/graph/schema/build-schema';

const { schema } = buildGraph();

/** An operation whose values come as variables, as clients send them. */
export interface Parametrised {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Takes the values out of a document. */
export function parametrised(text: string): Parametrised {
  const types = new TypeInfo(schema);
  const declarations: string[] = [];
  const variables: Record<string, unknown> = {};
  const take = (node: ValueNode, value: unknown) => {
    const name = `v${declarations.length}`;
    declarations.push(`$${name}: ${types.getInputType()}`);
    variables[name] = value;
    return { kind: 'Variable', name: { kind: 'Name', value: name }, loc: node.loc };
  };
  const document: DocumentNode = visit(
    parse(text),
    visitWithTypeInfo(types, {
      StringValue: (node) => take(node, node.value),
      IntValue: (node) => take(node, Number(node.value)),
      BooleanValue: (node) => take(node, node.value),
    }),
  );
  const head = declarations.length === 0 ? 'query Asked' : `query Asked(${declarations.join(', ')})`;
  return { query: print(document).replace(/^(query)? ?(?=\{)/, `${head} `), variables };
}
