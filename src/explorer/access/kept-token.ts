import { useGraphiQL } from '@graphiql/react';
import { useEffect } from 'react';
import type { ExplorerSettings } from '../../server/explorer/settings';
import { parseObject, useActiveTab } from '../tabs/active-tab';

const storageKey = 'padron:token';
const emptyBearer = /^(?:Bearer)?\s*$/i;

/** Whether the user must enter a token. A token of the sandbox is not secret, and is in the tabs already. */
export function needsToken({ headers }: ExplorerSettings): boolean {
  const authorization = readAuthorization(headers);
  return authorization !== null && emptyBearer.test(authorization);
}

/** Returns the settings with the token that was entered before the page was loaded again. */
export function withKeptToken(settings: ExplorerSettings): ExplorerSettings {
  const kept = needsToken(settings) ? sessionStorage.getItem(storageKey) : null;
  if (kept === null) return settings;
  return {
    ...settings,
    headers: fillAuthorization(settings.headers, kept),
    tabs: settings.tabs.map((tab) => ({ ...tab, headers: fillAuthorization(tab.headers, kept) })),
  };
}

/** Keeps the token of the open tab until the browser's tab is closed, and adds it to headers without a token. */
export function KeptToken(): null {
  const { id, headers } = useActiveTab();
  const editor = useGraphiQL(({ headerEditor }) => headerEditor);
  const authorization = readAuthorization(headers);
  useEffect(() => {
    if (authorization !== null && !emptyBearer.test(authorization)) sessionStorage.setItem(storageKey, authorization);
  }, [authorization]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a tab that opens is filled in, so that the user can remove the token.
  useEffect(() => {
    const kept = sessionStorage.getItem(storageKey);
    if (kept !== null && authorization !== null && emptyBearer.test(authorization))
      editor?.setValue(fillAuthorization(headers, kept));
  }, [id, editor]);
  return null;
}

/** Forgets the token. */
export function forgetToken(): void {
  sessionStorage.removeItem(storageKey);
  location.reload();
}

function readAuthorization(headers: string): string | null {
  const entry = Object.entries(parseObject(headers) ?? {}).find(([name]) => name.toLowerCase() === 'authorization');
  return entry === undefined ? null : String(entry[1]);
}

/** Returns headers whose empty `authorization` has the token. */
function fillAuthorization(headers: string, authorization: string): string {
  const entries = Object.entries(parseObject(headers) ?? {});
  const filled = entries.map(([name, value]) =>
    name.toLowerCase() === 'authorization' && emptyBearer.test(String(value)) ? [name, authorization] : [name, value],
  );
  return JSON.stringify(Object.fromEntries(filled), null, 2);
}
