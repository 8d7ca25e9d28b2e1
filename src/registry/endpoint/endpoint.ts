import type { z } from 'zod';

/** Name of a registry. Registries fail independently, so each has its own circuit breaker. */
export type RegistryName = 'population' | 'housing' | 'education' | 'tax' | 'socialSecurity' | 'account';

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
  /** Whether the answer is about the question's identifiers. True for an answer without an identifier. */
  readonly matches?: (payload: Payload, question: Question) => boolean;
  /** Whether a well-formed answer means that the registry has no record. */
  readonly isEmpty?: (payload: Payload) => boolean;
  /** Returns why a well-formed answer is unusable although it does not contradict the question. */
  readonly explainUnusable?: (payload: Payload, question: Question) => UnusableReason | null;
  /** Returns the part of a question that identifies its answer. Default: the whole input. */
  readonly cacheKey?: (question: Question) => unknown;
  readonly maxBytes?: number;
  /** Whether an answer may still be replayed. Omitted if it is valid for the whole replay window. */
  readonly isFresh?: (answeredAt: Date, now: Date) => boolean;
  /** The answer that a dry run assumes, if further questions depend on it. */
  readonly placeholderAnswer?: (question: Question) => Payload;
}

export interface UnusableReason {
  readonly message: string;
  readonly spanish: string;
}

export interface Endpoint<Question, Payload> extends EndpointDefinition<Question, Payload> {
  /**
   * Scope that a caller's JWT needs: the permission, or a name defined by padron, so that no endpoint is open to all.
   */
  readonly scope: string;
}

type Permission = { readonly permission: string } | { readonly permission: null; readonly scope: string };

// biome-ignore lint/suspicious/noExplicitAny: a catalogue holds endpoints of every question and payload.
export type AnyEndpoint = Endpoint<any, any>;

export function endpoint<Question, Payload>(
  parts: EndpointDefinition<Question, Payload> & Permission,
): Endpoint<Question, Payload> {
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

/** Returns the key of a question: equal keys have the same answer. */
export function cacheKey(
  endpoint: AnyEndpoint,
  question: unknown,
  input: WireInput = endpoint.toWire(question),
): string {
  return JSON.stringify(endpoint.cacheKey?.(question) ?? input);
}

export type SandboxDelays = ReadonlyMap<AnyEndpoint, number>;

const maxDelayMs = 60_000;

/** Returns the name of an endpoint in `x-sandbox-delay`: the last part of its path, for example `buscar-credito`. */
function delayName({ path }: AnyEndpoint): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/**
 * Parses the header `x-sandbox-delay`, for example `buscar-credito=10s, valida-curp=300ms`. Throws a RangeError if the header
 * cannot be read, names an unknown endpoint, or exceeds the longest delay.
 */
export function parseSandboxDelays(header: string, endpoints: readonly AnyEndpoint[]): SandboxDelays {
  const byName = new Map(endpoints.map((endpoint) => [delayName(endpoint), endpoint]));
  return new Map(
    header.split(',').map((entry): [AnyEndpoint, number] => {
      const [, name = '', digits = '', unit] = /^\s*([a-z0-9-]+)=(\d{1,5})(ms|s)\s*$/.exec(entry) ?? [];
      const endpoint = byName.get(name);
      const delayMs = Number(digits) * (unit === 's' ? 1_000 : 1);
      if (endpoint === undefined || delayMs > maxDelayMs) {
        const example = '`buscar-credito=10s, valida-curp=300ms`';
        throw new RangeError(
          `The header \`x-sandbox-delay\` must be like ${example}, with delays of up to 60s. The endpoints are ${[...byName.keys()].join(', ')}.`,
        );
      }
      return [endpoint, delayMs];
    }),
  );
}
