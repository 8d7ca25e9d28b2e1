import { useId } from 'react';
import type { GuideCredential } from '../../server/explorer/settings';
import { useStore } from '../store';
import { parseObject, useActiveTab } from '../tabs/active-tab';
import { decodeBase64 } from './answered-file';
import { attach, attachedFiles, detach, emptyUploadPaths, keepsFiles, toSlotName } from './uploads';

/** A place for a file wherever the variables of the tab say `upload: null`. */
export function Attachments({ credentials }: { readonly credentials: readonly GuideCredential[] }) {
  const { variables } = useActiveTab();
  const slots = emptyUploadPaths(parseObject(variables)).map(toSlotName);
  return (
    <section aria-label="Attach">
      <h2>Attach</h2>
      {slots.length === 0 ? (
        <p className="padron-quiet">
          The variables of this tab leave no place for a file. A place is <code>{'{ "upload": null }'}</code>, as in the
          tab SignatureCheck.
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
            {attachedFile.file.name}{' '}
            <span className="padron-quiet">{attachedFile.file.size.toLocaleString('en')} bytes</span>
          </span>
          <button type="button" onClick={() => detach(slot)} aria-label={`Remove ${slot}`}>
            Remove
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
      <label htmlFor={id}>Or one of the sandbox's test credentials</label>
      <select id={id} value="" onChange={({ target }) => attachByName(target.value)}>
        <option value="" disabled>
          Choose…
        </option>
        {credentials.map(({ name, rfc, password }) => (
          <option key={name} value={name}>
            {name}: {rfc}, password {password}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Ready to be sent, so that the check of a signature runs at once. */
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
        Keep my files for the next run
      </label>
      <p className="padron-quiet">
        Files stay in the memory of this page only. Without the tick they are dropped as soon as they were sent.
      </p>
    </>
  );
}
