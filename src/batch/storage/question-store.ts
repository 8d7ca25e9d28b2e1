import { StatementBatcher, untilAvailable } from '../../store/statement-batcher';
import type { Store } from '../../store/store';

export interface QuestionClaim {
  readonly name: string;
  readonly claim: string;
  readonly price: number;
  readonly rowNumber: number;
  /** Whether the row can pay for the call. If not, the store only looks for an existing answer. */
  readonly isAffordable: boolean;
}

/**
 * Reply to a claim. `CLAIMED`: the claimer sends the call. `ASKED`: another worker is sending it. `WAIT`: running calls have
 * reserved the rest of the batch's limit. `STOPPED`: this run of the batch is over. `UNAFFORDABLE`: there is no answer, and
 * the row cannot pay for it.
 */
export interface ClaimVerdict {
  readonly verdict: 'CLAIMED' | 'ASKED' | 'ANSWERED' | 'UNKNOWN' | 'WAIT' | 'STOPPED' | 'UNAFFORDABLE';
  readonly rowNumber: number;
  readonly exchange: Buffer | null;
  readonly askedAt: Date | null;
}

/** End of a claim. `RELEASED`: the call cost nothing, and the question may be claimed again. */
export interface QuestionSettlement {
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

export class QuestionStore {
  private readonly claims: StatementBatcher<QuestionClaim, ClaimVerdict>;
  private readonly settlements: StatementBatcher<QuestionSettlement, undefined>;
  private readonly unwritten = new Set<Promise<void>>();

  constructor(
    private readonly store: Store,
    private readonly batch: string,
    private readonly worker: string,
    /** The run that claims. A later run may belong to another caller. */
    private readonly run: number,
    private readonly signal: AbortSignal,
  ) {
    this.claims = new StatementBatcher((claims) => this.claimAll(claims));
    this.settlements = new StatementBatcher((settlements) => this.settleAll(settlements));
  }

  claim(claim: QuestionClaim): Promise<ClaimVerdict> {
    return this.claims.add(claim);
  }

  /** Starts to write the end of a claim, and returns before it is written. `settled` waits for it and reports a failure. */
  settle(settlement: QuestionSettlement): void {
    const written = this.settlements.add(settlement, settlement.exchange?.length ?? 0);
    const tracked = written.finally(() => this.unwritten.delete(tracked));
    this.unwritten.add(tracked);
    tracked.catch(() => undefined);
  }

  async settled(): Promise<void> {
    await Promise.all(this.unwritten);
  }

  private async claimAll(claims: readonly QuestionClaim[]): Promise<readonly ClaimVerdict[]> {
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

  private async settleAll(settlements: readonly QuestionSettlement[]): Promise<readonly undefined[]> {
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
