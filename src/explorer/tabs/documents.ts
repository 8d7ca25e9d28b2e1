import type { ExplorerSettings, ExplorerTab } from '../../server/explorer/settings';

const storageKey = 'padron:documents';

/** Saves the documents of the tabs until the browser's tab is closed, so that a reload does not lose the user's work. */
export function saveDocuments(queries: readonly string[], { tabs }: ExplorerSettings): void {
  const examples = new Set(tabs.map(({ query }) => query));
  const saved = queries.map((query) => (examples.has(query) ? query : redactValues(query)));
  sessionStorage.setItem(storageKey, JSON.stringify(saved));
}

/** Returns the initial tabs: a linked operation, then the saved documents, or the examples. A saved example has the example's variables. */
export function getInitialTabs(settings: ExplorerSettings, linked: string | null): readonly ExplorerTab[] {
  const saved = readSavedDocuments();
  const tabs = saved.length === 0 ? settings.tabs : saved.map((query) => toTab(query, settings));
  if (linked === null) return tabs;
  const opened = [toTab(linked, settings), ...tabs];
  saveDocuments(
    opened.map(({ query }) => query),
    settings,
  );
  return opened;
}

function toTab(query: string, { tabs, headers }: ExplorerSettings): ExplorerTab {
  const name = getOperationName(query);
  const example = tabs.find((tab) => name !== null && getOperationName(tab.query) === name);
  if (example === undefined) return { query, variables: '', headers };
  // The language may have changed since the document was saved, and with it the comment of the example.
  return withoutComment(example.query) === withoutComment(query) ? example : { ...example, query };
}

/** Returns a document without the comment at its beginning. */
export function withoutComment(query: string): string {
  return query.replace(/^(?:\s*#.*\n)+/, '');
}

/** Removes text, long numbers and comments from a document, because they may identify people or contain passwords. */
export function redactValues(query: string): string {
  return query.replace(/"""[\s\S]*?(?:"""|$)|"(?:\\.|[^"\\\n])*"?|#.*|\d{5,}/g, (literal) => {
    if (literal.startsWith('#')) return '#';
    return literal.startsWith('"') ? '""' : '0';
  });
}

function readSavedDocuments(): readonly string[] {
  try {
    const saved: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? '[]');
    return Array.isArray(saved) ? saved.filter((query) => typeof query === 'string' && query.trim() !== '') : [];
  } catch {
    return [];
  }
}

/** Returns the name of the first named operation of a document, even if the document has a syntax error. */
export function getOperationName(query: string): string | null {
  return /^\s*(?:query|mutation)\s+(\w+)/m.exec(query)?.[1] ?? null;
}
