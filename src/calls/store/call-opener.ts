import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { StatementBatcher } from '../../store/statement-batcher';
import { StatementError, type Store, StoreBusyError, StoreUnavailableError } from '../../store/store';
import type { StoreHealth } from '../../store/store-health';
import type { OpenedEntry } from './entry-json';

/** A call to be opened. `names` is empty if its answer is not shared with other processes. */
export interface Opening {
  readonly id: string;
  readonly accounts: readonly string[];
  readonly batch: string | null;
  readonly run: number | null;
  /** The day of the call. Calls of one statement are of one day. */
  readonly day: number;
  readonly names: readonly string[];
  readonly early: readonly string[];
  /** Call of another process for which this one has waited. */
  readonly awaited: string | null;
  /** Call whose answer this process cannot use. */
  readonly replaced: string | null;
  readonly price: number;
  readonly affordable: boolean;
  readonly operations: readonly string[];
  readonly operationUnits: number;
  readonly keptAs: string | null;
  readonly rowNumber: number | null;
  /** The entry that the ledger must have before the call is sent. Null if the journal has it. */
  readonly entry: OpenedEntry | null;
}

/** Reply of the store, described at the function `call_open`. */
export interface OpenReply {
  readonly verdict:
    | 'SEND'
    | 'ANSWER'
    | 'EARLY'
    | 'KEPT'
    | 'WAIT'
    | 'LATER'
    | 'STOPPED'
    | 'UNAFFORDABLE'
    | 'REFUSED'
    | 'POISONED';
  readonly lost: number;
  /** Milliseconds for which the service asks the account to wait, or null. */
  readonly pause: number | null;
  readonly answer: Buffer | null;
  readonly details: OpenDetails | null;
}

/**
 * Why the store has not replied: it is known to be unavailable (`away`), it did not answer and may have opened the call (`unavailable`), or
 * another statement holds a lock (`busy`).
 */
export type NoReply = 'away' | 'unavailable' | 'busy';

export interface OpenDetails {
  readonly call: string;
  readonly ms: number;
  readonly failed: boolean;
  readonly row: number;
  readonly uncertain: boolean;
  readonly at: number;
  readonly kind: 'OPERATION' | 'PERIOD';
  readonly budget: string;
  readonly client: string | null;
  readonly tag: string | null;
  readonly period: 'DAY' | 'MONTH';
  readonly units: number;
  readonly left: number;
}

export interface OpenerOptions {
  readonly store: Store;
  readonly health: StoreHealth;
  readonly processName: string;
  /** Milliseconds after which the store is asked whether it is alive. */
  readonly timeoutMs: number;
  /** Milliseconds that a call can take. After that others may ask its question. */
  readonly maxCallMs: number;
}

type Queue = StatementBatcher<Opening, OpenReply>;

/**
 * Milliseconds in which a store that is alive answers a reader, also on a busy machine: a process that takes it for dead continues alone,
 * and may pay for what another process asks.
 */
const aliveMs = 2_000;
const maxQueues = 1_000;
const openSql = 'SELECT * FROM call_open($1, $2, $3, $4, $5, $6, $7::json)';

/** Opens calls in the store. Calls of one account that arrive while a group is being opened form the next group. Accounts do not wait for each other. */
export class CallOpener {
  private readonly queues = new LRUCache<string, Queue>({ max: maxQueues });

  constructor(private readonly options: OpenerOptions) {}

  /**
   * Opens a call. Rejects with `StoreUnavailableError` if the store does not answer. `onLate` is called if the store has opened the call all
   * the same.
   */
  async open(opening: Opening, onLate: () => void): Promise<OpenReply> {
    const { health } = this.options;
    if (health.isUnavailable) throw new StoreUnavailableError('The store is unavailable.');
    let isLate = false;
    const opened = this.queueOf(opening).add(opening);
    const observed = opened.then(
      ({ verdict }) => {
        if (isLate && verdict === 'SEND') onLate();
      },
      () => undefined,
    );
    while (!(await this.isOver(observed))) {
      if (await this.isAlive()) continue;
      isLate = true;
      const error = new StoreUnavailableError('The store does not answer.');
      health.recordFailure(error);
      throw error;
    }
    return opened;
  }

  private async isOver(work: Promise<void>): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<false>((resolve) => {
      timer = setTimeout(resolve, this.options.timeoutMs, false);
    });
    const isOver = await Promise.race([work.then(() => true), timeout]);
    clearTimeout(timer);
    return isOver;
  }

  /** Whether the store answers, so that a call that waits for a lock does not count as an outage. */
  private isAlive(): Promise<boolean> {
    const { store } = this.options;
    const answer = store.read('SELECT 1').then(
      () => true,
      (error: unknown) => error instanceof StoreBusyError,
    );
    return Promise.race([answer, sleep(aliveMs, false, { ref: false })]);
  }

  private queueOf({ accounts, batch, run, day }: Opening): Queue {
    const key = [accounts[0], batch, run, day].join(' ');
    const queue = this.queues.get(key) ?? new StatementBatcher((openings) => this.openGroup(openings));
    this.queues.set(key, queue);
    return queue;
  }

  /** If the store rejects the statement because of one call, the others are opened anyway. */
  private async openGroup(openings: readonly Opening[]): Promise<readonly OpenReply[]> {
    try {
      return await this.openTogether(openings);
    } catch (error) {
      if (!(error instanceof StatementError) || openings.length === 1) throw error;
    }
    const replies = openings.map((opening) =>
      this.openTogether([opening]).then(
        ([reply]) => reply as OpenReply,
        (error: unknown) => {
          if (error instanceof StatementError) return notRecorded;
          throw error;
        },
      ),
    );
    return Promise.all(replies);
  }

  private async openTogether(openings: readonly Opening[]): Promise<readonly OpenReply[]> {
    const { store, processName, maxCallMs } = this.options;
    const [{ accounts, batch, run, day } = openings[0] as Opening] = openings;
    const calls = openings.map(toJson);
    const parameters = [processName, accounts, batch, run, new Date(day), maxCallMs, JSON.stringify(calls)];
    const rows = await store.query<OpenReply & { readonly id: string }>(openSql, parameters);
    const replies = new Map(rows.map((row) => [row.id, row]));
    return openings.map(({ id }) => replies.get(id) ?? notRecorded);
  }
}

/** Reply for a call that the store rejects. It must not be sent. */
const notRecorded: OpenReply = { verdict: 'REFUSED', lost: 0, pause: null, answer: null, details: null };

const toJson = ({ id, names, early, awaited, replaced, price, affordable, entry, ...rest }: Opening): object => ({
  id,
  names,
  early,
  awaited,
  replaced,
  price,
  affordable,
  operations: rest.operations,
  operation_units: rest.operationUnits,
  kept_as: rest.keptAs,
  row_number: rest.rowNumber,
  entry,
});
