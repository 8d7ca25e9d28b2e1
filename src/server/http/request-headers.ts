import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { GraphQLError } from 'graphql';
import { countEdits } from '../../config/config';
import { readMaxAge } from '../../config/max-age';
import { parseDuration } from '../../config/setting-values';
import type { Config } from '../../config/settings';
import type { Language } from '../../identifiers/text';
import {
  composeLabel,
  describePurposes,
  isHeaderName,
  type PurposeRules,
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
  /** Whether padron returns the price and does not run the operation. */
  readonly dryRun: boolean;
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

/** Returns an error if the request has two values of a header of padron, or a header whose name is one edit away. Otherwise returns null. */
export function findHeaderError({ headersDistinct }: Pick<IncomingMessage, 'headersDistinct'>): string | null {
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    const isKnown = singleHeaders.includes(name);
    if (isKnown && values.length > 1) return `The header \`${name}\` has ${values.length} values. Send one.`;
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
  const sandbox = config.registrySandbox || parseFlag(headers, 'x-sandbox');
  return {
    budget: parseBudget(headers['x-max-units'], config.maxUnits),
    operation: parseOperation(headers, config),
    answerWithinMs: parseAnswerWithin(headers['x-answer-within'], config),
    maxAgeMs: parseMaxAge(headers['x-max-age'], config),
    sandbox,
    sandboxDelays: parseDelays(headers['x-sandbox-delay'], sandbox || config.registryUrl === null, endpoints),
    language: negotiateLanguage(headers['accept-language']),
    legacyStatusCodes: isLegacyClient(headers.accept),
    dryRun: parseFlag(headers, 'x-dry-run'),
  };
}

/** Labels of a request's calls in the ledger. Labels that may be identifiers are left out. */
export interface RequestLabels {
  readonly client: string | null;
  readonly tag: string | null;
  readonly purpose: string | null;
  /** Keyed hash of the person that a JWT names beside the client. */
  readonly actor: string | null;
  /** Client, or the person of a JWT that names no client. Personal data. */
  readonly holder: string | null;
  /** Case, file or employee of the caller. It may be personal data. */
  readonly reference: string | null;
}

export interface HeaderLabels {
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
  const read = (name: string, pattern: RegExp | null = null): string | null => {
    const value = headers[name];
    const label = typeof value === 'string' ? decodeLabel(value) : '';
    if (isHeaderName(label, pattern)) return label;
    if (label !== '') dropped.push(name);
    return null;
  };
  const client = jwt === null ? (read('x-client-name') ?? read('apollographql-client-name')) : null;
  const labels = {
    client,
    tag: read('x-tag', tagPattern),
    purpose: parsePurpose(headers['x-purpose'], purpose),
    reference: parseReference(headers['x-reference']),
  };
  return { labels, dropped };
}

/** Reads the reference. Throws if it is malformed, because the caller could not find the calls of its case. */
function parseReference(header: string | readonly string[] | undefined): string | null {
  if (header === undefined) return null;
  const reference = readReference(decodeLabel(String(header)));
  if (reference !== null) return reference;
  throw invalidHeader('The header `x-reference` must have 1 to 64 visible characters.');
}

function parsePurpose(header: string | readonly string[] | undefined, rules: PurposeRules): string | null {
  if (header === undefined) return null;
  const purpose = readPurpose(decodeLabel(String(header)), rules);
  if (purpose !== null) return purpose;
  throw invalidHeader(`The header \`x-purpose\` has no known purpose. ${describePurposes(rules).english}`);
}

/** Decodes a header. Node decodes headers as Latin-1, which browsers send. Most other clients send UTF-8. */
function decodeLabel(header: string): string {
  const bytes = Buffer.from(header, 'latin1');
  return composeLabel(isUtf8(bytes) ? bytes.toString() : header).trim();
}

/** Returns the limit of the request or that of the operator, whichever is lower. Returns null without a limit. */
export function parseBudget(header: string | readonly string[] | undefined, maxUnits: number | null): number | null {
  if (header === undefined) return maxUnits;
  const text = String(header).trim();
  if (!/^\d{1,9}$/.test(text)) throw invalidHeader('The header `x-max-units` must be a whole number of units.');
  return maxUnits === null ? Number(text) : Math.min(maxUnits, Number(text));
}

/** Reads what the request says about its operation. Throws if a header is malformed, or if the operation cannot last. */
function parseOperation(headers: IncomingHttpHeaders, config: Config): OperationHeaders | null {
  const id = parseOperationId(headers['x-operation-id']);
  const keepMs = parseKeep(headers['x-operation-keep'], config.keepDays);
  const retriesUnknown = parseRetry(headers['x-operation-retry']);
  if (id === null) {
    if (keepMs === null && !retriesUnknown) return null;
    const name = keepMs === null ? 'x-operation-retry' : 'x-operation-keep';
    throw invalidHeader(`The header \`${name}\` needs an operation. Send its ID in \`x-operation-id\` too.`);
  }
  if (keepMs !== null) checkKept(id, config);
  return { id, keepMs, retriesUnknown, maxUnits: parseBudget(headers['x-max-units'], null) };
}

const minKeptIdLength = 20;

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

/** Reads the ID of the operation. Throws if it is malformed, because each request would then get the whole budget. */
function parseOperationId(header: string | readonly string[] | undefined): string | null {
  if (header === undefined) return null;
  const id = String(header).trim();
  if (/^[\x21-\x7e]{1,200}$/.test(id)) return id;
  throw invalidHeader('The header `x-operation-id` must have 1 to 200 visible characters of ASCII.');
}

function parseKeep(header: string | readonly string[] | undefined, maxDays: number): number | null {
  if (header === undefined) return null;
  const [, digits, unit] = /^(\d{1,4})([hd])$/.exec(String(header).trim()) ?? [];
  const hours = Number(digits) * (unit === 'd' ? 24 : 1);
  if (hours >= 1 && hours <= maxDays * 24) return hours * 3_600_000;
  throw invalidHeader(
    `The header \`x-operation-keep\` must be hours or days such as \`12h\` or \`1d\`, at most \`${maxDays}d\` here (KEEP_DAYS).`,
  );
}

function parseRetry(header: string | readonly string[] | undefined): boolean {
  if (header === undefined) return false;
  if (String(header).trim() === 'unknown') return true;
  throw invalidHeader('The header `x-operation-retry` must be `unknown`.');
}

function parseAnswerWithin(header: string | readonly string[] | undefined, config: Config): number | null {
  if (header === undefined) return config.answerWithinMs;
  const milliseconds = parseDuration(String(header));
  if (milliseconds === null)
    throw invalidHeader('The header `x-answer-within` must be a time of up to 60s such as `2s` or `800ms`.');
  return milliseconds;
}

/** Reads the age. Throws if it cannot be applied, because the caller relies on what the request costs. */
function parseMaxAge(header: string | readonly string[] | undefined, config: Config): number | null {
  if (header === undefined) return null;
  const age = readMaxAge(String(header), config);
  if (typeof age === 'number') return age;
  throw invalidHeader(`The header \`x-max-age\` ${age.english}`);
}

/** The real service never receives a delay, except in its sandbox mode. */
function parseDelays(
  header: string | readonly string[] | undefined,
  isSandbox: boolean,
  endpoints: readonly AnyEndpoint[],
): SandboxDelays {
  if (header === undefined) return new Map();
  if (!isSandbox)
    throw invalidHeader(
      'The header `x-sandbox-delay` needs the sandbox. Start padron without REGISTRY_URL, or send `x-sandbox: true` too.',
    );
  try {
    return parseSandboxDelays(String(header), endpoints);
  } catch (error) {
    throw error instanceof RangeError ? invalidHeader(error.message) : error;
  }
}

function parseFlag(headers: IncomingHttpHeaders, name: string): boolean {
  const header = headers[name];
  if (header === undefined) return false;
  const value = String(header).trim().toLowerCase();
  if (value === 'true' || value === '1') return true;
  if (value === 'false' || value === '0') return false;
  throw invalidHeader(`The header \`${name}\` must be true or false.`);
}

function invalidHeader(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT', http: { status: 400 } } });
}
