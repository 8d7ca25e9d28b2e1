import { texts } from '../language/texts';
import { useLastRun } from '../requests/run';

/** A note about what a reload preserves, shown until the first response. */
export function PersistenceNote() {
  return useLastRun() === null ? <p className="padron-persistence">{texts.persistence}</p> : null;
}
