/** Matches a number as text that cannot be an identifier: no leading zero, and nine digits at most if it is whole. */
const safeNumber = /^-?(?:0|[1-9]\d{0,8}|(?:0|[1-9]\d*)\.\d+)$/;
const plainNumber = /^-?\d+(?:\.\d+)?$/;
const leadingZero = /^-?0\d/;
const isoDay = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Finds the columns whose numbers, dates and booleans stay such values in a workbook of results. A column with a number that may be an
 * identifier stays text, so that its cells are all of one type.
 */
export class TypedColumns {
  private readonly typed = new Set<number>();
  private readonly texts = new Set<number>();

  /**
   * Adds a row. `typed` has the positions of the cells that are numbers, dates or booleans in the file. If it is undefined, the file only
   * has text.
   */
  add(cells: readonly (string | null)[], typed: readonly number[] | undefined): void {
    const typedHere = typed && new Set(typed);
    for (const [position, text] of cells.entries()) {
      if (text === null || text === '' || this.texts.has(position)) continue;
      const isTyped = typedHere?.has(position) ?? (safeNumber.test(text) || isoDay.test(text));
      if (isTyped) this.typed.add(position);
      const mayBeIdentifier = plainNumber.test(text) && (leadingZero.test(text) || !(isTyped || safeNumber.test(text)));
      if (mayBeIdentifier) this.texts.add(position);
    }
  }

  get positions(): readonly number[] {
    return [...this.typed].filter((position) => !this.texts.has(position));
  }
}
