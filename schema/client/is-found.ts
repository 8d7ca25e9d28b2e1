import type { LookupOutcome } from './generated/graphql';

/** What a lookup holds whenever its outcome is FOUND: the schema promises no more (a receipt may come without its PDF). */
type Finding = 'record' | 'records' | 'document' | 'valid';

/** A lookup whose answer is there: of `record`, `records`, `document`, `valid`, those that it selects are not null. */
export type Found<Lookup extends { readonly outcome: LookupOutcome }> = Lookup & {
  readonly outcome: 'FOUND';
} & { readonly [Field in keyof Lookup & Finding]: NonNullable<Lookup[Field]> };

/**
 * Whether a registry answered with data; afterwards its record is read without `?.` or a cast.
 * A guard and not a union, since GraphQL has no enum-discriminated objects: select `outcome` on the lookup itself or in a fragment.
 * Names are the schema's: a record behind an alias is not narrowed.
 */
export function isFound<Lookup extends { readonly outcome: LookupOutcome }>(
  lookup: Lookup | null | undefined,
): lookup is Found<Lookup> {
  return lookup?.outcome === 'FOUND';
}
