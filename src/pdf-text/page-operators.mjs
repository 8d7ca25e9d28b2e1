// @ts-check
// The operators of a page, as pdf.js lists them, and their effects on visible text.
import { HiddenTextError } from './page-paint.mjs';
import { VisibleText } from './visible-text.mjs';

/** @typedef {any} Arguments Each operator has its own, which pdf.js has checked. */
/** @typedef {(page: VisibleText, args: Arguments) => void} Operator */

/** @type {Operator} */
const ignore = () => undefined;
/** @type {Operator} */
const coverByImage = (page) => page.coverByImage();
/** @type {Operator} */
const moveToNextLine = (page) => page.moveText(0, page.state.leading);

const filling = ['fill', 'eoFill', 'fillStroke', 'eoFillStroke', 'closeFillStroke', 'closeEOFillStroke'];
const stroking = ['stroke', 'closeStroke', 'fillStroke', 'eoFillStroke', 'closeFillStroke', 'closeEOFillStroke'];

/** @type {Readonly<Record<string, Operator>>} */
const graphicsStates = {
  LW: (page, width) => Object.assign(page.state, { lineWidth: width }),
  ca: (page, alpha) => Object.assign(page.state, { alpha }),
  CA: (page, strokeAlpha) => Object.assign(page.state, { strokeAlpha }),
  BM: (page, mode) => Object.assign(page.state, { isPlain: mode === 'source-over' }),
  SMask: (page, mask) => Object.assign(page.state, { isPlain: !mask }),
  TR: (page, maps) => Object.assign(page.state, { isPlain: !maps }),
  Font: (page, [name, size]) => Object.assign(page.state, { font: page.findFont(name), size }),
};

/** @type {Readonly<Record<string, Operator>>} */
const operators = {
  ...Object.fromEntries(
    ['dependency', 'setLineCap', 'setLineJoin', 'setMiterLimit', 'setDash', 'setRenderingIntent', 'setFlatness'].map(
      (name) => [name, ignore],
    ),
  ),
  ...Object.fromEntries(
    ['paintImageMaskXObject', 'paintImageXObject', 'paintInlineImageXObject', 'paintSolidColorImageMask'].map(
      (name) => [name, coverByImage],
    ),
  ),
  save: (page) => page.save(),
  restore: (page) => page.restore(),
  transform: (page, matrix) => page.transform(matrix),
  setLineWidth: (page, [lineWidth]) => Object.assign(page.state, { lineWidth }),
  setGState: (page, [entries]) => {
    for (const [key, value] of entries) graphicsStates[key]?.(page, value);
  },
  setFillRGBColor: (page, [fill]) => Object.assign(page.state, { fill }),
  setFillColorN: (page) => Object.assign(page.state, { fill: null }),
  setFillTransparent: (page) => Object.assign(page.state, { fill: null }),
  setStrokeRGBColor: (page, [stroke]) => Object.assign(page.state, { stroke }),
  setStrokeColorN: (page) => Object.assign(page.state, { stroke: null }),
  setStrokeTransparent: (page) => Object.assign(page.state, { stroke: null }),
  clip: (page) => Object.assign(page, { isClipping: true }),
  eoClip: (page) => Object.assign(page, { isClipping: true }),
  shadingFill: (page) => page.cover(page.state.clip, null, false),
  beginText: (page) => page.setTextMatrix([1, 0, 0, 1, 0, 0]),
  endText: ignore,
  setCharSpacing: (page, [charSpacing]) => Object.assign(page.state, { charSpacing }),
  setWordSpacing: (page, [wordSpacing]) => Object.assign(page.state, { wordSpacing }),
  setHScale: (page, [percent]) => Object.assign(page.state, { scale: percent / 100 }),
  setLeading: (page, [leading]) => Object.assign(page.state, { leading: -leading }),
  setFont: (page, [name, size]) => Object.assign(page.state, { font: page.findFont(name), size }),
  setTextRenderingMode: (page, [mode]) => Object.assign(page.state, { mode }),
  setTextRise: (page, [rise]) => Object.assign(page.state, { rise }),
  moveText: (page, [x, y]) => page.moveText(x, y),
  setLeadingMoveText: (page, [x, y]) => {
    page.state.leading = y;
    page.moveText(x, y);
  },
  setTextMatrix: (page, args) => page.setTextMatrix(args.length === 1 ? args[0] : args),
  nextLine: moveToNextLine,
  showText: (page, [glyphs]) => page.showText(glyphs),
  beginMarkedContent: (page) => page.layers.push(false),
  beginMarkedContentProps: (page, [name]) => page.layers.push(name === 'OC'),
  endMarkedContent: (page) => page.layers.pop(),
  paintFormXObjectBegin: (page, [matrix, box]) => {
    page.save();
    if (matrix) page.transform(matrix);
    if (box) page.clipTo(box);
  },
  paintFormXObjectEnd: (page) => page.restore(),
  beginGroup: (page, [group]) => page.beginGroup(group),
  endGroup: (page) => page.restore(),
  beginAnnotation: (page) => {
    page.save();
    page.state.isAnnotation = true;
  },
  endAnnotation: (page) => page.restore(),
};

/**
 * Follows the operators of a page. Throws if a text may be invisible or if an operator is unknown.
 * @param {{ readonly fnArray: readonly number[], readonly argsArray: readonly Arguments[] }} list
 * @param {Readonly<Record<string, number>>} codes
 * @param {VisibleText} page
 */
export function followOperators({ fnArray, argsArray }, codes, page) {
  const names = new Map(Object.entries(codes).map(([name, code]) => [code, name]));
  fnArray.forEach((code, index) => {
    const name = names.get(code) ?? '';
    const args = argsArray[index];
    if (name === 'constructPath') {
      const [painted, [path]] = args;
      const paint = names.get(painted) ?? '';
      page.paintPath(filling.includes(paint), stroking.includes(paint), path ?? []);
      return;
    }
    const operator = operators[name];
    if (operator === undefined) throw new HiddenTextError('The operator is unknown.');
    operator(page, args);
  });
}
