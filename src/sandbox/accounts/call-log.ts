/** One request that reached an endpoint. */
export interface SandboxCall {
  /** Method and path of the route, without query: 'POST /api/infonavit/grupo/buscar-credito'. */
  readonly endpoint: string;
  /** Query or body as received; of a signature the userId only; of a signed link its token and kind. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The bearer token; '' when there was none. */
  readonly account: string;
  /** 0 while under way. */
  readonly status: number;
  readonly units: number;
  /** Whether it was served in sandbox mode: never outside /api. */
  readonly sandbox: boolean;
  readonly receivedAt: Date;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** A call whose answer is still to come. */
export type PendingCall = Writable<SandboxCall>;

const MAX_CALLS = 100_000;

/** The calls in order of arrival. A process that runs for weeks drops the oldest. */
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
