import type { GuideCredential } from '../../server/explorer/settings';
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
      <h1>Files</h1>
      <Attachments credentials={credentials} />
      <section aria-label="Documents of the last answer">
        <h2>Documents of the last answer</h2>
        {files.length === 0 ? (
          <p className="padron-quiet">
            None. Ask for <code>content</code> or <code>url</code> of a document, and it can be viewed and saved here.
          </p>
        ) : (
          <AnsweredFiles files={files} />
        )}
      </section>
    </div>
  );
}
