/** The fields of a lookup that decide whether it was found. */
interface Judgeable {
  readonly outcome: string;
  readonly problems: readonly { readonly code: string }[];
}

/** The fields that are not null if the outcome is FOUND. Others may be null: for example, a receipt may have no PDF. */
type Finding = 'record' | 'records' | 'document' | 'valid';

/** A lookup that was found. Those of `record`, `records`, `document` and `valid` that it selects are not null. */
export type Found<Lookup extends Judgeable> = Lookup & {
  readonly outcome: 'FOUND';
} & { readonly [Field in keyof Lookup & Finding]: NonNullable<Lookup[Field]> };

/** Problems of an answer that may be about somebody else. Do not show its record. */
const foreign: ReadonlySet<string> = new Set(['ANSWER_MISMATCH', 'IDENTITY_CONFLICT']);

/**
 * Whether an answer is about the person or employer of the question, as far as padron can see. Use it for answers that were not found:
 * a NOT_FOUND about another month or employer tells you nothing about yours. `isFound` includes this check.
 */
export function isTrusted({ problems }: Pick<Judgeable, 'problems'>): boolean {
  return problems.every(({ code }) => !foreign.has(code));
}

/**
 * Whether a registry answered with data about the person or employer of the question. TypeScript then knows that the record is not null.
 * With the problem ANSWER_MISMATCH or IDENTITY_CONFLICT, or if `records` cannot be read, it is false, even if the outcome is FOUND. Select `outcome` and
 * `problems { code }` on the lookup itself or in a fragment. Do not give the record an alias: an alias is not narrowed.
 */
export function isFound<Lookup extends Judgeable>(lookup: Lookup | null | undefined): lookup is Found<Lookup> {
  if (lookup?.outcome !== 'FOUND' || !isTrusted(lookup)) return false;
  return !('records' in lookup) || lookup.records !== null;
}

/** Whether the lookup, or one that it needs, is still running. Ask again after `retryAfter` seconds, or let `retryFailed` do it. */
export function isPending(lookup: Pick<Judgeable, 'problems'> | null | undefined): boolean {
  return lookup?.problems.some(({ code }) => code === 'STILL_RUNNING') ?? false;
}
