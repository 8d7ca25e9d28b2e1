/** Far more than any document needs, and far less than the stack holds. */
const mostLevels = 200;

/**
 * Whether a document is nested too deeply to be handed to graphql-js: it reads and checks by recursion, and where the stack ends
 * depends on what has run before. Brackets in texts and comments do not count.
 */
export function nestsTooDeep(source: string): boolean {
  let levels = 0;
  for (let at = 0; at < source.length; at += 1) {
    const letter = source[at];
    if (letter === '"') at = endOfText(source, at);
    else if (letter === '#') at = endOfLine(source, at);
    else if (letter === '{' || letter === '[' || letter === '(') levels += 1;
    else if (letter === '}' || letter === ']' || letter === ')') levels -= 1;
    if (levels > mostLevels) return true;
  }
  return false;
}

function endOfText(source: string, start: number): number {
  if (source.startsWith('"""', start)) return endOfBlock(source, start + 3);
  for (let at = start + 1; at < source.length; at += 1) {
    const letter = source[at];
    if (letter === '\\') at += 1;
    else if (letter === '"' || letter === '\n' || letter === '\r') return at;
  }
  return source.length;
}

function endOfBlock(source: string, start: number): number {
  for (let at = source.indexOf('"""', start); at >= 0; at = source.indexOf('"""', at + 1)) {
    if (source[at - 1] !== '\\') return at + 2;
  }
  return source.length;
}

function endOfLine(source: string, start: number): number {
  for (let at = start; at < source.length; at += 1) {
    if (source[at] === '\n' || source[at] === '\r') return at;
  }
  return source.length;
}
