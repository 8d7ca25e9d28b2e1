/** Returns the number of letters left out, added, changed or swapped (optimal string alignment distance). */
export function countEdits(left: string, right: string): number {
  let beforePrevious: readonly number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1];
      const isSwapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      current[column] = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (beforePrevious[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[right.length] ?? 0;
}

/** Returns what to write instead of a name that is not one of the names. */
export function suggestName(name: string, names: readonly string[]): string {
  const edits = (candidate: string): number => countEdits(name.toLowerCase(), candidate.toLowerCase());
  const [nearest = ''] = [...names].sort((left, right) => edits(left) - edits(right));
  return edits(nearest) <= nearest.length / 3 ? `Did you mean ${nearest}?` : `Use ${names.join(', ')}.`;
}
