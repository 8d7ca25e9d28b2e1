/** Whether a value of JSON has a NUL in a text or in the name of a member. PostgreSQL stores none, and no identifier or name has one. */
export function holdsNul(value: unknown): boolean {
  // A list and not recursion: a value may be nested deeper than the stack holds.
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
