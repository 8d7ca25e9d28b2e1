import { z } from 'zod';
import { parseDecimal } from '../../identifiers/decimals';
import { isObject } from '../../identifiers/json-value';
import { repairMisread } from '../../identifiers/names';

/** Name of a registry, such as `housing`. Registries fail independently, so each has its own circuit breaker. */
export type RegistryName = string;

export interface FilePart {
  readonly filename: string;
  readonly bytes: Buffer;
}

/** Input as it is sent: query parameters, members of a JSON body or parts of a form, with the service's names. */
export type WireInput = Readonly<Record<string, string | number | boolean | FilePart>>;

/**
 * Envelope of an answer. `record` and `list`: the common envelope with an object or an array. `confirmation`: the
 * common envelope without data. `document`: `{ok: true, …}`, where the body is the payload. `file`: the bytes of a PDF.
 */
export type EnvelopeKind = 'record' | 'list' | 'confirmation' | 'document' | 'file';

export interface FileAnswer {
  readonly bytes: Buffer;
  readonly contentType: string;
  readonly filename: string | null;
}

export type PathSetting = 'identityPath' | 'balancePath';

/** Kind of identifier by which stored data of a person or an employer is found. */
export type SubjectKind = 'nss' | 'curp' | 'rfc' | 'registration' | 'licence' | 'certificate' | 'name';

export interface Subject {
  readonly kind: SubjectKind;
  readonly value: string;
}

/** A question that padron derived from a trusted answer about another identifier of the same person. It is not sent. */
export interface DerivedQuestion {
  readonly foundBy?: Subject | null;
}

/** Returns the identifier whose answer led to a question. Empty if the caller gave everything that the question contains. */
export function originOf(question: unknown): readonly Subject[] {
  const { foundBy = null } = question as DerivedQuestion;
  return foundBy === null ? [] : [foundBy];
}

/** A wire parameter. `kind` is null if it identifies no person or employer. */
interface SandboxInput {
  readonly name: string;
  readonly kind: SubjectKind | null;
  readonly isOptional: boolean;
}

/** Answers of the embedded sandbox to an endpoint that it does not have. */
export interface SandboxAnswers {
  readonly inputs: readonly SandboxInput[];
  /** Returns the payload of the answer, or null if the registry has no record. Null if the file has no answers. */
  readonly answer: ((input: Readonly<Record<string, string>>) => object | null | Promise<object | null>) | null;
}

interface EndpointDefinition<Question, Payload> {
  readonly name: string;
  readonly registry: RegistryName;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Setting that replaces the default path, because the interface does not specify the path of this endpoint. */
  readonly pathSetting?: PathSetting;
  readonly encoding: 'query' | 'json' | 'multipart';
  readonly envelope: EnvelopeKind;
  readonly units: number;
  /** Permission that the account needs. Null if the interface names none. */
  readonly permission: string | null;
  readonly batch: boolean;
  readonly schema: z.ZodType<Payload>;
  readonly toWire: (question: Question) => WireInput;
  readonly subjects?: (question: Question) => readonly Subject[];
  /** Path of the graph's argument for each wire parameter, so that a rejection names the argument that the caller wrote. */
  readonly argumentPaths: Readonly<Record<string, readonly string[]>>;
  /**
   * Whether the answer is about the question's identifiers. True for an answer without an identifier. `COMPARED_BY_FIELD`: an answer may also
   * be about others, or be a document, so the field compares what it shows. `NAMES_NOBODY`: no answer has an identifier.
   */
  readonly matches: ((payload: Payload, question: Question) => boolean) | 'COMPARED_BY_FIELD' | 'NAMES_NOBODY';
  /** Whether a well-formed answer means that the registry has no record. */
  readonly isEmpty?: (payload: Payload) => boolean;
  /** Returns the part of a question that identifies its answer, the same for all its spellings. Default: the whole input. */
  readonly cacheKey?: (question: Question) => unknown;
  /** Returns the question as the caller wrote it, if others may write it otherwise. Versions before kept answers under it. */
  readonly spelling?: (question: Question) => unknown;
  /** Whether the registry may find a record under another spelling, so that only a record answers all spellings. */
  readonly isSpellingExact?: true;
  readonly maxBytes?: number;
  /** Whether an answer may still be used again. Omitted if every answer is valid for as long as a request allows. `payload` is null if the registry has no record. */
  readonly isFresh?: (answeredAt: Date, now: Date, payload: Payload | null) => boolean;
  /** The answer that a dry run assumes, if further questions depend on it. */
  readonly placeholderAnswer?: (question: Question) => Payload;
  readonly sandbox?: SandboxAnswers;
}

