import { useGraphiQL } from '@graphiql/react';
import { type GraphQLSchema, parse, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import { useEffect, useState } from 'react';
import { texts } from '../language/texts';
import { fetchValue, type Headers } from '../requests/request';
import { parseObject, useActiveTab } from '../tabs/active-tab';

/** Shows the price of one call after each paid field of the operation. The price tag shows the total. */
export function FieldPrices(): null {
  const { headers } = useActiveTab();
  const schema = useGraphiQL((state) => state.schema);
  const editor = useGraphiQL(({ queryEditor }) => queryEditor);
  const [prices, setPrices] = useState<ReadonlyMap<string, number>>(new Map());
  const isUnpriced = prices.size === 0;
  useEffect(() => {
    const parsed = parseObject(headers);
    if (!schema || !isUnpriced || parsed === null) return;
    const controller = new AbortController();
    fetchUnitsByField(parsed, controller.signal).then(setPrices, () => undefined);
    return () => controller.abort();
  }, [schema, headers, isUnpriced]);
  useEffect(() => {
    if (!editor || !schema) return;
    const collection = editor.createDecorationsCollection();
    const draw = (): void => {
      collection.set(findPaidFields(editor.getValue(), schema, prices).map(toDecoration));
    };
    draw();
    // The text is read from the editor, because a tab becomes active before its text is loaded.
    const listener = editor.onDidChangeModelContent(draw);
    return () => {
      listener.dispose();
      collection.clear();
    };
  }, [editor, schema, prices]);
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

/** Fetches the price of each paid field such as `Person.credit`, which is free. Returns an empty map if the request fails. */
export async function fetchUnitsByField(headers: Headers, signal: AbortSignal): Promise<ReadonlyMap<string, number>> {
  const query = '{ value: registryEndpoints { units fields } }';
  const reply = await fetchValue<readonly { units: number; fields: readonly string[] }[]>(headers, query, {}, signal);
  const endpoints = ('value' in reply && reply.value) || [];
  return new Map(endpoints.flatMap(({ units, fields }) => fields.map((field) => [field, units] as const)));
}

/** A field that costs units, and the end of its name in the document. */
export interface PricedField {
  readonly name: string;
  readonly line: number;
  readonly column: number;
  readonly units: number;
}

/** Returns the paid fields of a document, or none if it has a syntax error. */
export function findPaidFields(
  query: string,
  schema: GraphQLSchema,
  prices: ReadonlyMap<string, number>,
): readonly PricedField[] {
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
