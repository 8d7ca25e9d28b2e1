import { StoreRefusedError } from '../../../store/store';
import type { Reply } from './redis-client';
import { withTimeout } from './with-timeout';

/** Why the store is left alone for now. */
export type Absence = 'unreachable' | 'timeout' | 'full' | 'refused';

/** A connection as the link uses it. */
export interface Connection {
  isReady(): boolean;
  reconnect(): void;
}

export interface LinkListener {
  /** The store is there (null), or left alone because of this. Called once a change. */
  onChange(absence: Absence | null): void;
}

const commandTimeoutMs = 250;
const checkTimeoutMs = 1_000;
const probeEveryMs = 1_000;
/** A connection that has said nothing for so long may be half open. */
const silenceMs = 5_000;

/**
 * Tracks whether the store answers. A command waits for at most 250 ms. After that, no command is sent until a probe
 * succeeds, so a store that hangs delays only one request.
 */
export class RedisLink {
  /** Unknown before the first look. */
  private absence: Absence | 'unknown' | null = 'unknown';
  private probe: NodeJS.Timeout | null = null;
  private isProbing = false;
  private silentSince: number | null = null;
  /** Name of the last failed command. Other parts of a cluster may be available. */
  private failedName: string | null = null;

  constructor(
    private readonly connection: Connection,
    /** Asks the store for a sign of life, where a command for that name failed, and whether it is set up as it must be. */
    private readonly check: (failedName: string | null) => Promise<void>,
    private readonly listener: LinkListener,
  ) {}

  get isUp(): boolean {
    return this.absence === null;
  }

  /** Starts to probe the store until `stop`. Resolves after the first probe. */
  async start(): Promise<void> {
    this.probe = setInterval(() => void this.look(), probeEveryMs);
    this.probe.unref();
    await this.look();
  }

  stop(): void {
    if (this.probe !== null) clearInterval(this.probe);
    this.absence = 'unreachable';
  }

  /** Sends a command about a name. Returns null if the store is unavailable or does not answer in time. */
  async ask(name: string, send: () => Promise<Reply>): Promise<{ readonly reply: Reply } | null> {
    if (this.absence !== null) return null;
    const outcome = await withTimeout(send, commandTimeoutMs);
    if (outcome !== 'late' && 'reply' in outcome) return outcome;
    this.failedName = name;
    this.leaveAlone(outcome === 'late' ? 'timeout' : absenceOf(outcome.error));
    return null;
  }

  /** The connection broke, also where no command noticed: what the store held then may be lost. */
  disconnected(): void {
    if (this.absence !== 'unknown') this.leaveAlone('unreachable');
  }

  /** A connection is there again. */
  connected(): void {
    if (this.absence !== 'unknown') void this.look();
  }

  /** Looks at once, instead of with the next probe. */
  async look(): Promise<void> {
    if (this.isUp && this.connection.isReady()) return;
    if (!this.connection.isReady()) return this.leaveAlone('unreachable');
    if (this.isProbing) return;
    this.isProbing = true;
    try {
      const outcome = await withTimeout(async () => {
        await this.check(this.failedName);
        return null;
      }, checkTimeoutMs);
      if (outcome === 'late') return this.mindSilence();
      this.silentSince = null;
      if ('error' in outcome) this.leaveAlone(absenceOf(outcome.error));
      else if (this.connection.isReady()) this.comeBack();
    } finally {
      this.isProbing = false;
    }
  }

  private mindSilence(): void {
    this.leaveAlone('timeout');
    this.silentSince ??= performance.now();
    if (performance.now() - this.silentSince < silenceMs) return;
    this.silentSince = null;
    this.connection.reconnect();
  }

  private leaveAlone(absence: Absence): void {
    const isNew = this.absence === null || this.absence === 'unknown';
    this.absence = absence;
    if (isNew) this.listener.onChange(absence);
  }

  private comeBack(): void {
    if (this.absence === null) return;
    this.absence = null;
    this.listener.onChange(null);
  }
}

/** The server's own words begin with a code in capitals; everything else is a connection that is lost or not there. */
function absenceOf(error: unknown): Absence {
  if (error instanceof StoreRefusedError) return 'refused';
  if (!(error instanceof Error) || error.name !== 'ReplyError') return 'unreachable';
  return /\bOOM\b/.test(error.message) ? 'full' : 'refused';
}
