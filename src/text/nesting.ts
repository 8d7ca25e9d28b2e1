/** Maximum levels of lists and objects in a JSON value. Functions that recurse, such as `JSON.stringify`, exceed the stack at some thousands. */
export const maxNesting = 100;

export function isNestedTooDeep(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth <= maxNesting; depth += 1) {
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
    if (level.length === 0) return false;
  }
  return true;
}
