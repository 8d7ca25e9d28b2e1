// @ts-check
// Records what was painted on a page, in order, to check whether text is visible.
import { contains, intersect, overlap } from './geometry.mjs';

/** @typedef {import('./geometry.mjs').Box} Box */
/** @typedef {{ readonly box: Box, readonly color: string | null, readonly isSolid: boolean }} Paint `color` is null if it is not known. */

/** Minimum contrast of text, as WCAG defines it: 1 is no contrast, 21 is black on white. */
const minContrast = 2;
/** Maximum number of comparisons for one page, so that a page with very many parts cannot block the process. */
const maxComparisons = 50_000_000;

export class HiddenTextError extends Error {}

export class PagePaint {
  /** @type {Paint[]} */
  paints = [];
  /** @type {{ readonly box: Box, readonly size: number }[]} */
  texts = [];
  comparisons = 0;

  /**
   * Adds a fill, a line or an image. Throws if it covers text.
   * @param {Paint} paint
   * @param {Box} clip
   */
  add(paint, clip) {
    const box = intersect(paint.box, clip);
    this.count(this.texts.length);
    if (this.texts.some((text) => overlap(box, text.box))) throw new HiddenTextError('Text is covered.');
    this.paints.push({ ...paint, box });
  }

  /**
   * Adds text. Throws if one of its colours has too little contrast with the background.
   * @param {Box} box
   * @param {number} size
   * @param {readonly (string | null)[]} colors
   */
  addText(box, size, colors) {
    this.count(this.texts.length + this.paints.length);
    // Large letters can cover small ones, as a fill does.
    if (this.texts.some((text) => size > 2 * text.size && overlap(box, text.box)))
      throw new HiddenTextError('Text is covered.');
    for (const background of this.backgrounds(box))
      for (const color of colors)
        if (contrast(color, background) < minContrast) throw new HiddenTextError('No contrast.');
    this.texts.push({ box, size });
  }

  /**
   * Returns every colour that may be behind a box.
   * @param {Box} box
   * @returns {readonly (string | null)[]}
   */
  backgrounds(box) {
    const found = [];
    for (let index = this.paints.length - 1; index >= 0; index -= 1) {
      const paint = /** @type {Paint} */ (this.paints[index]);
      if (!overlap(paint.box, box)) continue;
      found.push(paint.color);
      if (paint.isSolid && contains(paint.box, box, 0)) return found;
    }
    return [...found, '#ffffff'];
  }

  /** @param {number} comparisons */
  count(comparisons) {
    this.comparisons += comparisons;
    if (this.comparisons > maxComparisons) throw new HiddenTextError('The page has too many parts.');
  }
}

/**
 * Returns 0 for a colour that is not known.
 * @param {string | null} first
 * @param {string | null} second
 */
function contrast(first, second) {
  const [one, two] = [luminance(first), luminance(second)];
  if (Number.isNaN(one) || Number.isNaN(two)) return 0;
  return (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
}

/** @param {string | null} color */
function luminance(color) {
  const [, hex] = /^#([0-9a-f]{6})$/i.exec(color ?? '') ?? [];
  if (hex === undefined) return Number.NaN;
  const [red = 0, green = 0, blue = 0] = [0, 2, 4]
    .map((start) => Number.parseInt(hex.slice(start, start + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
