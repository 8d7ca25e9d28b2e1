import { outsideTrace } from '../../../registry/client/tracing';
import { type Store, type StoreHealth, StoreUnavailableError } from '../../../store/store';
import { times } from '../../../times';

/** Settings that all processes of a store should share, by name. */
export type SharedSettings = Readonly<Record<string, string | number | null>>;

/** Finds the settings of the live processes. */
export const settingsSql = `SELECT settings FROM processes WHERE seen_at > now() - interval '1 minute'`;

export interface ProcessesOptions {
  readonly store: Store;
  readonly health: StoreHealth;
  readonly name: string;
  /** The service that this process calls. Processes of one service share REGISTRY_CONCURRENCY. */
  readonly service: string;
  readonly settings: () => SharedSettings;
  /** Prepares the store. Called before this process is registered for the first time. */
  readonly prepare: () => Promise<void>;
  /** Receives the position of this process among the live ones, and their number. */
  readonly onShare: (rank: number, live: number) => void;
  readonly onBeat: () => void;
  /** Called before this process opens calls again after a time without the store, and before the first time. */
  readonly onReturn: () => Promise<void>;
  /** Called if the store lacks a heartbeat that it had confirmed: an older copy has taken its place. */
  readonly onOlder: () => void;
  readonly onCallEnded: (call: string) => void;
  readonly onError: (error: unknown) => void;
}

/** An open call of this process, as the store knows it. */
export interface RunningCall {
  readonly id: string;
  readonly names: readonly string[];
  readonly price: number;
  /** When it was opened, by `performance.now()`. */
  readonly opened: number;
}

interface Beat {
  readonly is_registered: boolean;
  readonly seen_at: Date;
  readonly rank: number;
  readonly live: number;
  readonly is_older: boolean | null;
}

/** Deletes what has expired. Rows that are in use are skipped, and found a second later. A plan that joins the names could scan the table. */
const purgeSql = `WITH old AS (SELECT name FROM calls WHERE state <> 'OPEN' AND expires_at < now() FOR UPDATE SKIP LOCKED),
  operations AS (DELETE FROM call_operations WHERE expires_at < now()),
  pauses AS (DELETE FROM call_pauses WHERE until < now())
  DELETE FROM calls WHERE name = ANY(ARRAY(SELECT name FROM old)) AND state <> 'OPEN' AND expires_at < now()`;

const forgetSql = `DELETE FROM calls c WHERE c.expires_at = 'infinity' AND c.process = $1 AND c.id = ANY($2) AND c.state = 'OPEN'`;

/**
 * Sends the heartbeat of this process and expires other processes. No process opens calls until every live process has registered its running
 * calls: a crash of the server empties the table of calls. An embedded store belongs to one process: all others are dead, and it needs a
 * heartbeat only to delete what has expired.
 */
export class Processes {
  isRegistered = false;
  /** The open calls of this process. The store may forget them: a crash of the server empties the table of calls. */
  readonly running = new Set<RunningCall>();
  /** Calls that were registered again. One that is closed at the same time may stay in the store as open. */
  private readonly registeredAgain = new Set<RunningCall>();
  /** Changes whenever this process registers again, because others may have taken over the calls that it had opened before. */
  private registration = 0;
  /** The server's time of the last heartbeat. The store refuses an opening that arrives too long after it. */
  seenAt: Date | null = null;
  /** The server's time of the last heartbeat that the store has. Later, an older one shows that the store is a copy. */
  private storedAt: Date | null = null;
  private beganAt = { monotonic: 0, wall: 0 };
  private timer: NodeJS.Timeout | null = null;
  private beating: Promise<void> | null = null;
  private isPrepared = false;
  private isStopping = false;
  /** Time since which every heartbeat reached the store. Null if the last one did not. */
  private connectedSince: number | null = null;
  private stopListening: (() => Promise<void>) | null = null;

  constructor(private readonly options: ProcessesOptions) {}

  private get isEmbedded(): boolean {
    return this.options.store.engine === 'embedded';
  }

  /** Begins the heartbeat, and registers this process if the store is available. */
  start(): Promise<void> {
    const { store, onCallEnded } = this.options;
    // An empty message means that a process has started or stopped, or that a person was erased.
    this.stopListening = store.listen('padron', (call) => (call === '' ? void this.beat() : onCallEnded(call)));
    this.timer = setInterval(() => void this.beatIfNeeded(), times.beat).unref();
    return this.beat();
  }

  get canOpen(): boolean {
    return this.isRegistered && this.isFresh;
  }

  /** Returns a function that reports whether a call that is being opened now may still be sent. */
  hold(): () => boolean {
    const { registration } = this;
    return () => registration === this.registration && this.canOpen;
  }

