import { outsideTrace } from '../../registry/client/tracing';
import { type Store, StoreUnavailableError } from '../../store/store';
import { purgeSql } from './migrations';

export interface ProcessesOptions {
  readonly store: Store;
  readonly name: string;
  /** The service that this process calls. Processes of one service share REGISTRY_CONCURRENCY. */
  readonly service: string;
  /** Receives the position of this process among the live ones, and their number. */
  readonly onShare: (rank: number, live: number) => void;
  /** Called if the store has forgotten the calls of this process: it was declared dead, or the store has crashed. */
  readonly onForgotten: () => void;
  readonly onCallEnded: (call: string) => void;
  readonly onError: (error: unknown) => void;
}

const beatMs = 1_000;
/** Milliseconds without a heartbeat after which a process is declared dead. */
const leaseMs = 6_000;

/**
 * The heartbeat of this process, and the deaths of others. An embedded store belongs to one process: all others are dead, and it needs no
 * heartbeat.
 */
export class Processes {
  private timer: NodeJS.Timeout | null = null;
  private beating: Promise<void> | null = null;
  /** Time since which every heartbeat reached the store. Null if the last one did not. */
  private connectedSince: number | null = null;
  isKnown = false;
  private stopListening: (() => Promise<void>) | null = null;

  constructor(private readonly options: ProcessesOptions) {}

  /** Begins the heartbeat, and expires the processes before this one in an embedded store. */
  async start(): Promise<void> {
    const { store, onCallEnded } = this.options;
    if (store.engine === 'embedded') {
      await this.runBeat();
      return;
    }
    // An empty message says that a process has come or gone.
    this.stopListening = store.listen('padron', (call) => (call === '' ? void this.beat() : onCallEnded(call)));
    this.timer = setInterval(() => void this.beat(), beatMs).unref();
    await this.beat();
  }

  /** Tells the others that this process has ended its calls. */
  async stop(): Promise<void> {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
    await this.beating;
    await this.stopListening?.();
    if (!this.isKnown) return;
    await this.options.store.query('SELECT process_expire($1, null)', [this.options.name]).catch(() => undefined);
  }

  private beat(): Promise<void> {
    this.beating ??= outsideTrace(() => this.runBeat())
      .catch((error: unknown) => this.report(error))
      .finally(() => {
        this.beating = null;
      });
    return this.beating;
  }

  private async runBeat(): Promise<void> {
    const { store, name, service, onShare, onForgotten } = this.options;
    const [row] = await store.query<{ is_forgotten: boolean; rank: number; live: number }>(
      'SELECT * FROM process_beat($1, $2, $3)',
      [name, service, leaseMs],
    );
    this.connectedSince ??= performance.now();
    if (row?.is_forgotten === true && this.isKnown) onForgotten();
    this.isKnown = true;
    onShare(row?.rank ?? 0, row?.live ?? 1);
    await store.query(purgeSql);
    // An outage may have silenced the others, so none is declared dead soon after it.
    const isEmbedded = store.engine === 'embedded';
    if (isEmbedded || performance.now() - this.connectedSince > leaseMs)
      await this.expireSilent(isEmbedded ? 0 : leaseMs);
  }

  private async expireSilent(ms: number): Promise<void> {
    const { store, name } = this.options;
    const silent = await store.query<{ readonly id: string }>(
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
