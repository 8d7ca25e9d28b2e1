import type { LookupOutcome } from './generated/graphql';

/** What a lookup must select to be judged. */
interface Judgeable {
  readonly outcome: LookupOutcome;
  readonly problems: readonly { readonly code: string }[];
}

/** What a lookup holds whenever its outcome is FOUND: the schema promises no more (a receipt may come without its PDF). */
type Finding = 'record' | 'records' | 'document' | 'valid';

/** A lookup whose answer is there: of `record`, `records`, `document`, `valid`, those that it selects are not null. */
export type Found<Lookup extends Judgeable> = Lookup & {
  readonly outcome: 'FOUND';
} & { readonly [Field in keyof Lookup & Finding]: NonNullable<Lookup[Field]> };

/** Problems that say: this answer may be about somebody else. Its record is there to be looked into, not to be shown. */
const foreign: ReadonlySet<string> = new Set(['ANSWER_MISMATCH', 'IDENTITY_CONFLICT']);

/**
 * Whether an answer is about whom it was asked about, as far as can be seen. For an answer that is no finding: a NOT_FOUND that
 * speaks of another month or employer says nothing of yours. `isFound` asks this by itself.
 */
export function isTrusted({ problems }: Pick<Judgeable, 'problems'>): boolean {
  return problems.every(({ code }) => !foreign.has(code));
}

/**
 * Whether a registry answered with data about whom it was asked about; afterwards its record is read without `?.` or a cast.
 * A stranger's record is no finding: with the problem ANSWER_MISMATCH or IDENTITY_CONFLICT this is false, though the outcome is FOUND.
 * A guard and not a union, since GraphQL has no enum-discriminated objects: select `outcome` and `problems { code }` on the lookup
 * itself or in a fragment. Names are the schema's: a record behind an alias is not narrowed.
 */
export function isFound<Lookup extends Judgeable>(lookup: Lookup | null | undefined): lookup is Found<Lookup> {
  return lookup?.outcome === 'FOUND' && isTrusted(lookup);
}

/** Whether the registry has not answered yet, and the call continues. Ask again after `retryAfter` seconds, or let `retryFailed` do it. */
export function isPending(lookup: Pick<Judgeable, 'problems'> | null | undefined): boolean {
  return lookup?.problems.some(({ code }) => code === 'STILL_RUNNING') ?? false;
}