  /** Registers this process again, because the store does not know its calls. */
  registerAgain(): void {
    this.isRegistered = false;
    void this.beat();
  }

  /** Ends the registration of this process, so that others may take over its calls at once. No heartbeat may register it again after that. */
  async stop(): Promise<void> {
    this.isStopping = true;
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
    // The opening of a store in memory ends with the process.
    if (this.isEmbedded && !this.isPrepared) return;
    // The heartbeat is on the connection that listens. If that ended first, the server could register the process after its end.
    await this.beating;
    await this.stopListening?.();
    if (!this.isPrepared) return;
    await this.options.store.query('SELECT process_expire($1, null)', [this.options.name]).catch(() => undefined);
  }

  /**
   * Whether no other process can have declared this one dead. Both clocks are checked, because one of them may stop while the machine is
   * suspended.
   */
  private get isFresh(): boolean {
    const { monotonic, wall } = this.beganAt;
    return this.isEmbedded || Math.max(performance.now() - monotonic, Date.now() - wall) < times.hold;
  }

  private async beatIfNeeded(): Promise<void> {
    const isDue = performance.now() - this.beganAt.monotonic >= times.embeddedPurge;
    if (!this.isEmbedded || !this.isRegistered || this.options.health.isUnavailable || isDue) await this.beat();
  }

  async beat(): Promise<void> {
    if (this.isStopping) return;
    this.beating ??= outsideTrace(() => this.runBeat())
      .catch((error: unknown) => this.report(error))
      .finally(() => {
        this.beating = null;
      });
    await this.beating;
  }

  private async runBeat(): Promise<void> {
    const { store, health, prepare, onShare, onBeat } = this.options;
    if (!this.isPrepared) await prepare();
    this.isPrepared = true;
    let beat = await this.sendBeat(false);
    if (!this.isRegistered) {
      beat = await this.sendBeat(true);
      this.registration += 1;
      this.isRegistered = true;
    }
    health.recordWrite();
    this.connectedSince ??= performance.now();
    onShare(beat.rank, beat.live);
    onBeat();
    await this.forgetClosed();
    await store.queryAhead(purgeSql);
    await store.queryAhead('SELECT answer_expire()');
    // An outage may have silenced the others, so none is declared dead soon after it.
    if (this.isEmbedded || performance.now() - this.connectedSince > times.lease)
      await this.expireSilent(this.isEmbedded ? 0 : times.lease);
  }

  private async sendBeat(registers: boolean): Promise<Beat> {
    const { store, name, service, settings, onOlder } = this.options;
    const beganAt = { monotonic: performance.now(), wall: Date.now() };
    const age = (call: RunningCall) => ({ ...call, ms: performance.now() - call.opened });
    if (registers) for (const call of this.running) this.registeredAgain.add(call);
    const calls = registers ? JSON.stringify([...this.running].map(age)) : null;
    const [beat] = await store.queryAhead<Beat>('SELECT * FROM process_beat($1, $2, $3, $4::json, $5::json, $6)', [
      ...[name, service, times.lease, calls, JSON.stringify(settings()), this.storedAt],
    ]);
    if (beat === undefined) throw new Error('process_beat returns one row.');
    if (beat.is_older === true) onOlder();
    if (!this.isFresh) await this.options.onReturn();
    // Set at once: the heartbeat must not make calls fresh that others may have taken over.
    if (!beat.is_registered) this.isRegistered = false;
    this.beganAt = beganAt;
    this.seenAt = this.isEmbedded ? null : beat.seen_at;
    if (beat.is_registered) this.storedAt = this.seenAt;
    return beat;
  }

  /** Deletes the calls that were closed while they were registered again. */
  private async forgetClosed(): Promise<void> {
    const closed = [...this.registeredAgain].filter((call) => !this.running.has(call));
    if (closed.length === 0) return;
    await this.options.store.queryAhead(forgetSql, [this.options.name, closed.map(({ id }) => id)]);
    for (const call of closed) this.registeredAgain.delete(call);
  }

  private async expireSilent(ms: number): Promise<void> {
    const { store, name } = this.options;
    const silent = await store.queryAhead<{ readonly id: string }>(
      `SELECT id FROM processes WHERE id <> $1 AND seen_at < clock_timestamp() - $2 * interval '1 millisecond'`,
      [name, ms],
    );
    for (const { id } of silent) await store.query('SELECT process_expire($1, $2)', [id, ms]);
  }

  private report(error: unknown): void {
    this.connectedSince = null;
    if (!(error instanceof StoreUnavailableError)) this.options.onError(error);
  }
}
