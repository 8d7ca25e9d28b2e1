import { z } from 'zod';

/** Text or a finite number, as the service writes scalars, or null. */
type Scalar = string | number | null;

/** A column with a scalar. One zod step is faster than a chain of unions and options, and a record has twenty columns. */
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

/** Whether a registration of an answer is the one of the question. Its check digit may be missing. */
export function isRegistration(answered: string | null | undefined, asked: string): boolean {
  return answered === asked || (answered?.length === 10 && asked.startsWith(answered));
}

export const requiredText = text.pipe(z.string());

/** A whole number, also as text. An unreadable number is null, so that the paid answer is not lost. */
export const integer = column((value) => {
  if (value === null || (typeof value === 'string' && isBlank(value))) return null;
  const number = Number(value);
  return Number.isInteger(number) && Math.abs(number) < 2 ** 31 ? number : null;
});

/** Returns digits as the service writes them, which is as a number without leading zeros. */
export function stripLeadingZeros(digits: string): string {
  return digits.trim().replace(/^0+(?=\d)/, '');
}

/** A decimal as the service wrote it. The graph returns it exactly. */
export const amount = column((value) => value);

/** An array of warnings. Text is kept, other entries are written as JSON. */
export const warnings = z
  .array(z.unknown())
  .nullish()
  .transform((entries): readonly string[] => (entries ?? []).map(formatWarning));

function formatWarning(entry: unknown): string {
  if (typeof entry === 'string') return entry;
  try {
    return JSON.stringify(entry);
  } catch {
    return 'A warning that cannot be shown.';
  }
}

/** A record of documented columns. Unknown columns are ignored, but at least one documented column is required. */
export function columns<Shape extends z.ZodRawShape>(shape: Shape) {
  const names = Object.keys(shape);
  const hasColumn = (value: unknown): boolean => isObject(value) && names.some((name) => value[name] !== undefined);
  return z.custom<z.input<z.ZodObject<Shape>>>(hasColumn, 'none of the documented columns').pipe(z.object(shape));
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
