import { useGraphiQL } from '@graphiql/react';
import { useEffect, useRef } from 'react';
import { texts } from './language/texts';
import type { Headers } from './requests/request';
import { createStore, useStore } from './store';

const id = 'padron-token';

/** A button for the token and the field that it opens. The field is open from the beginning if there is no token. */
export function TokenField() {
  const entered = useStore(token);
  // The fetcher returns an empty error if the server does not accept the token.
  const isRefused = useGraphiQL(({ fetchError }) => fetchError === '') && entered !== '';
  const form = useRef<HTMLFormElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const isNeeded = entered === '' || isRefused;
  useEffect(() => void form.current?.togglePopover(isNeeded), [isNeeded]);
  const words = texts.token;
  return (
    <>
      <button type="button" className="padron-button" popoverTarget={id}>
        {words.name}
      </button>
      <form
        id={id}
        ref={form}
        popover="auto"
        className="padron-token"
        onToggle={({ newState }) => newState === 'open' && input.current?.focus()}
        onSubmit={(event) => {
          event.preventDefault();
          enterToken(input.current?.value ?? '');
          event.currentTarget.reset();
          form.current?.hidePopover();
        }}
      >
        <label htmlFor={`${id}-text`}>{words.name}</label>
        <div className="padron-row">
          <input id={`${id}-text`} ref={input} type="password" autoComplete="off" required />
          <button type="submit" className="padron-button">
            {entered === '' ? words.use : words.replace}
          </button>
        </div>
        <p role="status">{words[isRefused ? 'refused' : entered === '' ? 'needed' : 'entered']}</p>
        {entered !== '' && (
          <button type="button" className="padron-button" onClick={forgetToken}>
            {words.forget}
          </button>
        )}
      </form>
    </>
  );
}

const storageKey = 'padron:token';
const emptyBearer = /^(?:Bearer)?\s*$/i;

/** The token that the user has entered, for the operations of all tabs. Empty without one. */
export const token = createStore('');

export function restoreToken(): void {
  token.set(sessionStorage.getItem(storageKey) ?? '');
}

/** Uses a token, and keeps it until the browser's tab is closed. */
export function enterToken(text: string): void {
  // What is copied from a mail or a terminal may have line breaks or invisible characters.
  const entered = text.replace(/^\s*Bearer\s/i, '').replace(/[^\x21-\x7e]/g, '');
  sessionStorage.setItem(storageKey, entered);
  token.set(entered);
}

export function forgetToken(): void {
  sessionStorage.removeItem(storageKey);
  location.reload();
}

/** Adds the token that the user has entered to headers, unless they have one. */
export function withToken(headers: Headers, entered: string): Headers {
  const own = Object.entries(headers).filter(
    ([name, value]) => name.toLowerCase() !== 'authorization' || !emptyBearer.test(String(value)),
  );
  const hasToken = own.some(([name]) => name.toLowerCase() === 'authorization');
  if (hasToken || entered === '') return headers;
  return { ...Object.fromEntries(own), authorization: `Bearer ${entered}` };
}
