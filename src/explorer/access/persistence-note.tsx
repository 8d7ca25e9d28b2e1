import { texts } from '../language/texts';
import { useLastRun } from '../requests/run';

/** A note, shown until the first response, on what a reload preserves. `needsToken` is true if the user enters a token. */
export function PersistenceNote({ needsToken }: { readonly needsToken: boolean }) {
  if (useLastRun() !== null) return null;
  return <p className="padron-persistence">{needsToken ? texts.persistenceWithToken : texts.persistence}</p>;
}
