import { type Dispatcher, Pool } from 'undici';
import type { Deadline } from './deadline';
import { ReceivedHeaders } from './received-headers';

/** A request as it goes on the wire. */
export interface Outgoing {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Record<string, string> & { readonly 'accept-encoding': 'identity' };
  readonly body: string | Buffer | null;
  readonly maxBytes: number;
}

export interface Delivered {
  readonly kind: 'delivered';
  readonly status: number;
  readonly headers: ReceivedHeaders;
  readonly body: Buffer;
}

/** `sent`: whether a byte may have left, which decides between trying again and never. */
export interface Failed {
  readonly kind: 'failed';
  readonly reason: 'UNREACHABLE' | 'TIMEOUT' | 'UNUSABLE';
  readonly sent: boolean;
  readonly detail: string;
}

export type Exchange = Delivered | Failed;

/** Connections to one origin. Redirects are not followed and compressed answers refused, so a cap on bytes is a cap. */
export class Transport {
  private readonly pool: Pool;

  constructor(origin: string, options: { readonly connections: number | null; readonly timeoutMs: number }) {
    this.pool = new Pool(origin, {
      connections: options.connections,
      pipelining: 1,
      // The deadline is ours, one for the whole call: undici's own timers are coarse and start anew with each byte.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: { timeout: options.timeoutMs },
    });
  }

  send(request: Outgoing, deadline: Deadline): Promise<Exchange> {
    return new Promise((resolve) => {
      const reception = new Reception(request.maxBytes, deadline, resolve);
      deadline.whenExpired(() => reception.giveUp('TIMEOUT', 'no complete answer within the deadline'));
      if (!deadline.expired) this.pool.dispatch(request, reception);
    });
  }

  close(): Promise<void> {
    return this.pool.close();
  }
}

/**
 * Receives one answer. undici calls `onConnect` right before the first byte is written: the phase that billing turns on. This is
 * its handler of raw headers, which undici 7 still takes and calls deprecated; the other makes an object of the headers of each
 * answer: 3 % of a person's profile, for what hardly anyone looks at.
 */
class Reception implements Dispatcher.DispatchHandler {
  private abort: ((reason: Error) => void) | null = null;
  private settled = false;
  private status = 0;
  private headers = new ReceivedHeaders([]);
  private readonly chunks: Buffer[] = [];
  private bytes = 0;

  constructor(
    private readonly maxBytes: number,
    private readonly deadline: Deadline,
    private readonly settle: (exchange: Exchange) => void,
  ) {}

  onConnect(abort: (reason: Error) => void): void {
    if (this.settled) abort(new Error('the deadline passed before the request was written'));
    else this.abort = abort;
  }

  onHeaders(status: number, raw: readonly Buffer[]): boolean {
    if (status < 200) return true;
    this.status = status;
    this.headers = new ReceivedHeaders(raw);
    if ((this.headers.get('content-encoding') ?? 'identity') !== 'identity')
      this.giveUp('UNUSABLE', 'compressed although not asked to be');
    else if (Number(this.headers.get('content-length') ?? 0) > this.maxBytes)
      this.giveUp('UNUSABLE', 'larger than the limit');
    return true;
  }

  onData(chunk: Buffer): boolean {
    if (this.settled) return true;
    this.bytes += chunk.length;
    if (this.bytes > this.maxBytes) this.giveUp('UNUSABLE', 'larger than the limit');
    else this.chunks.push(chunk);
    return true;
  }

  onComplete(): void {
    const { status, headers, chunks } = this;
    const [first] = chunks;
    const body = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
    this.finish({ kind: 'delivered', status, headers, body });
  }

  onError(error: Error): void {
    const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
    const reason = unusableCodes.has(code) || error.name === 'HTTPParserError' ? 'UNUSABLE' : 'UNREACHABLE';
    this.finish({ kind: 'failed', reason, sent: this.abort !== null, detail: code });
  }

  giveUp(reason: Failed['reason'], detail: string): void {
    this.finish({ kind: 'failed', reason, sent: this.abort !== null, detail });
    this.abort?.(new Error(detail));
  }

  private finish(exchange: Exchange): void {
    if (this.settled) return;
    this.settled = true;
    this.deadline.whenExpired(null);
    this.settle(exchange);
  }
}

/** An answer did come, but not one that HTTP can make sense of. */
const unusableCodes: ReadonlySet<string> = new Set(['UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH']);
