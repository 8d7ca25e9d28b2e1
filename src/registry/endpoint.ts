import { z } from 'zod';

/** Registries fail one by one: each has a circuit breaker of its own. */
export type RegistryName = 'population' | 'housing' | 'education' | 'tax' | 'socialSecurity' | 'account';

/** A file part of a multipart request. */
export interface FilePart {
  readonly filename: string;
  readonly bytes: Buffer;
}

/** What travels: query parameters, members of a JSON body or parts of a form, by the service's own names. */
export type WireInput = Readonly<Record<string, string | number | boolean | FilePart>>;

/**
 * How an answer opens.
 * `record` and `list`: the common envelope around an object or an array · `confirmation`: the common envelope without data ·
 * `document`: `{ok: true, …}`, the body itself is the payload · `file`: the bytes of a PDF.
 */
export type Opening = 'record' | 'list' | 'confirmation' | 'document' | 'file';

/** A file that is the whole answer. */
export interface FileAnswer {
  readonly bytes: Buffer;
  readonly contentType: string;
  readonly filename: string | null;
}

/** Settings that give a path which the interface leaves open. */
export type PathSetting = 'identityPath' | 'balancePath';

/** One endpoint of the service, as a value: all that padron knows of it is here. */
export interface Endpoint<Question, Payload> {
  readonly name: string;
  readonly registry: RegistryName;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** The interface does not give this endpoint's path: an operator's setting replaces the default. */
  readonly pathSetting?: PathSetting;
  readonly carries: 'query' | 'json' | 'multipart';
  readonly opens: Opening;
  readonly units: number;
  readonly permission: string | null;
  readonly batch: boolean;
  readonly answers: z.ZodType<Payload>;
  readonly wire: (question: Question) => WireInput;
  /** Wire parameter to the graph's argument, so that a refusal points at what the caller wrote. */
  readonly arguments: Readonly<Record<string, readonly string[]>>;
  /** Whether the answer speaks of what was asked for; an answer that carries no identifier does. */
  readonly isAbout?: (payload: Payload, question: Question) => boolean;
  /** Whether a well-formed answer says that the registry holds nothing. */
  readonly isEmpty?: (payload: Payload) => boolean;
  /** What makes two questions the same, where it is not all that travels. */
  readonly identity?: (question: Question) => unknown;
  readonly maxBytes?: number;
  /** Whether an answer may still serve again, where it is good for less than the replay window. */
  readonly staysGood?: (answeredAt: Date, now: Date) => boolean;
  /** An answer to reckon with while a price is told, where further questions follow from this one. */
  readonly supposed?: (question: Question) => Payload;
}

// biome-ignore lint/suspicious/noExplicitAny: a catalogue holds endpoints of every question and payload.
export type AnyEndpoint = Endpoint<any, any>;

/** Infers question and payload from the parts. */
export function endpoint<Question, Payload>(parts: Endpoint<Question, Payload>): Endpoint<Question, Payload> {
  return Object.freeze(parts);
}

/** What a column holds, or `unreadable` where that is of no documented kind. */
type Read<Value> = (value: unknown) => Value | typeof unreadable;

const unreadable = Symbol('unreadable');
/** The function behind a wire value, by which `columns` reads it without the schema's steps in between. */
const readers = new WeakMap<z.ZodType, Read<unknown>>();

/** A value of the wire, read in one step: a union piped into a transformation takes five, for each column of each record. */
function wireValue<Value extends string | number | null>(read: Read<Value>) {
  const schema = z.transform((value: unknown, context): Value => {
    const known = read(value);
    if (known !== unreadable) return known;
    context.addIssue({ code: 'custom', message: 'not of the documented kind' });
    return z.NEVER;
  });
  readers.set(schema, read);
  return schema;
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
export const withoutZeros = (digits: string): string => digits.trim().replace(/^0+(?=\d)/, '');

/** A decimal as it came; the graph writes it out exactly. */
export const amount = wireValue((value) => {
  if (typeof value === 'string' || isNumber(value)) return value;
  return value === null || value === undefined ? null : unreadable;
});

/** Warnings come as an array of unknown entries: text stays, the rest is written as JSON. */
export const warnings = z
  .array(z.unknown())
  .nullish()
  .transform((entries): readonly string[] => (entries ?? []).map(written));

/** JSON can be read deeper than it can be written: a warning like that must not cost the paid answer. */
function written(entry: unknown): string {
  if (typeof entry === 'string') return entry;
  try {
    return JSON.stringify(entry);
  } catch {
    return 'A warning that cannot be shown.';
  }
}

/**
 * An object of documented columns: unknown ones are ignored, but one at least must be there to call it a record. Read by one loop
 * for all records: zod compiles a function for each, and together they are more than a processor keeps at hand.
 */
export function columns<Shape extends Readonly<Record<string, z.ZodType>>>(shape: Shape) {
  const all = Object.entries(shape).map(([name, schema]) => ({
    name,
    schema,
    read: readers.get(schema) ?? readBy(schema),
  }));
  return z.transform((value: unknown, context): z.output<z.ZodObject<Shape>> => {
    const record: Record<string, unknown> = {};
    let isRecord = false;
    for (const { name, schema, read } of isObject(value) ? all : []) {
      const cell = (value as Readonly<Record<string, unknown>>)[name];
      if (cell !== undefined) isRecord = true;
      const known = read(cell);
      record[name] = known;
      if (known !== unreadable) continue;
      for (const { message, path } of schema.safeParse(cell).error?.issues ?? [])
        context.addIssue({ code: 'custom', message, path: [name, ...path] });
    }
    if (!isRecord) context.addIssue({ code: 'custom', message: 'none of the documented columns' });
    return record as z.output<z.ZodObject<Shape>>;
  });
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads what is no plain value, such as a record within a record. */
function readBy(schema: z.ZodType): Read<unknown> {
  return (value) => {
    const { success, data } = schema.safeParse(value);
    return success ? data : unreadable;
  };
}

const mark = '\u0001supposed:';

/** Stands in a supposed answer for an entry of a list whose length is not known before. */
export const listMark = 'entry:';

/** Text that stands for a value which only the registry knows: no rule is held against it, and none is ever sent. */
export const suppose = (what: string): string => `${mark}${what}`;

export const isSupposed = (value: string): boolean => value.startsWith(mark);
