import { type Dispatcher, Pool } from 'undici';
import { findUnreadableCoding, isGzip, unpackGzip } from './content-coding';
import { withInterimResponses } from './interim-response';
import { connectorOf, type Proxies } from './proxies';

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Record<string, string> & { readonly 'accept-encoding': 'identity' };
  /** Pieces are written to the socket without a copy. They must not change until the request has ended. */
  readonly body: string | readonly (string | Buffer)[] | null;
  readonly maxBytes: number;
}

/** Response headers by lower-case name. Repeated headers are lists. */
export type ResponseHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Returns all values of a header by its lower-case name. Null without the header. */
export function getHeader(headers: ResponseHeaders, name: string): string | null {
  const value = headers[name] ?? null;
  return value === null || typeof value === 'string' ? value : value.join(', ');
}

export interface HttpResponse {
  readonly kind: 'delivered';
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: Buffer;
}

/** A request without a usable answer. `sent`: whether a byte may have been sent. If so, the request may not be retried. */
export interface HttpFailure {
  readonly kind: 'failed';
  readonly reason: 'UNREACHABLE' | 'TIMEOUT' | 'UNUSABLE';
  readonly sent: boolean;
  readonly detail: string;
  /** Status of an unusable response, if it arrived. */
  readonly status?: number;
}

export type HttpResult = HttpResponse | HttpFailure;

/** Largest headers of an answer. */
const maxHeaderBytes = 65_536;

/** Connections to one origin. It follows no redirects and asks for no compressed answers. The limit on bytes also holds for unpacked bytes. */
export class Transport {
  private readonly pool: Pool;

  constructor(
    origin: string,
    private readonly timeoutMs: number,
    proxies: Proxies,
  ) {
    this.pool = new Pool(origin, {
      // The pool has no limit of its own, because its queue would ignore accounts and callers. `FairLimiter` limits the calls.
      connections: null,
      pipelining: 1,
      // padron has one deadline for the whole answer. undici's timers are coarse, and restart with each byte.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: maxHeaderBytes,
      connect: withInterimResponses(connectorOf(proxies, timeoutMs)),
    });
  }

  /**
   * Sends a request. Its answer, with headers and a slow body, has `timeoutMs` from now. `mayStart` is called right before the first byte is
   * written: if it returns false, nothing is written, and the result is null.
   */
  send(request: HttpRequest): Promise<HttpResult>;
  send(request: HttpRequest, mayStart: () => boolean): Promise<HttpResult | null>;
  send(request: HttpRequest, mayStart = () => true): Promise<HttpResult | null> {
    return new Promise((resolve) => {
      const handler = new ResponseHandler(request.maxBytes, this.timeoutMs, resolve, mayStart);
      // The types of undici omit iterable bodies, which its documentation allows.
      this.pool.dispatch(request as Dispatcher.DispatchOptions, handler);
    });
  }

  close(): Promise<void> {
    return this.pool.close();
  }
}

/** Receives one answer. undici calls `onRequestStart` right before it writes the first byte. Only after that can a call be billed. */
class ResponseHandler implements Dispatcher.DispatchHandler {
  private controller: Dispatcher.DispatchController | null = null;
  private isSettled = false;
  private status = 0;
  private headers: ResponseHeaders = {};
  private readonly chunks: Buffer[] = [];
  private bytes = 0;
  private readonly deadline: NodeJS.Timeout;

  constructor(
    private readonly maxBytes: number,
    timeoutMs: number,
    private readonly settle: (result: HttpResult | null) => void,
    private readonly mayStart: () => boolean,
  ) {
    this.deadline = setTimeout(() => this.abort('TIMEOUT', 'no complete answer within the deadline'), timeoutMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (!this.isSettled && !this.mayStart()) this.finish(null);
    if (this.isSettled) controller.abort(new Error('the request may not be written any more'));
    else this.controller = controller;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: ResponseHeaders): void {
    if (status < 200) return;
    this.status = status;
    this.headers = headers;
    const coding = findUnreadableCoding(getHeader(headers, 'content-encoding'));
    if (coding !== null) this.abort('UNUSABLE', `packed as ${coding}`);
    else if (Number(getHeader(headers, 'content-length') ?? 0) > this.maxBytes)
      this.abort('UNUSABLE', 'larger than the limit');
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.isSettled) return;
    this.bytes += chunk.length;
    if (this.bytes > this.maxBytes) this.abort('UNUSABLE', 'larger than the limit');
    else this.chunks.push(chunk);
  }

  onResponseEnd(): void {
    const { status, headers } = this;
    const body = Buffer.concat(this.chunks);
    if (!this.isSettled && isGzip(getHeader(headers, 'content-encoding'), body)) void this.unpack(body);
    else this.finish({ kind: 'delivered', status, headers, body });
  }

  private async unpack(packed: Buffer): Promise<void> {
    const { status, headers } = this;
    const body = await unpackGzip(packed, this.maxBytes);
    if (typeof body === 'string') this.finish(this.failure('UNUSABLE', body));
    else this.finish({ kind: 'delivered', status, headers, body });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
    const reason = unusableCodes.has(code) || error.name === 'HTTPParserError' ? 'UNUSABLE' : 'UNREACHABLE';
    this.finish(this.failure(reason, code));
  }

  abort(reason: HttpFailure['reason'], detail: string): void {
    this.finish(this.failure(reason, detail));
    this.controller?.abort(new Error(detail));
  }

  private failure(reason: HttpFailure['reason'], detail: string): HttpFailure {
    const status = reason === 'UNUSABLE' && this.status > 0 ? { status: this.status } : null;
    return { kind: 'failed', reason, sent: this.controller !== null, detail, ...status };
  }

  private finish(result: HttpResult | null): void {
    if (this.isSettled) return;
    this.isSettled = true;
    clearTimeout(this.deadline);
    this.settle(result);
  }
}

/** undici's error codes for a response that arrived and cannot be used. */
const unusableCodes: ReadonlySet<string> = new Set(['UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH']);

/** Returns the seconds of a `retry-after` header, which may also be an HTTP date. Null if it is absent or unreadable. */
export function parseRetryAfter(headers: ResponseHeaders): number | null {
  const value = (getHeader(headers, 'retry-after') ?? '').trim();
  if (/^\d{1,9}$/.test(value)) return Number(value);
  // Date.parse accepts nearly any text. It would read `1.5` as a date in the past.
  const date = value.endsWith('GMT') ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? null : Math.min(maxWaitSeconds, Math.max(0, Math.ceil((date - Date.now()) / 1000)));
}

/** Maximum seconds: nine digits, because an Int of GraphQL has at most ten. */
const maxWaitSeconds = 999_999_999;
