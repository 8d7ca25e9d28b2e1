const maxLength = 200;
/** Maximum ways in which a pattern can divide a tag of 64 characters among its parts. A tag is then checked within milliseconds. */
const maxWays = 1_000_000;
/** Maximum repetitions: the characters of the longest tag. */
const maxRepetitions = 64;

/** Parts of a regular expression: escapes, classes, beginnings of groups, repeated groups, quantifiers and alternatives. */
const parts =
  /\\(?<escape>.)|\[(?:\\.|[^\]])*\]|\(\?(?<group>.)|(?<repeated>\)[*+{])|(?<operator>[*+?|])|\{(?<from>\d+)(?<comma>,)?(?<to>\d*)\}/gsu;

/** Returns the regular expression of a whole tag, or an error with the rule that the text breaks. A slow pattern would block the server for each tag. */
export function compileTagPattern(text: string): RegExp | Error {
  if (text.length > maxLength) return new Error(`must have at most ${maxLength} characters`);
  try {
    new RegExp(text, 'u');
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(error.message.lastIndexOf(': ') + 2) : '';
    return new Error(`must be a regular expression of JavaScript for a whole tag, such as CC-\\d{5}: ${reason}`);
  }
  let ways = 1;
  for (const { groups: part = {} } of text.matchAll(parts)) {
    // `\1` and `\k` refer to a group.
    if (/[1-9k]/.test(part.escape ?? '') || (part.group ?? ':') !== ':' || part.repeated !== undefined)
      return new Error(
        'must have no repeated group, lookaround, named group or reference to a group. Write (?:A|B)\\d{5}, but not (?:A|B)+',
      );
    ways *= waysOf(part);
  }
  if (ways > maxWays)
    return new Error('must have at most three parts of any length (*, + or {2,}), so that tags are checked quickly');
  return new RegExp(`^(?:${text})$`, 'u');
}

function waysOf({ operator, from, comma, to }: Readonly<Record<string, string | undefined>>): number {
  if (operator !== undefined) return operator === '*' || operator === '+' ? maxRepetitions : 2;
  if (from === undefined || comma === undefined) return 1;
  return to === '' ? maxRepetitions : Math.min(maxRepetitions, Number(to) - Number(from) + 1);
}