export interface Endpoint<Question, Payload> extends EndpointDefinition<Question, Payload> {
  /**
   * Scope that a caller's JWT needs: the permission, or a name defined by padron, so that no endpoint is open to all.
   */
  readonly scope: string;
}

export type EndpointParts<Question, Payload> = EndpointDefinition<Question, Payload> &
  ({ readonly permission: string } | { readonly permission: null; readonly scope: string });

// biome-ignore lint/suspicious/noExplicitAny: a catalogue holds endpoints of every question and payload.
export type AnyEndpoint = Endpoint<any, any>;

export function endpoint<Question, Payload>(parts: EndpointParts<Question, Payload>): Endpoint<Question, Payload> {
  const scope = parts.permission === null ? parts.scope : parts.permission;
  return Object.freeze({ ...parts, scope });
}

export const subjectByName = (names: string, paternalSurname: string, maternalSurname: string | null): Subject => ({
  kind: 'name',
  value: [names, paternalSurname, maternalSurname ?? ''].join('|'),
});

/** Prefix of placeholders. It is in upper case, because the scalars of identifiers convert to upper case. */
const prefix = '\u0001PLACEHOLDER:';

/** Placeholder for an entry of a list of unknown length. */
export const listPlaceholder = 'entry:';

/** Returns a placeholder for a value that only the registry knows. It passes all rules and is never sent. */
export const placeholder = (what: string): string => `${prefix}${what}`;

export const isPlaceholder = (value: string): boolean => value.startsWith(prefix);

/** Keys of a question: that of all its spellings, and that of its own spelling if it differs. */
export type CacheKeys = readonly [shared: string, spelled?: string];

export function cacheKeys(
  endpoint: AnyEndpoint,
  question: unknown,
  input: WireInput = endpoint.toWire(question),
): CacheKeys {
  const shared = JSON.stringify(endpoint.cacheKey?.(question) ?? input);
  const spelled = endpoint.spelling === undefined ? shared : JSON.stringify(endpoint.spelling(question));
  return spelled === shared ? [shared] : [shared, spelled];
}

/** Returns the key under which a question is counted: questions with the same key always have the same answer. */
export const exactKey = (endpoint: AnyEndpoint, [shared, spelled = shared]: CacheKeys): string =>
  endpoint.isSpellingExact ? spelled : shared;

/** Stands for a value of an answer that its schema did not accept, when the answer is parsed again. */
export const unreadable = Symbol('unreadable');

/** Text or a finite number, as the service writes scalars. */
type Scalar = string | number;

/**
 * A column with a scalar. It is `lost` if it cannot be read: then `read` returns undefined. If `absent` is undefined, it may not be
 * absent. One zod step is faster than a chain of unions and options, and a record has twenty columns.
 */
function column<Value, Lost extends null | undefined, Absent extends null | undefined>(
  read: (value: Scalar) => Value | undefined,
  { lost, absent }: { readonly lost: Lost; readonly absent: Absent },
) {
  return z.transform((value: unknown, { issues }): Value | Lost | Absent => {
    if (value === unreadable) return lost;
    if ((value === undefined || value === null) && absent === null) return absent;
    const found = typeof value === 'string' || Number.isFinite(value) ? read(value as Scalar) : undefined;
    if (found !== undefined) return found;
    issues.push({ code: 'custom', message: 'not a value of this column', input: value });
    return z.NEVER;
  });
}

/** A list, an object or a column that is undefined if it cannot be read, and null only if it is absent. */
export function ifReadable<Value>(schema: z.ZodType<Value>) {
  return z.transform((value: unknown, { issues }): Value | undefined => {
    if (value === unreadable) return undefined;
    const { data, error } = schema.safeParse(value ?? null);
    if (error === undefined) return data;
    for (const { path, message } of error.issues) issues.push({ code: 'custom', path, message, input: value });
    return z.NEVER;
  });
}

