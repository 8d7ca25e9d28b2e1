import type { ExplorerSettings, ExplorerTab } from '../server/explorer-settings';

const key = 'padron:documents';

/** Keeps the documents of the tabs until the browser's tab is closed: a reload takes nobody's work away. */
export function keepDocuments(queries: readonly string[], { tabs }: ExplorerSettings): void {
  const examples = new Set(tabs.map(({ query }) => query));
  const kept = queries.map((query) => (examples.has(query) ? query : withoutValues(query)));
  sessionStorage.setItem(key, JSON.stringify(kept));
}

/** The tabs to begin with: the kept documents, with the variables of the examples that they are, else the examples. */
export function firstTabs({ tabs, headers }: ExplorerSettings): readonly ExplorerTab[] {
  const kept = keptDocuments();
  if (kept.length === 0) return tabs;
  return kept.map((query) => {
    const example = tabs.find((tab) => nameOf(tab.query) !== null && nameOf(tab.query) === nameOf(query));
    return { query, variables: example?.variables ?? '', headers: example?.headers ?? headers };
  });
}

/** Who was asked about is not kept: text, long numbers and comments may name people, and hold passwords. */
export function withoutValues(query: string): string {
  return query.replace(/"""[\s\S]*?(?:"""|$)|"(?:\\.|[^"\\\n])*"?|#.*|\d{5,}/g, (found) => {
    if (found.startsWith('#')) return '#';
    return found.startsWith('"') ? '""' : '0';
  });
}

function keptDocuments(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]');
    return Array.isArray(kept) ? kept.filter((query) => typeof query === 'string' && query.trim() !== '') : [];
  } catch {
    return [];
  }
}

function nameOf(query: string): string | null {
  return /^\s*(?:query|mutation)\s+(\w+)/m.exec(query)?.[1] ?? null;
}
