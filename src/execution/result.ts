import type { SelectionPlan, Shape } from './plan';

/**
 * An object of an answer: its values in the order of its fields. The names are the plan's, so that an answer is written without
 * looking any of them up, or making an object of them first.
 */
export class ResultObject {
  readonly values: unknown[] = [];

  constructor(readonly selection: SelectionPlan) {}

  /** For whoever writes it in another way. */
  toJSON(): Record<string, unknown> {
    return toPlain(this);
  }
}

/** What stands before a field's value: plainly, where the value is text, after a text, and both. Texts are closed by what follows. */
export function keyPrefixes(key: string, index: number): readonly string[] {
  const name = `${index === 0 ? '' : ','}"${key}":`;
  return [name, `${name}"`, `"${name}`, `"${name}"`];
}

/** An answer as JSON.stringify would write its plain data. */
export function toJson({ values, selection: { fields, keyPrefixes } }: ResultObject): string {
  let text = '{';
  let isAfterText = false;
  for (let index = 0; index < fields.length; index += 1) {
    const value = values[index];
    const isText = typeof value === 'string' && needsNoEscaping(value);
    // Joined as seldom as can be: each time is a step more when the answer is sent.
    text += keyPrefixes[4 * index + (isAfterText ? 2 : 0) + (isText ? 1 : 0)];
    text += isText ? value : stringifyValue(value, fields[index]?.shape);
    isAfterText = isText;
  }
  return text + (isAfterText ? '"}' : '}');
}

function stringifyValue(value: unknown, shape: Shape | undefined): string {
  if (value === null || value === undefined) return 'null';
  if (value instanceof ResultObject) return toJson(value);
  if (shape?.kind !== 'list' || !Array.isArray(value)) return JSON.stringify(value);
  let text = '';
  for (const entry of value)
    text += text === '' ? stringifyValue(entry, shape.of) : `,${stringifyValue(entry, shape.of)}`;
  return `[${text}]`;
}

/** In longer texts JSON.stringify looks faster. */
const maxScannedLength = 80;

/** Whether a text stands in JSON as it is: to see that is quicker than to have it written. */
function needsNoEscaping(text: string): boolean {
  if (text.length > maxScannedLength) return false;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x20 || unit >= 0xd800 || unit === 0x22 || unit === 0x5c) return false;
  }
  return true;
}

/** An answer as plain data. */
export function toPlain({ values, selection }: ResultObject): Record<string, unknown> {
  // Defined and not set: an alias may be `__proto__`.
  return Object.fromEntries(selection.fields.map(({ key, shape }, index) => [key, toPlainValue(values[index], shape)]));
}

function toPlainValue(value: unknown, shape: Shape): unknown {
  if (value instanceof ResultObject) return toPlain(value);
  if (shape.kind !== 'list' || !Array.isArray(value)) return value;
  return value.map((entry) => toPlainValue(entry, shape.of));
}
