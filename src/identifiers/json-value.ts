/** Maximum levels of lists and objects in a JSON value. Functions that recurse, such as `JSON.stringify`, exceed the stack at some thousands. */
export const maxNesting = 100;

export function isNestedTooDeep(value: unknown, levels = maxNesting): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((member) => levels === 0 || isNestedTooDeep(member, levels - 1));
}

/** Returns undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a JSON value contains a NUL in a text or in a member's name. PostgreSQL cannot store it. */
export function holdsNul(value: unknown): boolean {
  // A list instead of recursion, because a value may be nested deeper than the stack allows.
  const rest: unknown[] = [value];
  while (rest.length > 0) {
    const next = rest.pop();
    if (typeof next === 'string') {
      if (next.includes('\0')) return true;
    } else if (Array.isArray(next)) {
      for (const item of next) rest.push(item);
    } else if (typeof next === 'object' && next !== null) {
      for (const [name, member] of Object.entries(next)) rest.push(name, member);
    }
  }
  return false;
}
