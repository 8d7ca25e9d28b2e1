import { findFiles } from '../files/response-file';
import { texts } from '../language/texts';
import { openPanel } from '../open-panel';
import { useLastRun } from '../requests/run';

/** A line below the response with its cost and the number of its documents. */
export function Summary() {
  const run = useLastRun();
  if (run === null) return null;
  const { units } = run.response.extensions ?? {};
  const files = findFiles(run.response.data);
  return (
    <div className="padron-summary" role="status">
      <button type="button" onClick={() => openPanel('Money')}>
        <strong>{texts.money.spentUnits(texts.units(units?.spent ?? 0))}</strong>
        {units !== undefined && units.saved > 0 && `, ${texts.money.savedUnits(units.saved)}`}
        {units !== undefined && units.uncertain > 0 && `, ${texts.money.uncertainUnits(units.uncertain)}`}
        {` · ${texts.calls(units?.calls.length ?? 0)} · ${run.ms} ms`}
      </button>
      {files.length > 0 && (
        <button type="button" onClick={() => openPanel('Files')}>
          {files.length === 1 ? texts.oneDocument : texts.documents(files.length)}
        </button>
      )}
    </div>
  );
}
