import type { Answer } from '../../registry/answer/answer';
import { decodeExchange } from '../../registry/answer/interpret';
import type { RegistryClient } from '../../registry/client/client';
import { StatementBatcher } from '../../store/statement-batcher';
import type { Store } from '../../store/store';
import {
  isCacheable,
  isFresh,
  type KeyedQuestion,
  reused,
  type SharedAnswer,
  toShared,
} from '../answers/shared-answer';
import type { OpenReply } from '../store/call-opener';
import type { SharedNames } from '../store/shared-names';

/** An answer of the account as the store looks for it. `operations` are the names of the operation that the request is a part of. */
export interface ReusableLookup {
  readonly accounts: readonly string[];
  readonly names: readonly string[];
  readonly operations: readonly string[];
  readonly maxAgeMs: number;
}

/** Where the store keeps an answer for later requests. */
export interface ReusableAnswer extends ReusableLookup {
  readonly quota: number;
}

export interface ReusableOptions {
  readonly store: Store;
  readonly names: SharedNames;
  readonly client: RegistryClient;
  /** Maximum bytes that an account keeps. */
  readonly accountBytes: number;
  readonly now: () => Date;
}

interface ReusableRow {
  readonly position: number;
  readonly call: string;
  readonly answer: Buffer;
}

const findSql = `SELECT q.position::int, f.call, f.answer
  FROM json_array_elements($1::json) WITH ORDINALITY AS q(lookup, position) CROSS JOIN LATERAL reuse_find(q.lookup, NULL) f`;

/**
 * Answers that requests keep for later ones of their account, because they say how old an answer may be. They are encrypted with `DATA_KEYS`
 * alone, as the exchange with the service, which is interpreted again.
 */
export class ReusableAnswers {
  private readonly lookups = new StatementBatcher((lookups: readonly ReusableLookup[]) => this.findRows(lookups));

  constructor(private readonly options: ReusableOptions) {}

  /** Returns null if the question uses no answer of an earlier request. */
  lookupOf(question: KeyedQuestion): ReusableLookup | null {
    const { names } = this.options;
    const { reuse, caller } = question;
    if (reuse === null) return null;
    const { operationId, purpose, maxAgeMs } = reuse;
    return {
      accounts: names.accountsOf(caller),
      names: names.ofReusable(question, purpose),
      operations: operationId === null ? [] : names.ofOperation(caller, operationId),
      maxAgeMs,
    };
  }

  async find(question: KeyedQuestion): Promise<SharedAnswer | undefined> {
    const lookup = this.lookupOf(question);
    const row = lookup === null ? undefined : await this.lookups.add(lookup);
    return row === undefined ? undefined : (this.read(question, row.call, row.answer) ?? undefined);
  }

  /** Returns the answer in a reply. Null if this process cannot use it, or if it is no longer valid. */
  open(question: KeyedQuestion, { answer, details }: OpenReply): SharedAnswer | null {
    return answer === null || details === null ? null : this.read(question, details.call, answer);
  }

  /** Returns where an answer is kept. Null for what was not charged, and for what may not be replayed. */
  toKept(question: KeyedQuestion, answer: Answer<unknown>): ReusableAnswer | null {
    const lookup = this.lookupOf(question);
    if (lookup === null || answer.evidence.units === 0 || !isCacheable(question, answer)) return null;
    return { ...lookup, quota: this.options.accountBytes };
  }

  private read(question: KeyedQuestion, call: string, sealed: Buffer): SharedAnswer | null {
    const { names, client, now } = this.options;
    const { endpoint, caller } = question;
    const plain = names.open(call, sealed);
    const end = plain?.indexOf('\n') ?? 0;
    const exchange = plain && decodeExchange(plain.subarray(end + 1));
    if (!plain || !exchange) return null;
    try {
      const answer = client.interpret<unknown, unknown>(endpoint, question.question, exchange, caller);
      if (!isCacheable(question, answer) || !isFresh(answer, endpoint, now())) return null;
      const ledgerId = plain.toString('utf8', 0, end);
      const proved = { ...answer, evidence: { ...answer.evidence, ledgerId } };
      return { ...toShared(proved, null), keptBy: reused };
    } catch {
      return null;
    }
  }

  private async findRows(lookups: readonly ReusableLookup[]): Promise<readonly (ReusableRow | undefined)[]> {
    const rows = await this.options.store.read<ReusableRow>(findSql, [JSON.stringify(lookups)]);
    const found = new Map(rows.map((row) => [row.position, row]));
    return lookups.map((_lookup, index) => found.get(index + 1));
  }
}
