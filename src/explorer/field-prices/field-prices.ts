import { useGraphiQL } from '@graphiql/react';
import { useEffect, useState } from 'react';
import { texts } from '../language/texts';
import { parseObject, useActiveTab } from '../tabs/active-tab';
import { findPaidFields, type PricedField } from './paid-fields';
import { fetchUnitsByField } from './units-by-field';

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
