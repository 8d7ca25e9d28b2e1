import type { Headers } from '../requests/request';
import { createStore } from '../store';

const storageKey = 'padron:token';
const emptyBearer = /^(?:Bearer)?\s*$/i;

/** The token that the user has entered, for the operations of all tabs. Empty without one. */
export const token = createStore('');

/** Restores the token that was entered before the page was loaded again. */
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

/** Forgets the token, and all responses with it. */
export function forgetToken(): void {
  sessionStorage.removeItem(storageKey);
  location.reload();
}

/** Adds the token to headers, unless they have one. */
export function withToken(headers: Headers): Headers {
  const own = Object.entries(headers).filter(
    ([name, value]) => name.toLowerCase() !== 'authorization' || !emptyBearer.test(String(value)),
  );
  const hasToken = own.some(([name]) => name.toLowerCase() === 'authorization');
  if (hasToken || token.get() === '') return headers;
  return { ...Object.fromEntries(own), authorization: `Bearer ${token.get()}` };
}
