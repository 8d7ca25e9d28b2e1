import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { type Answer, rateLimited, skippedAnswer } from '../answer/answer';
import { isServiceError, readBody } from '../answer/envelope';
import type { Caller } from '../caller';
import type { AnyEndpoint, FilePart, WireInput } from '../endpoint/endpoint';
import { getHeader, type HttpRequest, type HttpResult, parseRetryAfter, type Transport } from '../transport/transport';
import type { Abortable } from './fair-limiter';

export interface CallReport {
  readonly endpoint: string;
  readonly account: string;
  readonly result: HttpResult['kind'];
  readonly status: number | null;
  readonly detail: string | null;
  readonly milliseconds: number;
}

function toCallReport(endpoint: string, account: string, result: HttpResult, ms: number): CallReport {
  return {
    endpoint,
    account,
    result: result.kind,
    status: result.kind === 'delivered' ? result.status : null,
    detail: result.kind === 'failed' ? result.detail : null,
    milliseconds: Math.round(ms),
  };
}

export interface SenderOptions {
  readonly onCall?: (call: CallReport) => void;
}

export interface Sendable extends Abortable {
  /** Whether the call may still be sent. Asked right before each attempt writes its first byte. */
  isHeld?(): boolean;
}

/** Sends requests. Waits while the service asks their account to wait, and only retries a request if the retry is free. */
export class RequestSender {
  onPause: ((caller: Caller, ms: number) => void) | null = null;
  private readonly pauses = new AccountPauses();

  constructor(
    private readonly transport: Transport,
    private readonly options: SenderOptions,
  ) {}

  pauseAccount(account: string, ms: number): void {
    this.pauses.pause(account, ms);
  }

  isPaused(account: string): boolean {
    return this.pauses.remainingMs(account) > 0;
  }

  close(): Promise<void> {
    return this.transport.close();
  }

  /**
   * Waits until the service accepts calls of the account. Resolves to null then, or to an answer if the wait would end after `sendBy`. Returns
   * null if the account is not paused.
   */
  waitForPause(
    address: string,
    account: string,
    sendBy: number,
    call: Abortable,
  ): Promise<Answer<never> | null> | null {
    return this.pauses.remainingMs(account) === 0 ? null : this.sleepThroughPause(address, account, sendBy, call);
  }

  private async sleepThroughPause(
    address: string,
    account: string,
    sendBy: number,
    call: Abortable,
  ): Promise<Answer<never> | null> {
    for (let ms = this.pauses.remainingMs(account); ms > 0; ms = this.pauses.remainingMs(account)) {
      if (performance.now() + ms > sendBy) return rateLimited(address, ms);
      // The wait ends if the caller disconnects.
      await sleep(ms, undefined, { signal: call.signal }).catch(() => undefined);
      if (call.signal.aborted) return skippedAnswer(address, 'CALLER_GONE');
    }
    return null;
  }

  /**
   * Sends a request, and retries it until `sendBy` if the retry is free. Resolves to null if nothing was sent, because another
   * process may have taken the call over. `retriesRateLimit`: a call that the rate limit rejects is free.
   */
  async send(
    address: string,
    httpRequest: HttpRequest,
    caller: Caller,
    sendBy: number,
    call: Sendable,
    retriesRateLimit: boolean,
  ): Promise<HttpResult | null> {
    const started = performance.now();
    for (let attempt = 1; ; attempt += 1) {
      const result = await this.transport.send(httpRequest, () => call.isHeld?.() ?? true);
      if (result === null) return null;
      this.heedPause(result, caller, retriesRateLimit ? maxPauseMs : maxChargedPauseMs);
      const wait = retryDelay(result, attempt, retriesRateLimit);
      if (wait !== null && performance.now() + wait <= sendBy && !call.signal.aborted) {
        await sleep(wait, undefined, { signal: call.signal }).catch(() => undefined);
        if (!call.signal.aborted) continue;
      }
      this.options.onCall?.(toCallReport(address, caller.account, result, performance.now() - started));
      return result;
    }
  }

  private heedPause(result: HttpResult, caller: Caller, maxMs: number): void {
    const ms = pauseOf(result, maxMs);
    if (ms === 0) return;
    this.pauses.pause(caller.account, ms);
    this.onPause?.(caller, ms);
  }
}

const maxAttempts = 3;
const backoffMs = 50;

/**
 * Returns the delay before a retry. Only free failures are retried: a call that was never sent, and one that the rate
 * limit rejected.
 */
function retryDelay(result: HttpResult, attempt: number, retriesRateLimit: boolean): number | null {
  if (attempt >= maxAttempts) return null;
  if (result.kind === 'failed') {
    if (result.sent || result.reason !== 'UNREACHABLE') return null;
    return backoffMs * 2 ** (attempt - 1) * (1 + Math.random());
  }
  // A page of a firewall may have replaced an answer that was charged.
  if (result.status !== 429 || !retriesRateLimit || !isServiceError(readBody(result.body), result.status)) return null;
  const seconds = parseRetryAfter(result.headers);
  return seconds === null ? null : seconds * 1000;
}

