/**
 * Characters that a terminal executes, or that change the order in which it shows text: C0, DEL, C1, line separators and the controls of
 * bidirectional text.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are the subject.
const control = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Returns text of one line in which control characters are shown as escapes, such as `\u001b`. */
export const toVisible = (text: string): string => text.replace(control, toEscape);

/** Returns lines that a terminal shows and does not execute. All text for a terminal passes through here. */
export const toTerminal = (lines: string): string => lines.split('\n').map(toVisible).join('\n');

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const toEscape = (character: string): string =>
  short[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
