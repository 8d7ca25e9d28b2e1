// @ts-check
// The state of a PDF page between two operators, as far as the visibility of text depends on it.
import { identity } from './geometry.mjs';

/** @typedef {import('./geometry.mjs').Box} Box */
/** @typedef {{ readonly isType3Font?: boolean, readonly vertical?: boolean, readonly fontMatrix?: readonly number[] }} Font */

/** @type {Box} */
export const everything = [-1e9, -1e9, 1e9, 1e9];

export const initialState = {
  matrix: identity,
  /** @type {Box} */ clip: everything,
  isClipKnown: true,
  /** Whether text here cannot be shown to be visible: in a soft mask, an annotation, a faint group. */
  isHidden: false,
  isAnnotation: false,
  /** @type {string | null} */ fill: '#000000',
  /** @type {string | null} */ stroke: '#000000',
  alpha: 1,
  strokeAlpha: 1,
  isPlain: true,
  lineWidth: 1,
  mode: 0,
  /** @type {Font | null} */ font: null,
  size: 0,
  charSpacing: 0,
  wordSpacing: 0,
  scale: 1,
  leading: 0,
  rise: 0,
};
