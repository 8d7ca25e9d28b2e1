import type { SelectionPlan, Shape } from './plan';

/**
 * An object of an answer: its values in the order of its fields. The names are the plan's, so that an answer is written without
 * looking any of them up, or making an object of them first.
 */
export class Row {
  readonly values: unknown[] = [];

  constructor(readonly selection: SelectionPlan) {}

  /** For whoever writes it in another way. */
  toJSON(): Record<string, unknown> {
    return plainOf(this);
  }
}

/** What stands before a field's value: plainly, where the value is text, after a text, and both. Texts are closed by what follows. */
export function leadsOf(key: string, at: number): readonly string[] {
  const name = `${at === 0 ? '' : ','}"${key}":`;
  return [name, `${name}"`, `"${name}`, `"${name}"`];
}

/** An answer as JSON.stringify would write its plain data. */
export function jsonOf({ values, selection: { fields, leads } }: Row): string {
  let text = '{';
  let afterText = false;
  for (let at = 0; at < fields.length; at += 1) {
    const value = values[at];
    const isText = typeof value === 'string' && standsAsItIs(value);
    // Joined as seldom as can be: each time is a step more when the answer is sent.
    text += leads[4 * at + (afterText ? 2 : 0) + (isText ? 1 : 0)];
    text += isText ? value : written(value, fields[at]?.shape);
    afterText = isText;
  }
  return text + (afterText ? '"}' : '}');
}

function written(value: unknown, shape: Shape | undefined): string {
  if (value === null || value === undefined) return 'null';
  if (value instanceof Row) return jsonOf(value);
  if (shape?.kind !== 'list' || !Array.isArray(value)) return JSON.stringify(value);
  let text = '';
  for (const entry of value) text += text === '' ? written(entry, shape.of) : `,${written(entry, shape.of)}`;
  return `[${text}]`;
}

/** In longer texts JSON.stringify looks faster. */
const longText = 80;

/** Whether a text stands in JSON as it is: to see that is quicker than to have it written. */
function standsAsItIs(text: string): boolean {
  if (text.length > longText) return false;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x20 || unit >= 0xd800 || unit === 0x22 || unit === 0x5c) return false;
  }
  return true;
}

/** An answer as plain data. */
export function plainOf({ values, selection }: Row): Record<string, unknown> {
  // Defined and not set: an alias may be `__proto__`.
  return Object.fromEntries(selection.fields.map(({ key, shape }, at) => [key, plain(values[at], shape)]));
}

function plain(value: unknown, shape: Shape): unknown {
  if (value instanceof Row) return plainOf(value);
  if (shape.kind !== 'list' || !Array.isArray(value)) return value;
  return value.map((entry) => plain(entry, shape.of));
}