const scalar = { lost: null, absent: null } as const;
/** An identifier that cannot be read equals no other, so that its record is nobody's. An absent one may be anybody's. */
const named = { lost: undefined, absent: null } as const;
const required = { lost: undefined, absent: undefined } as const;

const isBlank = (value: Scalar): boolean => typeof value === 'string' && value.trim() === '';

const readText = (value: Scalar): string | null => (isBlank(value) ? null : String(value));

/** A text column. Numbers become text. Absent, null and blank values are null. */
export const text = column(readText, scalar);

/** A column of a person's name, in which an Ñ that was misread on its way is restored. */
export const personName = column((value) => repairMisread(readText(value)), scalar);

/** An identifier column, unchanged. */
export const identifier = column(readText, named);

/** An identifier column, without padding and in upper case. */
export const code = column((value) => readText(value)?.trim().toUpperCase() ?? null, named);

/** An employer registration column, without dashes and blanks and in upper case. */
export const registration = column(
  (value) =>
    readText(value)
      ?.replace(/[\s\p{Pd}]/gu, '')
      .toUpperCase() ?? null,
  named,
);

/** Whether a registration of an answer is the one of the question. Its check digit may be missing. */
export function isRegistration(answered: string | null | undefined, asked: string): boolean {
  return answered === asked || (answered?.length === 10 && asked.startsWith(answered));
}

/** A text column that may not be absent. It is undefined if it is absent or cannot be read. */
export const requiredText = column((value) => readText(value) ?? undefined, required);

/** A whole number, also as text. */
export const integer = column((value) => {
  if (isBlank(value)) return null;
  const number = Number(value);
  return Number.isInteger(number) && Math.abs(number) < 2 ** 31 ? number : undefined;
}, scalar);

/** Returns digits as the service writes them, which is as a number without leading zeros. */
export function stripLeadingZeros(digits: string): string {
  return digits.trim().replace(/^0+(?=\d)/, '');
}

/** A column of text that is read otherwise. `read` returns undefined for a text that it cannot read. */
export const readAs = (read: (text: string) => string | undefined) =>
  column((value) => (isBlank(value) ? null : read(String(value))), scalar);

/** A column with true or false. */
export const flag = z.transform((value: unknown, { issues }): boolean | null => {
  if (value === undefined || value === null || value === unreadable) return null;
  if (typeof value === 'boolean') return value;
  issues.push({ code: 'custom', message: 'not true or false', input: value });
  return z.NEVER;
});

/** A decimal as the service wrote it. The graph returns it exactly. */
export const amount = column((value) => (isBlank(value) || parseDecimal(value) !== null ? value : undefined), scalar);

/** An array of warnings, or one warning. Text is kept, other values are written as JSON. */
export const warnings = z.transform((value: unknown): readonly string[] => {
  if (value === undefined || value === null || value === unreadable) return [];
  return (Array.isArray(value) ? value : [value]).map(formatWarning);
});

function formatWarning(entry: unknown): string {
  if (typeof entry === 'string') return entry;
  try {
    return JSON.stringify(entry);
  } catch {
    return 'A warning that cannot be shown.';
  }
}

/**
 * A record of documented columns. Unknown columns are ignored, but at least one of the `essential` columns is required. If an entry of a list cannot
 * be read, it is a record whose columns cannot be read.
 */
export function columns<Shape extends z.ZodRawShape>(
  shape: Shape,
  essential: readonly (keyof Shape & string)[] = Object.keys(shape),
) {
  const isLost = (value: unknown): boolean => value === undefined || value === unreadable;
  const blank = Object.fromEntries(Object.keys(shape).map((name) => [name, unreadable]));
  const record = z.transform((value: unknown, { issues }) => {
    if (value === unreadable) return blank;
    if (isObject(value) && !essential.every((name) => isLost(value[name]))) return value;
    issues.push({ code: 'custom', message: 'none of the documented columns', input: value });
    return z.NEVER;
  });
  return record.pipe(z.object(shape) as z.ZodType<z.output<z.ZodObject<Shape>>, Readonly<Record<string, unknown>>>);
}
