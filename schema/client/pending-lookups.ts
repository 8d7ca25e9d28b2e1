import type { DocumentNode } from 'graphql';
import { type LookupParts, pruneDocument } from './failed-lookups';
import { isPending } from './is-found';

/**
 * Returns the part of an operation that is still running, with the plain fields beside it that identify its entity. Returns null if
 * everything has arrived. A list is asked again as a whole, and only if the server replays its other answers.
 */
export function documentOfPending(document: DocumentNode, data: unknown): DocumentNode | null {
  return pruneDocument(document, data, {
    isWanted: (lookups) =>
      lookups.some(isPending) && lookups.every((lookup) => isPending(lookup) || isReplayed(lookup)),
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

/** Whether the server keeps an answer for `REPLAY_SECONDS`: it keeps neither failures nor answers about somebody else. */
function isReplayed({ outcome, problems }: LookupParts): boolean {
  return (outcome === 'FOUND' || outcome === 'NOT_FOUND') && problems.every(({ code }) => code !== 'ANSWER_MISMATCH');
}
