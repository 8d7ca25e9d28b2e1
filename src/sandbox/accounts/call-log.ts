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
  readonly at: Date;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** A call that is still being written down. */
export type OpenCall = Writable<SandboxCall>;

const KEPT = 100_000;

/** The calls in order of arrival. A process that runs for weeks forgets the oldest. */
export class CallBook {
  readonly calls: OpenCall[] = [];

  open(call: SandboxCall): OpenCall {
    const opened: OpenCall = { ...call };
    this.calls.push(opened);
    if (this.calls.length > KEPT) this.calls.shift();
    return opened;
  }

  clear(): void {
    this.calls.length = 0;
  }
}
