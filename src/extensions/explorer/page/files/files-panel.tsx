import { useId } from 'react';
import type { GuideCredential } from '../../../../../schema/explorer-settings';
import { texts } from '../language/texts';
import { useLastRun } from '../requests/run';
import { useStore } from '../store';
import { parseObject, useActiveTab } from '../tabs/active-tab';
import { decodeBase64, findFiles, ResponseFiles } from './response-files';
import { attach, attachedFiles, detach, emptyUploadPaths, keepsFiles, toSlotName } from './uploads';

const words = texts.files;

/** A file input for each `upload: null` in the variables of the tab. */
function Attachments({ credentials }: { readonly credentials: readonly GuideCredential[] }) {
  const { variables } = useActiveTab();
  const slots = emptyUploadPaths(parseObject(variables)).map(toSlotName);
  return (
    <section aria-label={words.attach}>
      <h2>{words.attach}</h2>
      {slots.length === 0 ? (
        <p className="padron-quiet">
          {words.noUpload} <code>{'{ "upload": null }'}</code>, {words.asInTab}
        </p>
      ) : (
        <>
          {slots.map((slot) => (
            <Slot key={slot} slot={slot} />
          ))}
          {credentials.length > 0 && <TestCredentials credentials={credentials} />}
          <KeepFiles />
        </>
      )}
    </section>
  );
}

function Slot({ slot }: { readonly slot: string }) {
  const attachedFile = useStore(attachedFiles).get(slot);
  const id = useId();
  return (
    <div className="padron-slot">
      <label htmlFor={id}>{slot}</label>
      {attachedFile === undefined ? (
        <input
          id={id}
          type="file"
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            if (file !== undefined) attach(slot, file);
          }}
        />
      ) : (
        <span className="padron-row">
          <span id={id}>
            {attachedFile.file.name} <span className="padron-quiet">{texts.bytes(attachedFile.file.size)}</span>
          </span>
          <button type="button" onClick={() => detach(slot)} aria-label={words.removeFrom(slot)}>
            {words.remove}
          </button>
        </span>
      )}
    </div>
  );
}

function TestCredentials({ credentials }: { readonly credentials: readonly GuideCredential[] }) {
  const id = useId();
  const attachByName = (name: string): void => {
    const credential = credentials.find((candidate) => candidate.name === name);
    if (credential !== undefined) attachTestCredential(credential);
  };
  return (
    <div className="padron-slot">
      <label htmlFor={id}>{words.testCredentials}</label>
      <select id={id} value="" onChange={({ target }) => attachByName(target.value)}>
        <option value="" disabled>
          {words.choose}
        </option>
        {credentials.map(({ name, rfc, password }) => (
          <option key={name} value={name}>
            {words.credentials[name] ?? name}: {rfc}, {words.password} {password}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Attaches a test credential, so that the signature check can run immediately. */
export function attachTestCredential({ name, certificate, privateKey }: GuideCredential): void {
  attach('certificate', new File([decodeBase64(certificate)], `${name}.cer`), true);
  attach('privateKey', new File([decodeBase64(privateKey)], `${name}.key`), true);
}

function KeepFiles() {
  const keep = useStore(keepsFiles);
  return (
    <>
      <label className="padron-check">
        <input type="checkbox" checked={keep} onChange={({ target }) => keepsFiles.set(target.checked)} />
        {words.keep}
      </label>
      <p className="padron-quiet">{words.keepAbout}</p>
    </>
  );
}

export function FilesPanel({ credentials }: { readonly credentials: readonly GuideCredential[] }) {
  const run = useLastRun();
  const files = run === null ? [] : findFiles(run.response.data);
  return (
    <>
      <Attachments credentials={credentials} />
      <section aria-label={texts.files.documents}>
        <h2>{texts.files.documents}</h2>
        {files.length === 0 ? <p className="padron-quiet">{texts.files.none}</p> : <ResponseFiles files={files} />}
      </section>
    </>
  );
}
