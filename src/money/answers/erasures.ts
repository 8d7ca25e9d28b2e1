import type { Store } from '../../store/store';

/**
 * Ends the time of the answers to calls that began before the last erasure, except for those who wait for them now. Answers in use belong to
 * requests that have begun.
 */
const forgetSql = `UPDATE calls c SET state = 'FAILED',
    expires_at = CASE WHEN c.awaited THEN least(c.expires_at, now() + interval '3 seconds') ELSE now() END
  FROM (SELECT name FROM calls WHERE state = 'ANSWERED'
    AND opened_at <= (SELECT last_at FROM ledger_erasure_count) FOR UPDATE SKIP LOCKED) a WHERE c.name = a.name`;

export interface ErasuresOptions {
  readonly store: Store;
  /** Forgets the answers in the memory of this process. */
  readonly forget: () => void;
  /** Writes the closings that wait: they may have answers of calls that ended before the erasure. */
  readonly flush: () => Promise<void>;
}

/** Erasures of people by any process of the store. Each process forgets the answers that it keeps for replay, because any may be about the person. */
export class Erasures {
  /** Number of erasures that this process knows. Null before it has asked. */
  private known: string | null = null;
  private checking: Promise<void> = Promise.resolve();

  constructor(private readonly options: ErasuresOptions) {}

  /** Forgets the kept answers if a person was erased since the last check, or if this process has just erased one. */
  check(hasErased = false): Promise<void> {
    const run = (): Promise<void> => this.run(hasErased);
    this.checking = this.checking.then(run, run);
    return this.checking;
  }

  private async run(hasErased: boolean): Promise<void> {
    const { store, forget, flush } = this.options;
    const [row] = await store.query<{ readonly count: string }>('SELECT count::text FROM ledger_erasure_count');
    const count = row?.count ?? '';
    if (this.known === null ? hasErased : this.known !== count) {
      forget();
      await flush();
      await store.query(forgetSql);
    }
    this.known = count;
  }
}
