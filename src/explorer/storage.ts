/** What may stay in the browser: how the page looks. */
const persistedKeys = /^graphiql:(theme|visiblePlugin|docExplorerFlex|editorFlex|secondaryEditorFlex)$/;

/** GraphiQL's storage. Documents, variables, headers and answers hold people, passwords and tokens: memory only. */
export function createStorage() {
  const memory = new Map<string, string>();
  return {
    getItem: (key: string): string | null =>
      persistedKeys.test(key) ? localStorage.getItem(key) : (memory.get(key) ?? null),
    setItem: (key: string, value: string): void => {
      if (persistedKeys.test(key)) localStorage.setItem(key, value);
      else memory.set(key, value);
    },
    removeItem: (key: string): void => {
      if (persistedKeys.test(key)) localStorage.removeItem(key);
      else memory.delete(key);
    },
    clear: (): void => {
      localStorage.clear();
      memory.clear();
    },
    get length(): number {
      return localStorage.length + memory.size;
    },
  };
}
