import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { GraphQLError } from 'graphql';
import { parseDuration } from '../../config/setting-values';
import type { Config } from '../../config/settings';
import { countEdits } from '../../identifiers/edit-distance';
import { isDamaged, type Language, type Text } from '../../identifiers/text';
import {
  composeLabel,
  describePurposes,
  isHeaderName,
  type RequestLabels,
  readPurpose,
  readReference,
} from '../../registry/caller';
import { parseSandboxDelays, type SandboxDelays } from '../../registry/client/request-sender';
import type { AnyEndpoint } from '../../registry/endpoint/endpoint';
import { isLegacyClient, negotiateLanguage } from './content-negotiation';

export interface RequestOptions {
  /** Maximum units of the request, or null for no limit. A caller can only lower the limit of `MAX_UNITS`. */
  readonly budget: number | null;
  readonly operation: OperationHeaders | null;
  /** Milliseconds after which the request is answered with what has arrived. Null to wait for every answer. */
  readonly answerWithinMs: number | null;
  /** Maximum age of an answer that the account has paid for and that is used again. Null if the request does not say. */
  readonly maxAgeMs: number | null;
  /** Whether padron returns the price and does not run the operation. With `now`, answers that it can replay are free. */
  readonly dryRun: boolean | 'now';
  /** Whether the operator or the caller asks for the invented data of the service's sandbox mode. */
  readonly sandbox: boolean;
  readonly sandboxDelays: SandboxDelays;
  readonly language: Language;
  /** Whether the client ignores the body of any status except 200. */
  readonly legacyStatusCodes: boolean;
}

/** The operation that the request is a part of: of a client that sends many requests, or of a router that splits one. */
export interface OperationHeaders {
  readonly id: string;
  /** Milliseconds that the operation lasts, or null if this request does not make it last. */
  readonly keepMs: number | null;
  /** Whether questions are asked again if it is unknown whether they were charged. */
  readonly retriesUnknown: boolean;
  /** Maximum units of the whole operation, which `MAX_UNITS` does not lower. Null if this request names none. */
  readonly maxUnits: number | null;
}

/** Headers that have one value, and that no program in front of padron adds or changes on its own. */
const singleHeaders = [
  'apollographql-client-name',
  'authorization',
  'idempotency-key',
  'x-answer-within',
  'x-client-name',
  'x-dry-run',
  'x-max-age',
  'x-max-units',
  'x-operation-id',
  'x-operation-keep',
  'x-operation-retry',
  'x-purpose',
  'x-reference',
  'x-sandbox',
  'x-sandbox-delay',
  'x-subgraph-secret',
  'x-tag',
];

/** Headers that are texts and may have accents. */
const textHeaders = ['apollographql-client-name', 'x-client-name', 'x-purpose', 'x-reference', 'x-tag'];

/**
 * Returns an error if the request has two values of a header of padron, a header whose name is one edit away, or a damaged text.
 * Otherwise returns null.
 */
export function findHeaderError({ headersDistinct }: Pick<IncomingMessage, 'headersDistinct'>): string | null {
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    const isKnown = singleHeaders.includes(name);
    if (isKnown && values.length > 1) return `The header \`${name}\` has ${values.length} values. Send one.`;
    if (textHeaders.includes(name) && values.some((value) => isDamaged(decodeHeader(value))))
      return `The header \`${name}\` is not UTF-8, or has the sign of a text that was damaged before (U+FFFD). Send the original text as UTF-8.`;
    const nearest = isKnown ? undefined : findNearest(name.replaceAll('_', '-'));
    if (nearest !== undefined) return `There is no header \`${name}\`. Did you mean \`${nearest}\`?`;
  }
  return null;
}

function findNearest(name: string): string | undefined {
  if (!name.startsWith('x-')) return undefined;
  return singleHeaders.find((header) => Math.abs(header.length - name.length) <= 1 && countEdits(name, header) <= 1);
}

