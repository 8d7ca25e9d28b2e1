// @ts-check
// Follows the operators of a page and rejects it unless all of its text is certain to be visible.
import { contains, identity, intersect, keepsBoxes, multiply, overlap, readPath, transformBox } from './geometry.mjs';
import { HiddenTextError, PagePaint } from './page-paint.mjs';
import { everything, initialState } from './paint-state.mjs';

/** @typedef {import('./geometry.mjs').Box} Box */
/** @typedef {import('./geometry.mjs').Matrix} Matrix */
/** @typedef {{ readonly unicode: string, readonly width: number, readonly isSpace: boolean }} Glyph */
/** @typedef {import('./paint-state.mjs').Font} Font */

/** Minimum size of visible text, in points. */
const minSize = 2.5;
const minAlpha = 0.9;

export class VisibleText {
  /** The painted text without blanks. */
  text = '';
  paint = new PagePaint();
  state = { ...initialState };
  /** @type {(typeof initialState)[]} */
  stack = [];
  /** @type {boolean[]} */
  layers = [];
  isClipping = false;
  /** @type {Matrix} */
  textMatrix = identity;
  position = { x: 0, y: 0, lineX: 0, lineY: 0 };

  /**
   * @param {Box} view
   * @param {(name: string) => Font | null} findFont
   */
  constructor(view, findFont) {
    this.state.clip = view;
    this.findFont = findFont;
  }

  save() {
    this.stack.push({ ...this.state });
  }

  restore() {
    this.state = this.stack.pop() ?? this.state;
  }

  /** @param {Matrix} matrix */
  transform(matrix) {
    this.state.matrix = multiply(this.state.matrix, matrix);
  }

  /** @param {Box} box */
  clipTo(box) {
    const { matrix, clip } = this.state;
    this.state.clip = intersect(clip, transformBox(matrix, box));
    if (!keepsBoxes(matrix)) this.state.isClipKnown = false;
  }

  /** @param {{ matrix?: Matrix | null, bbox?: Box | null, smask?: unknown }} group */
  beginGroup({ matrix, bbox, smask }) {
    this.save();
    const { alpha, isPlain } = this.state;
    if (smask || alpha < minAlpha || !isPlain) this.state.isHidden = true;
    const outer = this.state.matrix;
    if (matrix) this.transform(matrix);
    if (bbox) this.clipTo(bbox);
    Object.assign(this.state, { matrix: outer, alpha: 1, strokeAlpha: 1, isPlain: true });
  }

  /**
   * @param {boolean} isFilled
   * @param {boolean} isStroked
   * @param {Iterable<number>} path
   */
  paintPath(isFilled, isStroked, path) {
    const { state } = this;
    const parts = readPath(path, state.matrix);
    const isOpaque = state.alpha === 1 && state.isPlain;
    for (const { box, isRectangle, segments } of parts) {
      if (isFilled)
        this.cover(
          box,
          isOpaque ? state.fill : null,
          isRectangle && isOpaque && state.isClipKnown && parts.length === 1,
        );
      if (isStroked)
        for (const segment of segments) this.cover(this.thicken(segment), isOpaque ? state.stroke : null, false);
    }
    if (this.isClipping) {
      const [part, ...more] = parts;
      if (part === undefined) state.clip = [0, 0, 0, 0];
      else if (more.length > 0 || !part.isRectangle) state.isClipKnown = false;
      else state.clip = intersect(state.clip, part.box);
      this.isClipping = false;
    }
  }

  /**
   * @param {Box} segment
   * @returns {Box}
   */
  thicken([left = 0, bottom = 0, right = 0, top = 0]) {
    const [a = 1, b = 0, c = 0, d = 1] = this.state.matrix;
    const half = Math.max((this.state.lineWidth * Math.sqrt(Math.abs(a * d - b * c))) / 2, 0.25);
    return [left - half, bottom - half, right + half, top + half];
  }

  /**
   * @param {Box} box
   * @param {string | null} color
   * @param {boolean} isSolid
   */
  cover(box, color, isSolid) {
    const { clip, isAnnotation } = this.state;
    if (isAnnotation) throw new HiddenTextError('Something was added to the page.');
    this.paint.add({ box, color: this.layers.includes(true) ? null : color, isSolid }, clip);
  }

  /** Covers the unit square with an image, whose colours are unknown. */
  coverByImage() {
    this.cover(transformBox(this.state.matrix, [0, 0, 1, 1]), null, false);
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  moveText(x, y) {
    const lineX = this.position.lineX + x;
    const lineY = this.position.lineY + y;
    this.position = { x: lineX, y: lineY, lineX, lineY };
  }

  /** @param {Matrix} matrix */
  setTextMatrix(matrix) {
    this.textMatrix = [...matrix];
    this.position = { x: 0, y: 0, lineX: 0, lineY: 0 };
  }

  /** @param {readonly (Glyph | number)[]} glyphs */
  showText(glyphs) {
    const { font, size, charSpacing, wordSpacing, scale, rise } = this.state;
    const unit = font?.fontMatrix?.[0] ?? 0.001;
    let [advance, start, end] = [0, Number.NaN, Number.NaN];
    for (const glyph of glyphs) {
      if (typeof glyph === 'number') {
        advance -= (glyph * size) / 1_000;
        continue;
      }
      const width = glyph.width * unit * size;
      const shown = glyph.unicode.replace(/\s/g, '');
      if (shown !== '') {
        this.text += shown;
        if (Number.isNaN(start)) start = advance;
        end = advance + width;
      }
      advance += width + charSpacing + (glyph.isSpace ? wordSpacing : 0);
    }
    const { x, y } = this.position;
    this.position = { ...this.position, x: x + advance * scale };
    if (Number.isNaN(start)) return;
    // The box around the middle of small letters. Text is legible if this box is visible.
    const middle = [x + start * scale, y + rise + size * 0.1, x + end * scale, y + rise + size * 0.45];
    this.checkText(multiply(this.state.matrix, this.textMatrix), middle);
  }

  /**
   * @param {Matrix} matrix
   * @param {Box} middle
   */
  checkText(matrix, middle) {
    const {
      font,
      size,
      scale,
      clip,
      isClipKnown,
      isHidden,
      isAnnotation,
      mode,
      fill,
      stroke,
      alpha,
      strokeAlpha,
      isPlain,
    } = this.state;
    const [a = 1, b = 0, c = 0, d = 1] = matrix;
    const [width, height] = [a * size * scale, d * size];
    if (font === null || font.isType3Font || font.vertical) throw new HiddenTextError('The font cannot be followed.');
    if (width < minSize / 2 || height < minSize) throw new HiddenTextError('Text is too small, mirrored or turned.');
    if (Math.abs(b) > 0.02 * a || Math.abs(c) > 0.5 * d) throw new HiddenTextError('Text is turned.');
    if (isHidden || isAnnotation || this.layers.includes(true)) throw new HiddenTextError('Text may be switched off.');
    if ((mode !== 0 && mode !== 2) || !isPlain || alpha < minAlpha || (mode === 2 && strokeAlpha < minAlpha))
      throw new HiddenTextError('Text is transparent.');
    const box = transformBox(matrix, middle);
    if (!overlap(box, everything) || !isClipKnown || !contains(clip, box, 1))
      throw new HiddenTextError('Text is empty, or off the page or its clip.');
    this.paint.addText(box, height, mode === 2 ? [fill, stroke] : [fill]);
  }
}
