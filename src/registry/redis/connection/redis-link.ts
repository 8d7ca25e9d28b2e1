import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Reply } from './redis-client';

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
const probeEveryMs = 1_000;
/** A connection that has said nothing for so long may be half open. */
const silenceMs = 5_000;

/**
 * Knows whether the store answers. A command waits for it a quarter of a second at most; after that nobody asks it until a probe
 * was answered, so that a store which hangs costs a request that once and the next ones nothing.
 */
export class RedisLink {
  /** Unknown before the first look. */
  private absence: Absence | 'unknown' | null = 'unknown';
  private probe: NodeJS.Timeout | null = null;
  private isProbing = false;
  private silentSince: number | null = null;

  constructor(
    private readonly connection: Connection,
    /** Asks the store for a sign of life, and whether it is set up as it must be. */
    private readonly check: () => Promise<void>,
    private readonly listener: LinkListener,
  ) {}

  get isUp(): boolean {
    return this.absence === null;
  }

  /** Begins to look for the store, and goes on until `stop`. Resolves when the first look is over. */
  async start(): Promise<void> {
    this.probe = setInterval(() => void this.look(), probeEveryMs);
    this.probe.unref();
    await this.look();
  }

  stop(): void {
    if (this.probe !== null) clearInterval(this.probe);
    this.absence = 'unreachable';
  }

  /** The reply to a command; null where the store is away or does not answer in time. */
  async ask(send: () => Promise<Reply>, timeoutMs = commandTimeoutMs): Promise<{ readonly reply: Reply } | null> {
    if (this.absence !== null) return null;
    const outcome = await withTimeout(send(), timeoutMs);
    if (outcome !== 'late' && 'reply' in outcome) return outcome;
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
    if (this.isProbing) return this.mindSilence();
    this.isProbing = true;
    try {
      await this.check();
      this.silentSince = null;
      if (this.connection.isReady()) this.comeBack();
    } catch (error) {
      this.leaveAlone(absenceOf(error));
    } finally {
      this.isProbing = false;
    }
  }

  private mindSilence(): void {
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
  if (!(error instanceof Error) || error.name !== 'ReplyError') return 'unreachable';
  return /\bOOM\b/.test(error.message) ? 'full' : 'refused';
}

type Outcome = { readonly reply: Reply } | { readonly error: unknown };

/**
 * The outcome of a command, or `late`. A timer also fires when our own process was held up while the reply lay there: two turns
 * of the event loop read what has come before it is called late.
 */
async function withTimeout(command: Promise<Reply>, timeoutMs: number): Promise<Outcome | 'late'> {
  const outcome: Promise<Outcome> = command.then(
    (reply) => ({ reply }),
    (error: unknown) => ({ error }),
  );
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(async () => {
      await nextTurn();
      await nextTurn();
      resolve('late');
    }, timeoutMs);
  });
  const first = await Promise.race([outcome, late]);
  clearTimeout(timer);
  return first;
}
