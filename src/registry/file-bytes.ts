import { type Problem, problem } from './answer/problem';

/** Whether the bytes begin as a PDF or XML, as every file of the service does. A proxy may answer with a page. */
export function isFile(bytes: Buffer): boolean {
  const start = bytes
    .subarray(0, 64)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart();
  return start.startsWith('%PDF-') || start.startsWith('<?xml') || /^<(?!!doctype|html)[a-z]+:/i.test(start);
}

/** Size of the end of a PDF in which readers look for its last mark. */
const pdfEndBytes = 1_024;

/** Whether a file has its own end: the last mark of a PDF, or the end of the root of an XML. A connection may break without an error. */
export function hasEnd(bytes: Buffer): boolean {
  if (bytes.subarray(0, 64).includes('%PDF-')) return bytes.subarray(-pdfEndBytes).includes('%%EOF');
  const text = bytes.toString('latin1');
  const start = findRoot(text);
  const [root] = start === null ? [] : (/^<[^\s<>/]+/.exec(text.slice(start, start + maxNameBytes)) ?? []);
  if (start === null || root === undefined) return false;
  const endTag = `</${root.slice(1)}`;
  const end = text.lastIndexOf(endTag);
  if (end === -1) return /^<[^<]*\/>\s*$/.test(text.slice(start));
  return /^\s*>/.test(text.slice(end + endTag.length));
}

const maxNameBytes = 200;

/** Returns where the root of an XML begins, behind its declaration, comments and document type. */
function findRoot(text: string): number | null {
  for (let place = text.indexOf('<'); place !== -1; place = text.indexOf('<', place)) {
    if (!/[?!]/.test(text[place + 1] ?? '')) return place;
    place = text.indexOf(text[place + 1] === '?' ? '?>' : text.startsWith('<!--', place) ? '-->' : '>', place);
    if (place === -1) return null;
  }
  return null;
}

export const endMissing = (): Problem =>
  problem('UNUSABLE_FILE', {
    message: 'The file is not complete: its own end is missing.',
    spanish: 'El archivo no está completo: le falta su final.',
  });
