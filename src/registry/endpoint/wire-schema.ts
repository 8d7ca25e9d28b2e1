import { z } from 'zod';

/** Text or a number, as the service happens to write it, or nothing at all. A number that is none (1e999) is neither. */
type Scalar = string | number | null;

/** A column that holds a scalar. One step for zod, not a chain of unions and options: a record has twenty columns. */
function column<Value>(read: (value: Scalar) => Value) {
  return z.transform((value: unknown, { issues }): Value => {
    if (value === undefined || value === null) return read(null);
    if (typeof value === 'string' || Number.isFinite(value)) return read(value as Scalar);
    issues.push({ code: 'custom', message: 'neither text nor a number', input: value });
    return z.NEVER;
  });
}

const isBlank = (text: string): boolean => text.trim() === '';

function readText(value: Scalar): string | null {
  if (typeof value === 'number') return String(value);
  return value === null || isBlank(value) ? null : value;
}

/** A text column. Numbers become text. Absent, null and blank values are null. */
export const text = column(readText);

/** An identifier column, without padding and in upper case. */
export const code = column((value) => readText(value)?.trim().toUpperCase() ?? null);

/** An employer registration column, without dashes and blanks and in upper case. */
export const registration = column(
  (value) =>
    readText(value)
      ?.replace(/[\s\p{Pd}]/gu, '')
      .toUpperCase() ?? null,
);

/** Whether a registration that came is the one asked for; the check digit follows from the rest, and may be missing. */
export function isRegistration(answered: string | null | undefined, asked: string): boolean {
  return answered === asked || (answered?.length === 10 && asked.startsWith(answered));
}

/** Text that the answer makes no sense without. */
export const requiredText = text.pipe(z.string());

/** A whole number, also as text; one that cannot be read is null rather than the loss of a paid answer. */
export const integer = column((value) => {
  if (value === null || (typeof value === 'string' && isBlank(value))) return null;
  const number = Number(value);
  return Number.isInteger(number) && Math.abs(number) < 2 ** 31 ? number : null;
});

/** A number as the service types it: leading zeros stay behind on the way out and on the way back. */
export function stripLeadingZeros(digits: string): string {
  return digits.trim().replace(/^0+(?=\d)/, '');
}

/** A decimal as it came; the graph writes it out exactly. */
export const amount = column((value) => value);

/** Warnings come as an array of unknown entries: text stays, the rest is written as JSON. */
export const warnings = z
  .array(z.unknown())
  .nullish()
  .transform((entries): readonly string[] => (entries ?? []).map(formatWarning));

/** JSON can be read deeper than it can be written: a warning like that must not cost the paid answer. */
function formatWarning(entry: unknown): string {
  if (typeof entry === 'string') return entry;
  try {
    return JSON.stringify(entry);
  } catch {
    return 'A warning that cannot be shown.';
  }
}

/** A record of documented columns: unknown ones are ignored, but one at least must be there to call it a record. */
export function columns<Shape extends z.ZodRawShape>(shape: Shape) {
  const names = Object.keys(shape);
  const hasColumn = (value: unknown): boolean => isObject(value) && names.some((name) => value[name] !== undefined);
  return z.custom<z.input<z.ZodObject<Shape>>>(hasColumn, 'none of the documented columns').pipe(z.object(shape));
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
