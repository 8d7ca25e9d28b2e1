import { type DocumentNode, visit } from 'graphql';

export const introspectionFields: readonly string[] = ['__schema', '__type'];
/** Fields that return the schema to clients, or as SDL to routers. */
export const schemaFields: readonly string[] = [...introspectionFields, '_service'];

/** The schema fields that each document selects. Documents are cached, so a known one is not visited again. */
const selectedFields = new WeakMap<DocumentNode, readonly string[]>();

export function findSelectedField(document: DocumentNode, names: readonly string[]): string | null {
  const selected = selectedFields.get(document) ?? listSchemaFields(document);
  selectedFields.set(document, selected);
  return selected.find((name) => names.includes(name)) ?? null;
}

function listSchemaFields(document: DocumentNode): readonly string[] {
  const found = new Set<string>();
  visit(document, {
    Field: ({ name: { value } }) => {
      if (schemaFields.includes(value)) found.add(value);
    },
  });
  return [...found];
}
