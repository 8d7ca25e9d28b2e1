import { UnusableStoreError } from '../../../store/store';
import type { Reply } from './redis-client';
import { withTimeout } from './with-timeout';

/** Why no commands are sent to the store now. */
export type UnavailableReason = 'unreachable' | 'timeout' | 'full' | 'refused';

export interface Connection {
  isReady(): boolean;
  reconnect(): void;
}

export interface LinkListener {
  onChange(reason: UnavailableReason | null): void;
}

const commandTimeoutMs = 250;
const checkTimeoutMs = 1_000;
const probeEveryMs = 1_000;
/** Milliseconds of late probes after which the connection may be half open, and is opened again. */
const silenceMs = 5_000;

/**
 * Tracks whether the store answers. A command waits for at most 250 ms. After that, no command is sent until a probe
 * succeeds, so a store that hangs delays only one request.
 */
export class RedisLink {
  /** Reason why no commands are sent: `unknown` before the first probe, null while the store is available. */
  private reason: UnavailableReason | 'unknown' | null = 'unknown';
  private probeTimer: NodeJS.Timeout | null = null;
  private isProbing = false;
  private silentSince: number | null = null;
  /** Name of the entry whose command failed last. The other nodes of a cluster may be available. */
  private failedName: string | null = null;

  constructor(
    private readonly connection: Connection,
    /** Checks that the store answers in the cluster slot of `failedName`, and that its settings are usable. */
    private readonly check: (failedName: string | null) => Promise<void>,
    private readonly listener: LinkListener,
  ) {}

  get isUp(): boolean {
    return this.reason === null;
  }

  async start(): Promise<void> {
    this.probeTimer = setInterval(() => void this.probeNow(), probeEveryMs);
    this.probeTimer.unref();
    await this.probeNow();
  }

  stop(): void {
    if (this.probeTimer !== null) clearInterval(this.probeTimer);
    this.reason = 'unreachable';
  }

  /** Sends a command about the entry with a name. Returns null if the store is unavailable or does not answer in time. */
  async ask(name: string, send: () => Promise<Reply>): Promise<{ readonly reply: Reply } | null> {
    if (this.reason !== null) return null;
    const outcome = await withTimeout(send, commandTimeoutMs);
    if (outcome !== 'late' && 'reply' in outcome) return outcome;
    this.failedName = name;
    this.markDown(outcome === 'late' ? 'timeout' : reasonOf(outcome.error));
    return null;
  }

  handleDisconnect(): void {
    if (this.reason !== 'unknown') this.markDown('unreachable');
  }

  handleConnect(): void {
    if (this.reason !== 'unknown') void this.probeNow();
  }

  /** Probes an unavailable store now, instead of at the next interval. */
  async probeNow(): Promise<void> {
    if (this.isUp && this.connection.isReady()) return;
    if (!this.connection.isReady()) return this.markDown('unreachable');
    if (this.isProbing) return;
    this.isProbing = true;
    try {
      const outcome = await withTimeout(async () => {
        await this.check(this.failedName);
        return null;
      }, checkTimeoutMs);
      if (outcome === 'late') return this.reconnectIfSilent();
      this.silentSince = null;
      if ('error' in outcome) this.markDown(reasonOf(outcome.error));
      else if (this.connection.isReady()) this.markUp();
    } finally {
      this.isProbing = false;
    }
  }

  private reconnectIfSilent(): void {
    this.markDown('timeout');
    this.silentSince ??= performance.now();
    if (performance.now() - this.silentSince < silenceMs) return;
    this.silentSince = null;
    this.connection.reconnect();
  }

  private markDown(reason: UnavailableReason): void {
    const isNew = this.reason === null || this.reason === 'unknown';
    this.reason = reason;
    if (isNew) this.listener.onChange(reason);
  }

  private markUp(): void {
    if (this.reason === null) return;
    this.reason = null;
    this.listener.onChange(null);
  }
}

/** Returns the reason of an error. A reply of the server is a `ReplyError`. All other errors concern the connection. */
function reasonOf(error: unknown): UnavailableReason {
  if (error instanceof UnusableStoreError) return 'refused';
  if (!(error instanceof Error) || error.name !== 'ReplyError') return 'unreachable';
  return /\bOOM\b/.test(error.message) ? 'full' : 'refused';
}