/** Reads the options of a request. Throws if a header about money or sandbox is malformed, because the caller relies on it. */
export function parseRequestHeaders(
  headers: IncomingHttpHeaders,
  config: Config,
  endpoints: readonly AnyEndpoint[],
): RequestOptions {
  const sandbox = config.registrySandbox || read(headers, 'x-sandbox', parseFlag) === true;
  const parseDelays = (text: string): SandboxDelays | Error =>
    sandbox || config.registryUrl === null ? parseSandboxDelays(text, endpoints) : noSandbox;
  return {
    budget: parseBudget(headers, config.maxUnits),
    operation: parseOperation(headers, config),
    answerWithinMs: read(headers, 'x-answer-within', parseAnswerWithin) ?? config.answerWithinMs,
    maxAgeMs: read(headers, 'x-max-age', (text) => {
      const age = readMaxAge(text, config);
      return typeof age === 'number' ? age : rule(age.english);
    }),
    sandbox,
    sandboxDelays: read(headers, 'x-sandbox-delay', parseDelays) ?? new Map(),
    language: negotiateLanguage(headers['accept-language']),
    legacyStatusCodes: isLegacyClient(headers.accept),
    dryRun: read(headers, 'x-dry-run', parseDryRun) ?? false,
  };
}

const rule = (text: string): Error => new Error(text);

/** Reads a header. `parse` returns an `Error` with the rule that the text breaks. Then it throws, because the caller relies on the header. */
function read<Value>(headers: IncomingHttpHeaders, name: string, parse: (text: string) => Value | Error): Value | null {
  const header = headers[name];
  const value = header === undefined ? null : parse(String(header));
  if (!(value instanceof Error)) return value;
  throw invalidHeader(`The header \`${name}\` ${value.message}`);
}

export interface HeaderLabels {
  /** Labels that may be identifiers are left out. */
  readonly labels: Omit<RequestLabels, 'actor' | 'holder'>;
  /** Names of the headers whose labels were left out. */
  readonly dropped: readonly string[];
}

/** Reads the labels from the headers. If JWTs name the client, it is null. Throws for a purpose that the operator does not allow. */
export function parseLabels(
  headers: IncomingHttpHeaders,
  { jwt, tagPattern, purpose }: Pick<Config, 'jwt' | 'tagPattern' | 'purpose'>,
): HeaderLabels {
  const dropped: string[] = [];
  const readLabel = (name: string, pattern: RegExp | null = null): string | null => {
    const value = headers[name];
    const label = typeof value === 'string' ? decodeLabel(value) : '';
    if (isHeaderName(label, pattern)) return label;
    if (label !== '') dropped.push(name);
    return null;
  };
  const client = jwt === null ? (readLabel('x-client-name') ?? readLabel('apollographql-client-name')) : null;
  const labels = {
    client,
    tag: readLabel('x-tag', tagPattern),
    purpose: read(headers, 'x-purpose', (text) => {
      const explain = (): Error => rule(`has no known purpose. ${describePurposes(purpose).english}`);
      return readPurpose(decodeLabel(text), purpose) ?? explain();
    }),
    // Without the reference, the caller could not find the calls of its case.
    reference: read(
      headers,
      'x-reference',
      (text) => readReference(decodeLabel(text)) ?? rule('must have 1 to 64 visible characters.'),
    ),
  };
  return { labels, dropped };
}

/** Decodes a header as UTF-8. Node has decoded it as Latin-1. */
const decodeHeader = (header: string): string => Buffer.from(header, 'latin1').toString();

const decodeLabel = (header: string): string => composeLabel(decodeHeader(header)).trim();

/** Returns the limit of the request or that of the operator, whichever is lower. Returns null without a limit. */
export function parseBudget(headers: IncomingHttpHeaders, maxUnits: number | null): number | null {
  const budget = read(headers, 'x-max-units', (text) =>
    /^\d{1,9}$/.test(text.trim()) ? Number(text) : rule('must be a whole number of units.'),
  );
  return budget === null || maxUnits === null ? (budget ?? maxUnits) : Math.min(maxUnits, budget);
}

/** Reads what the request says about its operation. Throws if the operation cannot last. */
function parseOperation(headers: IncomingHttpHeaders, config: Config): OperationHeaders | null {
  const id = read(headers, 'x-operation-id', parseOperationId);
  const keepMs = read(headers, 'x-operation-keep', (text) => parseKeep(text, config.keepDays));
  const retriesUnknown =
    read(headers, 'x-operation-retry', (text) => text.trim() === 'unknown' || rule('must be `unknown`.')) === true;
  if (id === null) {
    if (keepMs === null && !retriesUnknown) return null;
    const name = keepMs === null ? 'x-operation-retry' : 'x-operation-keep';
    throw invalidHeader(`The header \`${name}\` needs an operation. Send its ID in \`x-operation-id\` too.`);
  }
  if (keepMs !== null) checkKept(id, config);
  return { id, keepMs, retriesUnknown, maxUnits: parseBudget(headers, null) };
}

