/** Far more than any document needs, and far less than the stack holds. */
const maxLevels = 200;

/**
 * Whether a document is nested too deeply to be handed to graphql-js: it reads and checks by recursion, and where the stack ends
 * depends on what has run before. Brackets in texts and comments do not count. Not by graphql-js' own `Lexer`: it keeps every token
 * and every comment and unescapes every text, which is 140 ms for a megabyte of comments that this passes over in 5.
 */
export function nestsTooDeep(source: string): boolean {
  if (source.length <= maxLevels) return false;
  let levels = 0;
  for (let index = 0; index < source.length; index += 1) {
    const letter = source[index];
    if (letter === '"') index = endOfText(source, index);
    else if (letter === '#') index = endOfLine(source, index);
    else if (letter === '{' || letter === '[' || letter === '(') levels += 1;
    else if (letter === '}' || letter === ']' || letter === ')') levels -= 1;
    if (levels > maxLevels) return true;
  }
  return false;
}

function endOfText(source: string, start: number): number {
  if (source.startsWith('"""', start)) return endOfBlock(source, start + 3);
  for (let index = start + 1; index < source.length; index += 1) {
    const letter = source[index];
    if (letter === '\\') index += 1;
    else if (letter === '"' || letter === '\n' || letter === '\r') return index;
  }
  return source.length;
}

function endOfBlock(source: string, start: number): number {
  for (let index = source.indexOf('"""', start); index >= 0; index = source.indexOf('"""', index + 1)) {
    if (source[index - 1] !== '\\') return index + 2;
  }
  return source.length;
}

function endOfLine(source: string, start: number): number {
  for (let index = start; index < source.length; index += 1) {
    if (source[index] === '\n' || source[index] === '\r') return index;
  }
  return source.length;
}
