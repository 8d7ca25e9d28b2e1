import { token } from './token';

/** Keys that may be stored in the browser. They only concern the layout of the page. */
const persistedKeys = /^graphiql:(theme|visiblePlugin|docExplorerFlex|editorFlex|secondaryEditorFlex)$/;

/** Creates GraphiQL's storage. Documents, variables, headers and responses stay in memory, because they may contain secrets. */
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
      sessionStorage.clear();
      token.set('');
      memory.clear();
    },
    get length(): number {
      return localStorage.length + memory.size;
    },
  };
}
