import { registerEnumType } from 'type-graphql';

/** Registers an enum of the graph. `values` has the description of each value. Returns the values by name. */
export function enumType<Value extends string>(
  name: string,
  description: string,
  values: Readonly<Record<Value, string>>,
): { readonly [Name in Value]: Name } {
  const entries: readonly (readonly [string, string])[] = Object.entries(values);
  const enumeration = Object.fromEntries(entries.map(([value]) => [value, value]));
  const valuesConfig = Object.fromEntries(entries.map(([value, text]) => [value, { description: text }]));
  registerEnumType(enumeration, { name, description, valuesConfig });
  return enumeration as { readonly [Name in Value]: Name };
}
