// @ts-check
// Boxes, matrices and paths of a PDF page.

/** @typedef {readonly number[]} Box Left, bottom, right, top. */
/** @typedef {readonly number[]} Matrix Six numbers, as the PDF operator `cm` takes them. */
/** @typedef {{ readonly box: Box, readonly isRectangle: boolean, readonly segments: readonly Box[] }} Subpath */

/** @type {Matrix} */
export const identity = [1, 0, 0, 1, 0, 0];
/** Overlaps below this size, in points, are rounding errors. */
const tolerance = 0.1;

/**
 * Returns the matrix that applies `inner` first and `outer` second.
 * @param {Matrix} outer
 * @param {Matrix} inner
 * @returns {Matrix}
 */
export function multiply([a = 1, b = 0, c = 0, d = 1, e = 0, f = 0], [g = 1, h = 0, i = 0, j = 1, k = 0, l = 0]) {
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

/**
 * @param {Matrix} matrix
 * @param {number} x
 * @param {number} y
 * @returns {readonly [number, number]}
 */
const toPoint = ([a = 1, b = 0, c = 0, d = 1, e = 0, f = 0], x, y) => [a * x + c * y + e, b * x + d * y + f];

/**
 * Returns the smallest box around these points.
 * @param {readonly (readonly [number, number])[]} points
 * @returns {Box}
 */
function boxAround(points) {
  let [left, bottom, right, top] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of points) {
    left = Math.min(left, x);
    bottom = Math.min(bottom, y);
    right = Math.max(right, x);
    top = Math.max(top, y);
  }
  return [left, bottom, right, top];
}

/**
 * Returns the smallest box around a box that was transformed.
 * @param {Matrix} matrix
 * @param {Box} box
 * @returns {Box}
 */
export function transformBox(matrix, [left = 0, bottom = 0, right = 0, top = 0]) {
  const corners = /** @type {const} */ ([
    [left, bottom],
    [left, top],
    [right, bottom],
    [right, top],
  ]);
  return boxAround(corners.map(([x, y]) => toPoint(matrix, x, y)));
}

/**
 * Whether a box that is transformed by this matrix is still a box.
 * @param {Matrix} matrix
 */
export function keepsBoxes([a = 1, b = 0, c = 0, d = 1]) {
  const near = 1e-4;
  return (Math.abs(b) < near && Math.abs(c) < near) || (Math.abs(a) < near && Math.abs(d) < near);
}

/**
 * @param {Box} first
 * @param {Box} second
 * @returns {Box}
 */
export const intersect = ([a = 0, b = 0, c = 0, d = 0], [e = 0, f = 0, g = 0, h = 0]) => [
  Math.max(a, e),
  Math.max(b, f),
  Math.min(c, g),
  Math.min(d, h),
];

/**
 * @param {Box} first
 * @param {Box} second
 */
export function overlap(first, second) {
  const [left = 0, bottom = 0, right = 0, top = 0] = intersect(first, second);
  return right - left > tolerance && top - bottom > tolerance;
}

/**
 * @param {Box} outer
 * @param {Box} inner
 * @param {number} margin
 */
export function contains([a = 0, b = 0, c = 0, d = 0], [e = 0, f = 0, g = 0, h = 0], margin) {
  return a <= e + margin && b <= f + margin && c >= g - margin && d >= h - margin;
}

/** Numbers behind each code of a path of pdf.js: move, line, curve, close. */
const numbersOf = [2, 2, 6, 0];

/**
 * Returns the parts of a path on the page.
 * @param {Iterable<number>} path
 * @param {Matrix} matrix
 * @returns {readonly Subpath[]}
 */
export function readPath(path, matrix) {
  const numbers = [...path];
  /** @type {{ points: (readonly [number, number])[], isStraight: boolean }[]} */
  const parts = [];
  for (let index = 0; index < numbers.length; ) {
    const code = numbers[index] ?? -1;
    const count = numbersOf[code];
    if (count === undefined) throw new RangeError('The path has an unknown part.');
    const part = parts.at(-1);
    if (code === 0 || part === undefined) parts.push({ points: [], isStraight: true });
    const current = /** @type {typeof parts[number]} */ (parts.at(-1));
    for (let offset = 1; offset < count; offset += 2)
      current.points.push(toPoint(matrix, numbers[index + offset] ?? 0, numbers[index + offset + 1] ?? 0));
    if (code === 2) current.isStraight = false;
    if (code === 3 && current.points[0] !== undefined) current.points.push(current.points[0]);
    index += 1 + count;
  }
  return parts.map(({ points, isStraight }) => {
    const box = boxAround(points);
    const segments = points.slice(1).map((point, index) => boxAround([points[index] ?? point, point]));
    return { box, isRectangle: isStraight && isRectangle(points, box), segments };
  });
}

/**
 * @param {readonly (readonly [number, number])[]} points
 * @param {Box} box
 */
function isRectangle(points, [left = 0, bottom = 0, right = 0, top = 0]) {
  const near = (/** @type {number} */ one, /** @type {number} */ two) => Math.abs(one - two) < tolerance / 10;
  const corners = points.map(([x, y]) => {
    if ((!near(x, left) && !near(x, right)) || (!near(y, bottom) && !near(y, top))) return -1;
    return (near(x, left) ? 0 : 1) + (near(y, bottom) ? 0 : 2);
  });
  // Neighbours differ in one coordinate: otherwise it is a bow tie.
  const turns = corners.slice(1).every((corner, index) => [0, 1, 2].includes(corner ^ (corners[index] ?? 0)));
  return !corners.includes(-1) && turns && new Set(corners).size === 4;
}
