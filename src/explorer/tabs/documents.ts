import type { ExplorerSettings, ExplorerTab } from '../../server/explorer/settings';

const storageKey = 'padron:documents';

/** Saves the documents of the tabs until the browser's tab is closed, so that a reload does not lose the user's work. */
export function saveDocuments(queries: readonly string[], { tabs }: ExplorerSettings): void {
  const examples = new Set(tabs.map(({ query }) => query));
  const saved = queries.map((query) => (examples.has(query) ? query : redactValues(query)));
  sessionStorage.setItem(storageKey, JSON.stringify(saved));
}

/** Returns the initial tabs: the saved documents with the variables of the example of the same name, or the examples. */
export function getInitialTabs({ tabs, headers }: ExplorerSettings): readonly ExplorerTab[] {
  const saved = readSavedDocuments();
  if (saved.length === 0) return tabs;
  return saved.map((query) => {
    const example = tabs.find(
      (tab) => getOperationName(tab.query) !== null && getOperationName(tab.query) === getOperationName(query),
    );
    return { query, variables: example?.variables ?? '', headers: example?.headers ?? headers };
  });
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

function getOperationName(query: string): string | null {
  return /^\s*(?:query|mutation)\s+(\w+)/m.exec(query)?.[1] ?? null;
}
