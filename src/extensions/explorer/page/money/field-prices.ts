import { useGraphiQL } from '@graphiql/react';
import { type GraphQLSchema, parse, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import { useEffect } from 'react';
import { texts } from '../language/texts';
import { fetchValue } from '../requests/request';
import { createStore, useStore } from '../store';
import { useActiveTab } from '../tabs/active-tab';

interface Endpoint {
  readonly units: number;
  /** Whether the service allows it in batches. */
  readonly batch: boolean;
  /** The fields that call it, such as `Person.credit`. */
  readonly fields: readonly string[];
}

/** The endpoints of the graph. Empty until they are loaded, which is free. */
export const paidEndpoints = createStore<readonly Endpoint[]>([]);

/** Shows the price of one call after each paid field of the operation. The price tag shows the total. */
export function FieldPrices(): null {
  const { headers } = useActiveTab();
  const schema = useGraphiQL((state) => state.schema);
  const editor = useGraphiQL(({ queryEditor }) => queryEditor);
  const endpoints = useStore(paidEndpoints);
  const isUnpriced = endpoints.length === 0;
  useEffect(() => {
    if (!schema || !isUnpriced || headers === null) return;
    const controller = new AbortController();
    const query = '{ value: registryEndpoints { units batch fields } }';
    fetchValue<readonly Endpoint[]>(headers, query, {}, controller.signal).then(
      (reply) => 'value' in reply && paidEndpoints.set(reply.value ?? []),
      () => undefined,
    );
    return () => controller.abort();
  }, [schema, headers, isUnpriced]);
  useEffect(() => {
    if (!editor || !schema) return;
    const collection = editor.createDecorationsCollection();
    const draw = (): void => {
      collection.set(findPaidFields(editor.getValue(), schema, endpoints).map(toDecoration));
    };
    draw();
    // The text is read from the editor, because a tab becomes active before its text is loaded.
    const listener = editor.onDidChangeModelContent(draw);
    return () => {
      listener.dispose();
      collection.clear();
    };
  }, [editor, schema, endpoints]);
  return null;
}

function toDecoration({ line, column, units }: PricedField) {
  return {
    range: { startLineNumber: line, startColumn: column, endLineNumber: line, endColumn: column },
    options: {
      showIfCollapsed: true,
      after: { content: ` · ${texts.units(units)}`, inlineClassName: 'padron-field-price' },
    },
  };
}

/** A field that costs units, and the end of its name in the document. */
interface PricedField {
  readonly name: string;
  readonly line: number;
  readonly column: number;
  readonly units: number;
}

/** Returns the fields of a document that call one of the endpoints, or none if it has a syntax error. */
export function findPaidFields(
  query: string,
  schema: GraphQLSchema,
  endpoints: readonly Endpoint[],
): readonly PricedField[] {
  const prices = new Map(endpoints.flatMap(({ units, fields }) => fields.map((field) => [field, units])));
  const found: PricedField[] = [];
  const typeInfo = new TypeInfo(schema);
  try {
    const enter = visitWithTypeInfo(typeInfo, {
      Field: ({ name }) => {
        const units = prices.get(`${typeInfo.getParentType()?.name}.${name.value}`) ?? 0;
        const token = name.loc?.endToken;
        if (units > 0 && token !== undefined)
          found.push({ name: name.value, line: token.line, column: token.column + name.value.length, units });
      },
    });
    visit(parse(query), enter);
  } catch {
    return [];
  }
  return found;
}
