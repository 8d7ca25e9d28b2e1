import type { GuideCredential } from '../../server/explorer/settings';
import { texts } from '../language/texts';
import { useLastRun } from '../requests/run';
import { Attachments } from './attachments';
import { findFiles } from './response-file';
import { ResponseFiles } from './response-files';

/** The Files panel: attached files, and documents of the last response. */
export function FilesPanel({ credentials }: { readonly credentials: readonly GuideCredential[] }) {
  const run = useLastRun();
  const files = run === null ? [] : findFiles(run.response.data);
  return (
    <div className="padron-panel">
      <h1>{texts.panels.files}</h1>
      <Attachments credentials={credentials} />
      <section aria-label={texts.files.documents}>
        <h2>{texts.files.documents}</h2>
        {files.length === 0 ? <p className="padron-quiet">{texts.files.none}</p> : <ResponseFiles files={files} />}
      </section>
    </div>
  );
}
