/** Sets the value at a path. Defines the properties, because a column may be named `__proto__`. */
export function assign(variables: Record<string, unknown>, path: readonly string[], value: unknown): void {
  if (value === undefined) return;
  let place = variables;
  for (const name of path.slice(0, -1)) {
    const inner = Object.hasOwn(place, name) ? place[name] : undefined;
    const next = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {};
    define(place, name, next);
    place = next;
  }
  define(place, path.at(-1) ?? '', value);
}

function define(place: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(place, name, { value, enumerable: true, writable: true, configurable: true });
}
