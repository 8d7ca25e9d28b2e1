import { StatementBatcher, untilAvailable } from '../../store/statement-batcher';
import type { Store } from '../../store/store';

/** A question that is about to be asked. `claim` is new each time: by it a worker knows its own again. */
export interface Claim {
  readonly name: string;
  readonly claim: string;
  readonly price: number;
  readonly rowNumber: number;
  /** False: it is only looked whether it was asked before. */
  readonly isAffordable: boolean;
}

/**
 * Reply to a claim. `CLAIMED`: the claimer sends the call. `ASKED`: another worker is sending it. `WAIT`: the rest of
 * the limit is reserved by others. `STOPPED`: this run of the batch is over. `UNAFFORDABLE`: there is no answer, and
 * the row may not pay for it.
 */
export interface ClaimVerdict {
  readonly verdict: 'CLAIMED' | 'ASKED' | 'ANSWERED' | 'UNKNOWN' | 'WAIT' | 'STOPPED' | 'UNAFFORDABLE';
  /** The row that asked first. */
  readonly rowNumber: number;
  readonly exchange: Buffer | null;
  readonly askedAt: Date | null;
}

/** End of a claim. `RELEASED`: the call cost nothing and may be repeated. */
export interface Settlement {
  readonly name: string;
  readonly claim: string;
  readonly state: 'ANSWERED' | 'UNKNOWN' | 'RELEASED';
  readonly units: number;
  readonly failed: boolean;
  readonly exchange: Buffer | null;
}

interface VerdictRow {
  readonly name: string;
  readonly verdict: ClaimVerdict['verdict'];
  readonly row_number: number;
  readonly exchange: Buffer | null;
  readonly asked_at: Date | null;
}

/** The questions of one batch, as one worker claims and settles them. */
export class QuestionStore {
  private readonly claims: StatementBatcher<Claim, ClaimVerdict>;
  private readonly settlements: StatementBatcher<Settlement, undefined>;
  private readonly unwritten = new Set<Promise<void>>();

  /** `signal` ends the wait for an unavailable store. */
  constructor(
    private readonly store: Store,
    private readonly batch: string,
    private readonly worker: string,
    /** The run that claims: a later one belongs to another caller. */
    private readonly run: number,
    private readonly signal: AbortSignal,
  ) {
    this.claims = new StatementBatcher((claims) => this.claimAll(claims));
    this.settlements = new StatementBatcher((settlements) => this.settleAll(settlements));
  }

  claim(claim: Claim): Promise<ClaimVerdict> {
    return this.claims.add(claim);
  }

  /** Writes what became of a question. The question's askers do not wait for it. `settled` does, and reports its failure. */
  settle(settlement: Settlement): void {
    const written = this.settlements.add(settlement, settlement.exchange?.length ?? 0);
    const followed = written.finally(() => this.unwritten.delete(followed));
    this.unwritten.add(followed);
    followed.catch(() => undefined);
  }

  /** Resolves when all settlements until now are written. */
  async settled(): Promise<void> {
    await Promise.all(this.unwritten);
  }

  private async claimAll(claims: readonly Claim[]): Promise<readonly ClaimVerdict[]> {
    const json = JSON.stringify(
      claims.map(({ rowNumber, isAffordable, ...claim }) => ({
        ...claim,
        row_number: rowNumber,
        affordable: isAffordable,
      })),
    );
    const rows = await untilAvailable(
      () =>
        this.store.query<VerdictRow>('SELECT * FROM batch_claim($1, $2, $3, $4::json)', [
          this.batch,
          this.worker,
          this.run,
          json,
        ]),
      this.signal,
    );
    return rows.map(({ verdict, row_number, exchange, asked_at }) => ({
      verdict,
      rowNumber: row_number,
      exchange,
      askedAt: asked_at,
    }));
  }

  private async settleAll(settlements: readonly Settlement[]): Promise<readonly undefined[]> {
    const json = JSON.stringify(
      settlements.map(({ exchange, ...settlement }) => ({
        ...settlement,
        exchange: exchange?.toString('base64') ?? null,
      })),
    );
    await untilAvailable(() => this.store.query('SELECT batch_settle($1, $2::json)', [this.batch, json]), this.signal);
    return settlements.map(() => undefined);
  }
}
