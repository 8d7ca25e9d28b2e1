import { deserialize, serialize } from 'node:v8';
import { version as release } from '../../identifiers/version';
import type { Answer } from '../../registry/answer/answer';
import type { RegistryClient } from '../../registry/client/client';
import { StatementBatcher } from '../../store/statement-batcher';
import type { Store } from '../../store/store';
import type { WindowOwner } from '../answers/caller-window';
import { type MemoryAnswers, withRetryAfter } from '../answers/memory-answers';
import {
  decodeAnswer,
  isCacheable,
  isFresh,
  type KeyedQuestion,
  type Reuse,
  reused,
  type SharedAnswer,
  toShared,
  unreadAnswer,
} from '../answers/shared-answer';
import type { AccountNames } from '../ledger/entries/account-names';
import { maxRead } from '../operations/kept-answers';
import type { Age, AnswerDetails, LastingPlace } from './call-opener';
import type { Keep } from './closing';
import type { SharedNames } from './shared-names';

export interface SharedAnswersOptions {
  readonly store: Store;
  readonly names: SharedNames;
  readonly accounts: AccountNames;
  readonly client: RegistryClient;
  readonly memory: MemoryAnswers;
  /** Milliseconds for which an answer is replayed. A process that ran before may have had another window. */
  readonly windowMs: number;
  /** Milliseconds for which an answer may be used again. */
  readonly reuseMs: number;
  /** Maximum bytes that an account keeps for later requests. */
  readonly accountBytes: number;
  readonly now: () => Date;
}

/** Maximum difference between the clocks of two processes. */
const clockToleranceMs = 120_000;

/** The statement returns a row for each lookup, in their order. It has no call if there is none. */
const findSql = `SELECT f.rule, f.call, f.age, f.ms, CASE WHEN $2 THEN f.sealed END AS answer
  FROM ROWS FROM (json_to_recordset($1::json) AS (names text[], age json)) WITH ORDINALITY AS q(names, age, position)
  LEFT JOIN LATERAL answer_find(q.names, q.age, NULL) f ON true ORDER BY q.position`;

interface Look {
  readonly names: readonly string[];
  readonly age: Age | null;
}

type Row = AnswerDetails & { readonly answer: Buffer | null };

/** Answers that requests share through the store, encrypted with `DATA_KEYS` alone: those of all rules but OPERATION. */
export class SharedAnswers {
  private readonly lookups = this.createLookups(true, maxRead);
  private readonly checks = this.createLookups(false);

  constructor(private readonly options: SharedAnswersOptions) {}

  /** Returns the names under which the answer may be, beside those of its call. `holder` is null if no early response may have it. */
  claimsOf(
    question: KeyedQuestion,
    place: LastingPlace | null,
    holder: WindowOwner | null,
    awaited: string | null,
  ): readonly string[] {
    const early = holder === null ? [] : this.options.names.ofEarlyAnswer(question, holder);
    return [...(place?.names ?? []), ...early, ...(awaited === null ? [] : [awaited])];
  }

  /** Returns the answer in a reply. A replay is kept in memory for its remaining time. Null if this process cannot use it. */
  open(question: KeyedQuestion, { rule, call, ms, age }: AnswerDetails, sealed: Buffer | null): SharedAnswer | null {
    const { memory, names } = this.options;
    const plain = sealed && names.open(call, sealed);
    if (plain === null) return null;
    const shared = this.decode(question, plain);
    if (shared === null) return null;
    const { answer } = shared;
    // Those who waited get what there is, and so does the holder.
    if (rule === 'CALL') return shared;
    if (rule === 'HOLDER') return { ...shared, answer: withRetryAfter(answer, ms) };
    if (rule === 'PURPOSE') return this.isUsable(question, answer) ? toShared(answer, null, reused) : null;
    if (!this.isReplayable(question, answer)) return null;
    memory.keep(question, answer, performance.now() - age, ms);
    return shared;
  }

