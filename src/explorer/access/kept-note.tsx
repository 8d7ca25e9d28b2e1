import { texts } from '../language/texts';
import { useLastRun } from '../requests/run';

/** What a reload leaves, said where the answer will stand. */
export function KeptNote() {
  return useLastRun() === null ? <p className="padron-kept">{texts.kept}</p> : null;
}
