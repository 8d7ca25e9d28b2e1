import type { KeyedQuestion, SharedAnswer } from '../../money/answers/shared-answer';
import type { PayingRow } from '../../money/calls/call';
import type { KeptAnswer } from '../../money/store/call-closer';
import type { Answer } from '../../registry/answer/answer';
import { decodeExchange, type Exchange, encodeExchange } from '../../registry/answer/exchange';
import { problem } from '../../registry/answer/problem';
import type { RegistryClient } from '../../registry/client/client';
import type { Store } from '../../store/store';
import type { BatchKey } from '../open-batch';
import type { Semaphore } from '../semaphore';
import { releasesClaim } from './temporary-failure';

/** A run of a batch in this process, as its rows pay for calls. */
export interface BatchShare {
  readonly batch: string;
  readonly run: number;
  readonly key: BatchKey;
  readonly store: Store;
  readonly client: RegistryClient;
  /** Limits the running calls of the batch in this process. */
  readonly turns: Semaphore;
}

interface KeptRow {
  readonly answer: Buffer | null;
  readonly row_number: number;
  readonly state: 'ANSWERED' | 'UNKNOWN';
  readonly asked_at: Date;
}

const findSql = `SELECT answer, row_number, state, asked_at FROM batch_answer WHERE batch = $1 AND name = $2 AND state <> 'OPEN'`;

/** A row of a batch that pays for calls. The answers of the batch are encrypted with its key, so that erasing the batch erases them. */
export class BatchRowPayer implements PayingRow {
  constructor(
    private readonly share: BatchShare,
    readonly number: number,
  ) {}

  get batch(): string {
    return this.share.batch;
  }

  get run(): number {
    return this.share.run;
  }

  nameOf({ endpoint, cacheKey }: KeyedQuestion): string {
    return this.share.key.name(`${endpoint.name} ${cacheKey}`);
  }

  async find(question: KeyedQuestion): Promise<SharedAnswer | undefined> {
    const { store, batch } = this.share;
    const [kept] = await store.query<KeptRow>(findSql, [batch, this.nameOf(question)]);
    if (kept === undefined) return undefined;
    return this.read(question, kept.answer, kept.row_number, kept.state === 'UNKNOWN', kept.asked_at);
  }

  read(question: KeyedQuestion, sealed: Buffer | null, row: number, isUncertain: boolean, askedAt: Date): SharedAnswer {
    const { batch, key, client } = this.share;
    const { endpoint, caller } = question;
    const shared = { payer: payerOf(batch, row), isUncertain };
    if (sealed === null) return { answer: lostAnswer(client.address(endpoint), caller.sandbox, askedAt), ...shared };
    const content = key.open(this.place(question), sealed);
    const end = content.indexOf('\n');
    const decoded = decodeExchange(content.subarray(end + 1));
    if (decoded === null) throw new Error('The stored exchange of a question cannot be decoded.');
    const answer = client.interpret<unknown, unknown>(endpoint, question.question, decoded, caller);
    const ledgerId = content.toString('utf8', 0, end) || null;
    return { answer: { ...answer, evidence: { ...answer.evidence, ledgerId } }, ...shared };
  }

  toKept(
    question: KeyedQuestion,
    answer: Answer<unknown> | null,
    exchange: Exchange | null,
    isSent: boolean,
  ): KeptAnswer {
    const name = this.nameOf(question);
    const nothing = { name, units: 0, failed: true, answer: null } as const;
    if (!isSent) return { ...nothing, state: 'RELEASED' };
    if (answer === null) return { ...nothing, state: 'UNKNOWN' };
    if (exchange === null || releasesClaim(answer)) return { ...nothing, state: 'RELEASED' };
    const { outcome, evidence } = answer;
    const content = Buffer.concat([Buffer.from(`${evidence.ledgerId ?? ''}\n`), encodeExchange(exchange)]);
    return {
      name,
      state: evidence.billing === 'UNKNOWN' ? 'UNKNOWN' : 'ANSWERED',
      units: evidence.units,
      failed: outcome !== 'FOUND' && outcome !== 'NOT_FOUND',
      answer: this.share.key.seal(this.place(question), content),
    };
  }

  takeTurn(): Promise<void> {
    return this.share.turns.acquire();
  }

  endTurn(): void {
    this.share.turns.release();
  }

  /** An answer cannot be decrypted without its place. */
  private place(question: KeyedQuestion): string {
    return `${this.share.batch} question ${this.nameOf(question)}`;
  }
}

export const payerOf = (batch: string, row: number): string => `${batch} ${row}`;

/** Returns the answer to a question whose process died after it had opened the call: it is unknown whether the call was charged. */
function lostAnswer(endpoint: string, sandbox: boolean, checkedAt: Date): Answer<never> {
  return {
    outcome: 'UNAVAILABLE',
    payload: null,
    problems: [problem('ANSWER_LOST')],
    bytes: 0,
    evidence: {
      validationCode: null,
      endpoint,
      status: null,
      message: null,
      checkedAt,
      servedFrom: sandbox ? 'SANDBOX' : 'LIVE',
      units: 0,
      billing: sandbox ? 'NOT_CHARGED' : 'UNKNOWN',
      ledgerId: null,
    },
  };
}
