import { z } from 'zod';

/** Reads what came over the wire, or tells that it is of no documented kind. */
export type Read<Value> = (value: unknown) => Value | typeof unreadable;

export const unreadable = Symbol('unreadable');

/**
 * Every schema of this file has a function behind it that reads the same, and says only that it could not. A schema says where,
 * but makes a dozen objects of each value on its way, and compiles code of its own for each record: together more than a
 * processor keeps at hand.
 */
const readers = new WeakMap<z.ZodType, Read<unknown>>();

function withReader<Schema extends z.ZodType>(schema: Schema, read: Read<unknown>): Schema {
  readers.set(schema, read);
  return schema;
}

/** The quick way to read by a schema. */
export function readerOf<Value>(schema: z.ZodType<Value>): Read<Value> {
  const known = readers.get(schema) as Read<Value> | undefined;
  if (known !== undefined) return known;
  return (value) => {
    const result = schema.safeParse(value);
    return result.success ? result.data : unreadable;
  };
}

function wireValue<Value>(read: Read<Value>) {
  const schema = z.transform((value: unknown, context): Value => {
    const known = read(value);
    if (known !== unreadable) return known;
    context.addIssue({ code: 'custom', message: 'not of the documented kind' });
    return z.NEVER;
  });
  return withReader(schema, read);
}

/** JSON can write a number that is none: 1e999. */
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** Most text begins with a character that can be seen, so that the rest need not be looked at. */
function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  const isSeen = first > 0x20 && first < 0x7f;
  return !isSeen && text.trim() === '';
}

function readText(value: unknown): string | null | typeof unreadable {
  if (typeof value === 'string') return isBlank(value) ? null : value;
  if (isNumber(value)) return String(value);
  return value === null || value === undefined ? null : unreadable;
}

/** Text; numbers become text, and what is absent, null or blank is null. */
export const text = wireValue(readText);

/** An identifier however it was typed in; padding and case tell nobody apart. */
export const code = wireValue((value) => {
  const known = readText(value);
  return typeof known === 'string' ? known.trim().toUpperCase() : known;
});

/** Text that the answer makes no sense without. */
export const requiredText = wireValue((value) => readText(value) ?? unreadable);

/** A whole number, also as text; one that cannot be read is null rather than the loss of a paid answer. */
export const integer = wireValue((value) => {
  if (value === null || value === undefined) return null;
  if (typeof value !== 'string' && !isNumber(value)) return unreadable;
  const number = typeof value === 'string' && isBlank(value) ? Number.NaN : Number(value);
  return Number.isInteger(number) && Math.abs(number) < 2 ** 31 ? number : null;
});

/** A number as the service types it: leading zeros stay behind on the way out and on the way back. */
export function withoutZeros(digits: string): string {
  const number = digits.trim();
  return number.startsWith('0') ? number.replace(/^0+(?=\d)/, '') : number;
}

/** A decimal as it came; the graph writes it out exactly. */
export const amount = wireValue((value) => {
  if (typeof value === 'string' || isNumber(value)) return value;
  return value === null || value === undefined ? null : unreadable;
});

/** Warnings come as an array of unknown entries: text stays, the rest is written as JSON. */
export const warnings = wireValue((entries): readonly string[] | typeof unreadable => {
  if (entries === null || entries === undefined) return [];
  return Array.isArray(entries) ? entries.map(written) : unreadable;
});

/** JSON can be read deeper than it can be written: a warning like that must not cost the paid answer. */
function written(entry: unknown): string {
  if (typeof entry === 'string') return entry;
  try {
    return JSON.stringify(entry);
  } catch {
    return 'A warning that cannot be shown.';
  }
}

type Shape = Readonly<Record<string, z.ZodType>>;
type Members<Of extends Shape> = z.output<z.ZodObject<Of>>;

/** An object of documented members; others are ignored. */
export function members<Of extends Shape>(shape: Of) {
  return objectOf(shape, false);
}

/** A record of documented columns: unknown ones are ignored, but one at least must be there to call it a record. */
export function columns<Of extends Shape>(shape: Of) {
  return objectOf(shape, true);
}

function objectOf<Of extends Shape>(shape: Of, needsOne: boolean) {
  const all = Object.entries(shape).map(([name, schema]) => ({ name, schema, read: readerOf(schema) }));
  const read: Read<Members<Of>> = (value) => {
    if (!isObject(value)) return unreadable;
    const object: Record<string, unknown> = {};
    let isRecord = !needsOne;
    for (const { name, read } of all) {
      const member = value[name];
      if (member !== undefined) isRecord = true;
      const known = read(member);
      if (known === unreadable) return unreadable;
      object[name] = known;
    }
    return isRecord ? (object as Members<Of>) : unreadable;
  };
  const schema = z.transform((value: unknown, context): Members<Of> => {
    const known = read(value);
    if (known !== unreadable) return known;
    const isRecord = isObject(value) && (!needsOne || all.some(({ name }) => value[name] !== undefined));
    if (!isRecord) context.addIssue({ code: 'custom', message: 'none of the documented columns' });
    else
      for (const { name, schema } of all)
        for (const issue of issuesAt(name, schema, value[name])) context.addIssue(issue);
    return z.NEVER;
  });
  return withReader(schema, read);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function issuesAt(name: string, schema: z.ZodType, value: unknown) {
  const issues = schema.safeParse(value).error?.issues ?? [];
  return issues.map(({ message, path }) => ({ code: 'custom' as const, message, path: [name, ...path] }));
}

/** A list of what one schema reads. */
export function listOf<Of extends z.ZodType>(of: Of) {
  const readOne = readerOf(of);
  return withReader(z.array(of), (values) => {
    if (!Array.isArray(values)) return unreadable;
    const all: unknown[] = [];
    for (const value of values) {
      const known = readOne(value);
      if (known === unreadable) return unreadable;
      all.push(known);
    }
    return all;
  });
}

/** What may be missing or null. */
export function optional<Of extends z.ZodType>(of: Of) {
  const readOne = readerOf(of);
  return withReader(of.nullish(), (value) => (value === null || value === undefined ? value : readOne(value)));
}