/** Maximum pause after one answer. The next call then finds out, free of charge, whether the account still has to wait. */
const maxPauseMs = 60_000;
/** The same if the service charges a call that its limit refuses. */
const maxChargedPauseMs = 86_400_000;

/** Accounts that the service has asked to wait. It would reject their calls until then. */
export class AccountPauses {
  private readonly paused = new LRUCache<string, true>({ max: 1_000, ttl: maxPauseMs });

  remainingMs(account: string): number {
    return Math.max(0, this.paused.getRemainingTTL(account));
  }

  pause(account: string, ms: number): void {
    if (ms > this.remainingMs(account)) this.paused.set(account, true, { ttl: Math.min(ms, maxChargedPauseMs) });
  }
}

/** Returns the milliseconds that the account has to wait according to an answer, or 0. */
export function pauseOf(result: HttpResult, maxMs = maxPauseMs): number {
  if (result.kind !== 'delivered' || result.status !== 429) return 0;
  // If calls remain or are not counted, the service did not reject the account.
  if (getHeader(result.headers, 'x-ratelimit-remaining')?.trim() !== '0') return 0;
  const seconds = parseRetryAfter(result.headers);
  return seconds === null ? 0 : Math.min(maxMs, seconds * 1_000);
}

const defaultMaxBytes = 2_000_000;

export function encodeRequest(
  endpoint: AnyEndpoint,
  path: string,
  input: WireInput,
  caller: Caller,
  sandboxDelayMs?: number,
): HttpRequest {
  const { method, maxBytes = defaultMaxBytes } = endpoint;
  const headers: HttpRequest['headers'] = {
    authorization: `Bearer ${caller.bearer}`,
    accept: endpoint.envelope === 'file' ? 'application/pdf, application/json' : 'application/json',
    'accept-encoding': 'identity',
  };
  if (caller.sandbox) headers['x-sandbox'] = 'true';
  if (sandboxDelayMs !== undefined) headers['x-sandbox-delay'] = String(sandboxDelayMs);
  if (endpoint.encoding === 'query') {
    const query = new URLSearchParams(
      Object.entries(input).map(([name, value]): [string, string] => [name, `${value}`]),
    );
    return { method, path: `${path}?${query}`, headers, body: null, maxBytes };
  }
  if (endpoint.encoding === 'json') {
    headers['content-type'] = 'application/json';
    return { method, path, headers, body: JSON.stringify(input), maxBytes };
  }
  const { contentType, body } = encodeMultipart(input);
  headers['content-type'] = contentType;
  headers['content-length'] = String(body.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0));
  return { method, path, headers, body, maxBytes };
}

/** Encodes a form in pieces, which borrow its files: FormData or one buffer of the whole form would be a copy of the key. */
function encodeMultipart(input: WireInput): {
  readonly contentType: string;
  readonly body: readonly (string | Buffer)[];
} {
  const boundary = `padron-${randomBytes(18).toString('base64url')}`;
  const body: (string | Buffer)[] = [];
  let text = '';
  for (const [name, value] of Object.entries(input)) {
    text += `--${boundary}\r\n${partHeader(name, value)}\r\n\r\n`;
    if (isFile(value)) {
      body.push(text, value.bytes);
      text = '';
    } else text += value;
    text += '\r\n';
  }
  body.push(`${text}--${boundary}--\r\n`);
  return { contentType: `multipart/form-data; boundary=${boundary}`, body };
}

function partHeader(name: string, value: WireInput[string]): string {
  const disposition = `content-disposition: form-data; name="${name}"`;
  if (!isFile(value)) return disposition;
  return `${disposition}; filename="${value.filename}"\r\ncontent-type: application/octet-stream`;
}

function isFile(value: WireInput[string]): value is FilePart {
  return typeof value === 'object';
}

export type SandboxDelays = ReadonlyMap<AnyEndpoint, number>;

const maxDelayMs = 60_000;
const delayExample = '`buscar-credito=10s, valida-curp=300ms`';

/** Returns the name of an endpoint in `x-sandbox-delay`: the last part of its path, for example `buscar-credito`. */
function delayName({ path }: AnyEndpoint): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Parses the header `x-sandbox-delay`, for example `buscar-credito=10s, valida-curp=300ms`. Returns the rule that the text breaks as an error. */
export function parseSandboxDelays(header: string, endpoints: readonly AnyEndpoint[]): SandboxDelays | Error {
  const byName = new Map(endpoints.map((endpoint) => [delayName(endpoint), endpoint]));
  const delays = new Map<AnyEndpoint, number>();
  for (const entry of header.split(',')) {
    const [, name = '', digits = '', unit] = /^\s*([a-z0-9-]+)=(\d{1,5})(ms|s)\s*$/.exec(entry) ?? [];
    const endpoint = byName.get(name);
    const delayMs = Number(digits) * (unit === 's' ? 1_000 : 1);
    if (endpoint === undefined || delayMs > maxDelayMs)
      return new Error(
        `must be like ${delayExample}, with delays of up to 60s. The endpoints are ${[...byName.keys()].join(', ')}.`,
      );
    delays.set(endpoint, delayMs);
  }
  return delays;
}
