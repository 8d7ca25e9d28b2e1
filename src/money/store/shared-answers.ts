import { deserialize, serialize } from 'node:v8';
import { version as release } from '../../identifiers/version';
import type { Answer } from '../../registry/answer/answer';
import type { RegistryClient } from '../../registry/client/client';
import { lookupsByName, StatementBatcher } from '../../store/statement-batcher';
import type { Store } from '../../store/store';
import { withRetryAfter } from '../answers/early-answers';
import type { MemoryAnswers } from '../answers/memory-answers';
import {
  decodeAnswer,
  isCacheable,
  isFresh,
  isRecent,
  type KeyedQuestion,
  type Reuse,
  reused,
  type SharedAnswer,
  toShared,
  unreadAnswer,
} from '../answers/shared-answer';
import type { AccountNames } from '../entries/account-names';
import { maxRead } from '../operations/kept-answers';
import type { ReusableAnswer, StoredAnswer } from './call-opener';
import type { SharedNames } from './shared-names';

export interface SharedAnswersOptions {
  readonly store: Store;
  readonly names: SharedNames;
  readonly accounts: AccountNames;
  readonly client: RegistryClient;
  readonly memory: MemoryAnswers;
  /** Milliseconds for which an answer is replayed. A process that ran before may have had another window. */
  readonly windowMs: number;
  /** Maximum bytes that an account keeps for later requests. */
  readonly accountBytes: number;
  readonly now: () => Date;
}

/** Maximum difference between the clocks of two processes. */
const clockToleranceMs = 120_000;

const findSql = `SELECT name, id AS call, answer, extract(epoch FROM now() - opened_at)::float8 * 1000 AS age FROM calls
  WHERE name = ANY($1) AND state = 'ANSWERED' AND expires_at > now() AND answer IS NOT NULL`;
const findReusableSql = `SELECT f.call, CASE WHEN $2 THEN f.answer END AS answer FROM json_array_elements($1::json) WITH ORDINALITY AS q(reusable, position)
  LEFT JOIN LATERAL reuse_find(q.reusable, NULL) f ON true ORDER BY q.position`;

interface AnswerRow {
  readonly name: string;
  readonly call: string;
  readonly answer: Buffer;
  /** Milliseconds since it was asked for. */
  readonly age: number;
}

/**
 * Answers that requests of an account share through the store, encrypted with `DATA_KEYS` alone: those that are replayed, and those that are
 * kept for later requests that say how old an answer may be.
 */
export class SharedAnswers {
  private readonly lookups = lookupsByName((names) => this.options.store.read<AnswerRow>(findSql, [names]));
  /** The statement returns a row for each answer, in their order. It has no call if there is none. */
  private readonly reusableLookups = this.lookReusable(true, maxRead);
  private readonly reusableChecks = this.lookReusable(false);

  constructor(private readonly options: SharedAnswersOptions) {}

  /** Returns the answer in a reply. A replay is kept in memory for its remaining time. Null if this process cannot use it. */
  open(question: KeyedQuestion, { verdict, answer: sealed, details }: StoredAnswer): SharedAnswer | null {
    const { client, memory, names } = this.options;
    const { call, ms, age = 0, failed = false } = details;
    const plain = names.open(call, sealed);
    if (plain === null) return null;
    if (verdict === 'EARLY') return readEarly(plain, ms);
    const answer = decodeAnswer(client, question, plain);
    if (answer === null) return null;
    if (verdict === 'REUSE') return this.isUsable(question, answer) ? toShared(answer, null, reused) : null;
    // Those who waited for a failure get it.
    if (failed) return toShared(answer, null);
    if (!this.isReplayable(question, answer)) return null;
    memory.keep(question, answer, performance.now() - age, ms);
    return toShared(answer, null);
  }

