import type { GuideCredential } from '../../server/explorer/settings';
import { texts } from '../language/texts';
import { useLastRun } from '../requests/run';
import { findFiles } from './answered-file';
import { AnsweredFiles } from './answered-files';
import { Attachments } from './attachments';

/** Files on their way out, and documents that came back. */
export function FilesPanel({ credentials }: { readonly credentials: readonly GuideCredential[] }) {
  const run = useLastRun();
  const files = run === null ? [] : findFiles(run.response.data);
  return (
    <div className="padron-panel">
      <h1>{texts.panels.files}</h1>
      <Attachments credentials={credentials} />
      <section aria-label={texts.files.answered}>
        <h2>{texts.files.answered}</h2>
        {files.length === 0 ? <p className="padron-quiet">{texts.files.none}</p> : <AnsweredFiles files={files} />}
      </section>
    </div>
  );
}
