import type { DocumentNode } from 'graphql';
import { type LookupParts, pruneDocument } from './failed-lookups';
import { isPending } from './is-found';

/** Answers of a list that are this young are replayed for no units: less than the default of `REPLAY_SECONDS`. */
const replayedMs = 20_000;

/**
 * Returns the part of an operation that is still running, with the plain fields beside it that identify its entity. Returns null if
 * everything has arrived. A list is asked again as a whole, and only as long as its other answers are replayed.
 */
export function documentOfPending(document: DocumentNode, data: unknown, now = Date.now()): DocumentNode | null {
  return pruneDocument(document, data, {
    isWanted: (lookups) =>
      lookups.some(isPending) && lookups.every((lookup) => isPending(lookup) || isReplayed(lookup, now)),
  });
}

/** Returns the seconds until the first answer that is still running is expected. Returns null if none is running. */
export function secondsUntilDue(document: DocumentNode, data: unknown): number | null {
  const seconds: number[] = [];
  pruneDocument(document, data, {
    isWanted: (lookups) => {
      for (const { problems } of lookups)
        for (const { code, retryAfter } of problems) if (code === 'STILL_RUNNING') seconds.push(retryAfter ?? 1);
      return false;
    },
  });
  return documentOfPending(document, data) === null ? null : Math.min(...seconds);
}

function isReplayed({ evidence }: LookupParts, now: number): boolean {
  return now - Date.parse(evidence?.checkedAt ?? '') < replayedMs;
}