  /** Returns an answer that can be replayed. Lookups that arrive together share a statement: an estimate may look up a thousand questions. */
  async find(question: KeyedQuestion): Promise<Answer<unknown> | undefined> {
    const names = this.options.names.ofQuestion(question);
    const row = await this.lookups.add({ names, age: this.placeOf(question) });
    const answer = this.read(question, row);
    return answer && this.isReplayable(question, answer) ? answer : undefined;
  }

  /** Returns an answer that an earlier request has kept, and that is not too old. */
  async findReusable(question: KeyedQuestion, reads: boolean): Promise<SharedAnswer | undefined> {
    const age = this.placeOf(question);
    if (age === null) return undefined;
    const row = await (reads ? this.lookups : this.checks).add({ names: age.names, age });
    if (!reads) return row.call ? unreadAnswer(this.options.client.address(question.endpoint), row.call) : undefined;
    const answer = this.read(question, row);
    return answer && toShared(answer, null, reused);
  }

  /**
   * Returns where an answer that is bought for a purpose is kept for later requests, and how old it may be. Null if neither the question nor those that
   * joined its call say an age. Operations of another purpose wait for it, but do not keep it.
   */
  placeOf(
    question: KeyedQuestion,
    joined: readonly Reuse[] = [],
    purpose = question.reuse?.purpose ?? null,
  ): LastingPlace | null {
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

  /** Returns by which rules the answer to a call is kept. `names` are those of the call, and `isForgotten` whether a person was erased since it began. */
  keepsOf(
    question: KeyedQuestion,
    answer: Answer<unknown>,
    call: string,
    names: readonly string[],
    place: LastingPlace | null,
    isForgotten: boolean,
  ): readonly Keep[] {
    const { windowMs, reuseMs } = this.options;
    const failed = !isCacheable(question, answer);
    const waiting = { rule: 'CALL', names: [call], failed, until: null } as const;
    if (failed) return [waiting];
    const replay = { rule: 'ACCOUNT', names, failed, until: performance.now() + windowMs } as const;
    const lasting = { rule: 'PURPOSE', names: place?.names ?? [], failed, until: question.askedAt + reuseMs } as const;
    return [
      ...(isForgotten || windowMs === 0 ? [] : [replay]),
      ...(lasting.names.length === 0 ? [] : [lasting]),
      waiting,
    ];
  }

  private createLookups(reads: boolean, maxItems?: number): StatementBatcher<Look, Partial<Row>> {
    const look = (lookups: readonly Look[]) =>
      this.options.store.read<Partial<Row>>(findSql, [JSON.stringify(lookups), reads]);
    return new StatementBatcher(look, maxItems);
  }

  private read(question: KeyedQuestion, { call, answer: sealed }: Partial<Row>): Answer<unknown> | undefined {
    const plain = call && sealed ? this.options.names.open(call, sealed) : null;
    const answer = plain && this.decode(question, plain)?.answer;
    return answer && this.isUsable(question, answer) ? answer : undefined;
  }

  private decode(question: KeyedQuestion, plain: Buffer): SharedAnswer | null {
    if (isEarly(plain)) return readEarly(plain);
    const answer = decodeAnswer(this.options.client, question, plain);
    return answer && toShared(answer, null);
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

/**
 * Encodes what the caller of an early response gets again, for the case that the store does not have the exchange of its call. Only processes of the same
 * release read it.
 */
export const encodeEarly = (shared: SharedAnswer): Buffer => serialize({ release, shared });

/** Serialized objects begin with this byte, and the ID of an entry does not. */
const isEarly = (plain: Buffer): boolean => plain[0] === 0xff;

function readEarly(plain: Buffer): SharedAnswer | null {
  const read = deserialize(plain) as { readonly release: string; readonly shared: SharedAnswer };
  return read.release === release ? read.shared : null;
}
