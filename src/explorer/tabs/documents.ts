import type { ExplorerSettings, ExplorerTab } from '../../server/explorer/settings';

const storageKey = 'padron:documents';

/** Keeps the documents of the tabs until the browser's tab is closed: a reload takes nobody's work away. */
export function saveDocuments(queries: readonly string[], { tabs }: ExplorerSettings): void {
  const examples = new Set(tabs.map(({ query }) => query));
  const saved = queries.map((query) => (examples.has(query) ? query : redactValues(query)));
  sessionStorage.setItem(storageKey, JSON.stringify(saved));
}

/** The tabs to begin with: the kept documents, with the variables of the examples that they are, else the examples. */
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

/** Who was asked about is not kept: text, long numbers and comments may name people, and hold passwords. */
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
