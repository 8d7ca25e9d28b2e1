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
import type { AccountNames } from '../entries/account-names';
import type { OpenReply, ReusableAnswer } from '../store/call-opener';
import type { SharedAnswers } from '../store/shared-answers';
import type { SharedNames } from '../store/shared-names';

export interface ReusableOptions {
  readonly store: Store;
  readonly names: SharedNames;
  readonly accounts: AccountNames;
  readonly answers: SharedAnswers;
  /** Maximum bytes that an account keeps. */
  readonly accountBytes: number;
  readonly now: () => Date;
}

interface ReusableRow {
  readonly call: string | null;
  readonly answer: Buffer;
}

/** Returns a row for each answer that is looked for, in their order. */
const findSql = `SELECT f.call, f.answer FROM json_array_elements($1::json) WITH ORDINALITY AS q(reusable, position)
  LEFT JOIN LATERAL reuse_find(q.reusable, NULL) f ON true ORDER BY q.position`;

/**
 * Answers that requests keep for later ones of their account, because they say how old an answer may be. They are encrypted with `DATA_KEYS`
 * alone, as the exchange with the service, which is interpreted again.
 */
export class ReusableAnswers {
  private readonly lookups = new StatementBatcher((answers: readonly ReusableAnswer[]) =>
    this.options.store.read<ReusableRow>(findSql, [JSON.stringify(answers)]),
  );

  constructor(private readonly options: ReusableOptions) {}

  /** Returns where an answer is kept, for which the operations `joined` wait too. Null if the question uses none of an earlier request. */
  of(question: KeyedQuestion, joined: Iterable<string> = []): ReusableAnswer | null {
    const { names, accounts, accountBytes: quota } = this.options;
    const { reuse, caller } = question;
    if (reuse === null) return null;
    const { operationId, purpose, maxAgeMs } = reuse;
    return {
      accounts: accounts.namesOf(caller),
      names: names.ofReusable(question, purpose),
      operations: [operationId, ...joined].flatMap((id) => (id === null ? [] : names.ofOperation(caller, id))),
      maxAgeMs,
      quota,
    };
  }

  async find(question: KeyedQuestion): Promise<SharedAnswer | undefined> {
    const reusable = this.of(question);
    const row = reusable === null ? null : await this.lookups.add(reusable);
    return row === null || row.call === null ? undefined : (this.read(question, row.call, row.answer) ?? undefined);
  }

  /** Returns the answer in a reply. Null if this process cannot use it, or if it is no longer valid. */
  open(question: KeyedQuestion, { answer, details }: OpenReply): SharedAnswer | null {
    return answer === null || details === null ? null : this.read(question, details.call, answer);
  }

  private read(question: KeyedQuestion, call: string, sealed: Buffer): SharedAnswer | null {
    const { names, answers, now } = this.options;
    const plain = names.open(call, sealed);
    const answer = plain === null ? null : answers.read(question, plain, true);
    const isUsable = answer !== null && isCacheable(question, answer) && isFresh(answer, question.endpoint, now());
    return isUsable ? { ...toShared(answer, null), keptBy: reused } : null;
  }
}
