import { type GraphQLSchema, parse, TypeInfo, visit, visitWithTypeInfo } from 'graphql';

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
