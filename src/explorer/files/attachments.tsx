import { useId } from 'react';
import type { GuideCredential } from '../../server/explorer-settings';
import { objectIn, useActiveTab } from '../active-tab';
import { useCell } from '../cell';
import { bytesOf } from './answered';
import { attach, attached, detach, keepsFiles, openSlots, slotName } from './uploads';

/** A place for a file wherever the variables of the tab say `upload: null`. */
export function Attachments({ credentials }: { readonly credentials: readonly GuideCredential[] }) {
  const { variables } = useActiveTab();
  const slots = openSlots(objectIn(variables)).map(slotName);
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
          {credentials.length > 0 && <Invented credentials={credentials} />}
          <Keep />
        </>
      )}
    </section>
  );
}

function Slot({ slot }: { readonly slot: string }) {
  const present = useCell(attached).get(slot);
  const id = useId();
  return (
    <div className="padron-slot">
      <label htmlFor={id}>{slot}</label>
      {present === undefined ? (
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
            {present.file.name} <span className="padron-quiet">{present.file.size.toLocaleString('en')} bytes</span>
          </span>
          <button type="button" onClick={() => detach(slot)} aria-label={`Remove ${slot}`}>
            Remove
          </button>
        </span>
      )}
    </div>
  );
}

function Invented({ credentials }: { readonly credentials: readonly GuideCredential[] }) {
  const id = useId();
  const take = (name: string): void => {
    const credential = credentials.find((each) => each.name === name);
    if (credential !== undefined) attachInvented(credential);
  };
  return (
    <div className="padron-slot">
      <label htmlFor={id}>Or one of the sandbox's test credentials</label>
      <select id={id} value="" onChange={({ target }) => take(target.value)}>
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
export function attachInvented({ name, certificate, privateKey }: GuideCredential): void {
  attach('certificate', new File([bytesOf(certificate)], `${name}.cer`), true);
  attach('privateKey', new File([bytesOf(privateKey)], `${name}.key`), true);
}

function Keep() {
  const keep = useCell(keepsFiles);
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
