import { BREAK, type DocumentNode, visit } from 'graphql';

/** Fields that return the schema to clients. */
export const introspectionFields: readonly string[] = ['__schema', '__type'];
/** Fields that return the schema to clients, or as SDL to routers. */
export const schemaFields: readonly string[] = [...introspectionFields, '_service'];

/** Returns the first of these fields that a document selects. Returns null if it selects none of them. */
export function findSelectedField(document: DocumentNode, names: readonly string[]): string | null {
  let found: string | null = null;
  visit(document, {
    Field: ({ name: { value } }) => {
      if (!names.includes(value)) return undefined;
      found = value;
      return BREAK;
    },
  });
  return found;
}