/** An ID is a secret only if it cannot be guessed. */
export const minKeptIdLength = 20;

function checkKept(id: string, { data }: Config): void {
  if (id.length < minKeptIdLength)
    throw invalidHeader(
      `An operation that lasts needs an ID of ${minKeptIdLength} to 200 characters in \`x-operation-id\`, because the ID is its secret. Send a random one, such as a UUID.`,
    );
  if (data.store === null)
    throw invalidHeader(
      'The header `x-operation-keep` needs a store, and padron runs without one here. Send the request without the header, or ask the operator to set DATA_DIR or DATABASE_URL.',
    );
}

function parseOperationId(text: string): string | Error {
  const id = text.trim();
  return /^[\x21-\x7e]{1,200}$/.test(id) ? id : rule('must have 1 to 200 visible characters of ASCII.');
}

function parseKeep(text: string, maxDays: number): number | Error {
  const milliseconds = millisecondsOf(text, 'hd');
  if (milliseconds > 0 && milliseconds <= maxDays * unitMs.d) return milliseconds;
  return rule(`must be hours or days such as \`12h\` or \`1d\`, at most \`${maxDays}d\` here (KEEP_DAYS).`);
}

const parseAnswerWithin = (text: string): number | Error =>
  parseDuration(text) ?? rule('must be a time of up to 60s such as `2s` or `800ms`.');

const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Returns the milliseconds of a whole number and one of the units, such as `30d`. Returns NaN for other texts. */
function millisecondsOf(text: string, units: string): number {
  const [, digits, unit] = /^(\d{1,9})([smhd])$/.exec(text.trim()) ?? [];
  return unit !== undefined && units.includes(unit) ? Number(digits) * unitMs[unit as keyof typeof unitMs] : Number.NaN;
}

/** Returns the milliseconds of an age such as `0s` or `30d`, or why it cannot be applied, as the end of a sentence about the header or argument. */
export function readMaxAge(text: string, { data, reuseDays }: Pick<Config, 'data' | 'reuseDays'>): number | Text {
  if (data.store === null) return noStore;
  if (reuseDays === 0) return reuseTurnedOff;
  const milliseconds = millisecondsOf(text, 'smhd');
  if (milliseconds <= reuseDays * unitMs.d) return milliseconds;
  return {
    english: `must be a whole number and s, m, h or d, such as \`0s\`, \`12h\` or \`1d\`, at most \`${reuseDays}d\` here (REUSE_DAYS).`,
    spanish: `debe ser un número entero y s, m, h o d, como \`0s\`, \`12h\` o \`1d\`, y a lo más \`${reuseDays}d\` aquí (REUSE_DAYS).`,
  };
}

const noStore: Text = {
  english:
    'needs a store, and padron runs without one here. Leave it out, or ask the operator to set DATA_DIR or DATABASE_URL.',
  spanish:
    'necesita un almacén, y aquí padron no tiene. Omítalo, o pida a quien opera padron que configure DATA_DIR o DATABASE_URL.',
};
const reuseTurnedOff: Text = {
  english: 'is turned off here. Leave it out, or ask the operator to set REUSE_DAYS.',
  spanish: 'está desactivado aquí. Omítalo, o pida a quien opera padron que configure REUSE_DAYS.',
};

/** The real service never receives a delay, except in its sandbox mode. */
const noSandbox = rule('needs the sandbox. Start padron without REGISTRY_URL, or send `x-sandbox: true` too.');

function parseFlag(text: string): boolean | Error {
  const value = text.trim().toLowerCase();
  if (value === 'true' || value === '1') return true;
  return value === 'false' || value === '0' ? false : rule('must be true or false.');
}

function parseDryRun(text: string): RequestOptions['dryRun'] | Error {
  if (text.trim().toLowerCase() === 'now') return 'now';
  const flag = parseFlag(text);
  return typeof flag === 'boolean' ? flag : rule('must be true, false or now.');
}

function invalidHeader(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT', http: { status: 400 } } });
}
