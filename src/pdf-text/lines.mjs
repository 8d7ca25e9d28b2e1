// @ts-check
// Groups the pieces of text of a page into lines.

/** @typedef {import('pdfjs-dist/types/src/display/api.js').TextItem} TextItem */

/**
 * Returns the lines of a page from top to bottom. Wide gaps divide a line into cells.
 * @param {readonly TextItem[]} items
 * @returns {readonly (readonly string[])[]}
 */
export function toLines(items) {
  const placed = items
    .filter(({ str }) => str.trim() !== '')
    .map(({ str, width, height, transform }) => {
      const [, , , , x = 0, y = 0] = /** @type {readonly number[]} */ (transform);
      return { text: str, x, y, end: x + width, size: height || 10 };
    })
    .sort((left, right) => right.y - left.y);
  /** @type {(typeof placed)[]} */
  const rows = [];
  for (const item of placed) {
    const row = rows.at(-1);
    const [first] = row ?? [];
    if (row !== undefined && first !== undefined && first.y - item.y < Math.min(first.size, item.size) / 2)
      row.push(item);
    else rows.push([item]);
  }
  return rows.map((row) => toCells(row.sort((left, right) => left.x - right.x)));
}

/**
 * @param {readonly { readonly text: string, readonly x: number, readonly end: number, readonly size: number }[]} row
 * @returns {readonly string[]}
 */
function toCells(row) {
  /** @type {string[]} */
  const cells = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const { text, x, end: next, size } of row) {
    const gap = x - end;
    if (gap > size) cells.push(text);
    else cells[cells.length - 1] += gap > size / 8 ? ` ${text}` : text;
    end = Math.max(end, next);
  }
  return cells.map((cell) => cell.replace(/\s+/g, ' ').trim());
}
