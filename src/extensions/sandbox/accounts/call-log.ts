export interface SandboxCall {
  /** Method and path of the route, without query: 'POST /api/infonavit/grupo/buscar-credito'. */
  readonly endpoint: string;
  /** Query or body as received. A signature is logged with its userId only, and a signed link with its token and kind. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The bearer token, or '' if the request had none. */
  readonly account: string;
  /** HTTP status of the response, or 0 while the call is in progress. */
  readonly status: number;
  readonly units: number;
  /** Whether the call was served in sandbox mode, which exists only under /api. */
  readonly sandbox: boolean;
  readonly receivedAt: Date;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

export type PendingCall = Writable<SandboxCall>;

const MAX_CALLS = 100_000;

/** Calls in order of arrival. The oldest are dropped when the log is full. */
export class CallLog {
  readonly calls: PendingCall[] = [];

  record(call: SandboxCall): PendingCall {
    const pending: PendingCall = { ...call };
    this.calls.push(pending);
    if (this.calls.length > MAX_CALLS) this.calls.shift();
    return pending;
  }

  clear(): void {
    this.calls.length = 0;
  }
}
