import type { z } from 'zod';

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
export type EnvelopeKind = 'record' | 'list' | 'confirmation' | 'document' | 'file';

/** A file that is the whole answer. */
export interface FileAnswer {
  readonly bytes: Buffer;
  readonly contentType: string;
  readonly filename: string | null;
}

/** Settings that give a path which the interface leaves open. */
export type PathSetting = 'identityPath' | 'balancePath';

/** By what a person or an employer is found again in what is kept. */
export type SubjectKind = 'nss' | 'curp' | 'rfc' | 'registration' | 'licence' | 'certificate' | 'name';

/** One identifier of the person or the employer that a question is about. */
export interface Subject {
  readonly kind: SubjectKind;
  readonly value: string;
}

/** What may be said of an endpoint. */
interface EndpointParts<Question, Payload> {
  readonly name: string;
  readonly registry: RegistryName;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** The interface does not give this endpoint's path: an operator's setting replaces the default. */
  readonly pathSetting?: PathSetting;
  readonly encoding: 'query' | 'json' | 'multipart';
  readonly envelope: EnvelopeKind;
  readonly units: number;
  /** What the service wants the account to have; null where the interface names nothing. */
  readonly permission: string | null;
  readonly batch: boolean;
  readonly schema: z.ZodType<Payload>;
  readonly toWire: (question: Question) => WireInput;
  /** Whom a question is about; nobody where this is left out. */
  readonly subjects?: (question: Question) => readonly Subject[];
  /** Wire parameter to the graph's argument, so that a rejection points at what the caller wrote. */
  readonly argumentPaths: Readonly<Record<string, readonly string[]>>;
  /** Whether the answer speaks of what was asked for; an answer that carries no identifier does. */
  readonly matches?: (payload: Payload, question: Question) => boolean;
  /** Whether a well-formed answer says that the registry holds nothing. */
  readonly isEmpty?: (payload: Payload) => boolean;
  /** Why a well-formed answer cannot be used all the same, where it is neither about what was asked for nor about anything else. */
  readonly explainUnusable?: (payload: Payload, question: Question) => string | null;
  /** What makes two questions the same, where it is not all that travels. */
  readonly cacheKey?: (question: Question) => unknown;
  readonly maxBytes?: number;
  /** Whether an answer may still serve again, where it is good for less than the replay window. */
  readonly isFresh?: (answeredAt: Date, now: Date) => boolean;
  /** An answer to reckon with in a dry run, where further questions follow from this one. */
  readonly placeholderAnswer?: (question: Question) => Payload;
}

/** One endpoint of the service, as a value: all that padron knows of it is here. */
export interface Endpoint<Question, Payload> extends EndpointParts<Question, Payload> {
  /** What a caller's JWT must name: the permission, or a name of padron's own where there is none, so that none is free to all. */
  readonly scope: string;
}

type Permission = { readonly permission: string } | { readonly permission: null; readonly scope: string };

// biome-ignore lint/suspicious/noExplicitAny: a catalogue holds endpoints of every question and payload.
export type AnyEndpoint = Endpoint<any, any>;

/** Infers question and payload from the parts. */
export function endpoint<Question, Payload>(
  parts: EndpointParts<Question, Payload> & Permission,
): Endpoint<Question, Payload> {
  const scope = parts.permission === null ? parts.scope : parts.permission;
  return Object.freeze({ ...parts, scope });
}

/** A person by name, as one text. */
export const subjectByName = (names: string, paternalSurname: string, maternalSurname: string | null): Subject => ({
  kind: 'name',
  value: [names, paternalSurname, maternalSurname ?? ''].join('|'),
});

const prefix = '\u0001placeholder:';

/** Stands in a placeholder answer for an entry of a list whose length is not known before. */
export const listPlaceholder = 'entry:';

/** Text that stands for a value which only the registry knows: no rule is held against it, and none is ever sent. */
export const placeholder = (what: string): string => `${prefix}${what}`;

export const isPlaceholder = (value: string): boolean => value.startsWith(prefix);

/** What makes two questions the same: all that travels, unless the endpoint says otherwise. */
export function cacheKey(
  endpoint: AnyEndpoint,
  question: unknown,
  input: WireInput = endpoint.toWire(question),
): string {
  return JSON.stringify(endpoint.cacheKey?.(question) ?? input);
}