  /** Returns an answer that can be replayed. Lookups that arrive together share a statement: an estimate may look up a thousand questions. */
  async find(question: KeyedQuestion): Promise<Answer<unknown> | undefined> {
    const row = await this.lookups.add(this.options.names.ofQuestion(question));
    const answer = this.read(question, row);
    const isFound =
      answer && row && this.isReplayable(question, answer) && isRecent(performance.now() - row.age, question);
    return isFound ? answer : undefined;
  }

  /** Returns an answer that an earlier request has kept, and that is not too old. */
  async findReusable(question: KeyedQuestion, reads: boolean): Promise<SharedAnswer | undefined> {
    const reusable = this.reusable(question);
    if (reusable === null) return undefined;
    const row = await (reads ? this.reusableLookups : this.reusableChecks).add(reusable);
    if (!reads) return row.call ? unreadAnswer(this.options.client.address(question.endpoint), row.call) : undefined;
    const answer = this.read(question, row);
    return answer && toShared(answer, null, reused);
  }

  /**
   * Returns where an answer that is bought for a purpose is kept for later requests. Null if neither the question nor those that joined its call
   * say an age. Operations of another purpose wait for it, but do not keep it.
   */
  reusable(
    question: KeyedQuestion,
    joined: readonly Reuse[] = [],
    purpose = question.reuse?.purpose ?? null,
  ): ReusableAnswer | null {
    const { accountBytes: quota } = this.options;
    const { reuse, caller } = question;
    const accounts = reuse?.accounts ?? this.options.accounts.namesOf(caller);
    const askers = reuse === null ? joined : [reuse, ...joined];
    const [first] = askers;
    if (first === undefined) return null;
    // The operation of a question that began after the call did not ask it.
    const isAsked = (asker: Reuse): boolean => asker === reuse || asker.began <= question.askedAt;
    const ids = new Set(askers.filter(isAsked).flatMap(({ operation }) => operation ?? []));
    const operations = [...ids].flatMap((id) => this.options.names.ofOperation(caller, id));
    const elapsedMs = performance.now() - first.began;
    const isKept = askers.some((asker) => asker.purpose === purpose);
    const names = isKept ? this.options.names.ofReusable(question, accounts, purpose) : [];
    return { accounts, names, operations, maxAgeMs: first.maxAgeMs, elapsedMs, quota };
  }

  private lookReusable(reads: boolean, maxItems?: number): StatementBatcher<ReusableAnswer, Partial<AnswerRow>> {
    const look = (answers: readonly ReusableAnswer[]) =>
      this.options.store.read<Partial<AnswerRow>>(findReusableSql, [JSON.stringify(answers), reads]);
    return new StatementBatcher(look, maxItems);
  }

  private read(
    question: KeyedQuestion,
    { call, answer: sealed }: Partial<AnswerRow> = {},
  ): Answer<unknown> | undefined {
    const plain = call && sealed ? this.options.names.open(call, sealed) : null;
    const answer = plain && decodeAnswer(this.options.client, question, plain);
    return answer !== null && this.isUsable(question, answer) ? answer : undefined;
  }

  private isReplayable(question: KeyedQuestion, answer: Answer<unknown>): boolean {
    const { windowMs, now } = this.options;
    const { checkedAt } = answer.evidence;
    const age = checkedAt === null ? 0 : Math.abs(now().getTime() - checkedAt.getTime());
    return age <= windowMs + clockToleranceMs && this.isUsable(question, answer);
  }

  private isUsable(question: KeyedQuestion, answer: Answer<unknown>): boolean {
    return isCacheable(question, answer) && isFresh(answer, question.endpoint, this.options.now());
  }
}

/** Encodes what the caller of an early response gets again for a minute. Only processes of the same release read it. */
export const encodeEarly = (shared: SharedAnswer): Buffer => serialize({ release, shared });

function readEarly(plain: Buffer, remainingMs: number): SharedAnswer | null {
  const read = deserialize(plain) as { readonly release: string; readonly shared: SharedAnswer };
  if (read.release !== release) return null;
  const { shared } = read;
  return { ...shared, answer: withRetryAfter(shared.answer, Math.ceil(remainingMs / 1_000)) };
}
