import { deserialize, serialize } from 'node:v8';
import { version as release } from '../../identifiers/version';
import type { Answer } from '../../registry/answer/answer';
import type { RegistryClient } from '../../registry/client/client';
import { unseal } from '../../store/sealed-box';
import type { AccountNames } from '../ledger/entries/account-names';
import type { AnswerDetails, AnswerLookups, LastingPlace, StoredAnswer } from './answer-lookups';
import type { WindowOwner } from './caller-window';
import type { Keep } from './keep';
import { type MemoryAnswers, withRetryAfter } from './memory-answers';
import {
  decodeAnswer,
  isCacheable,
  isFresh,
  type KeyedQuestion,
  type Reuse,
  type RunningQuestion,
  reused,
  type SharedAnswer,
  toShared,
  unreadAnswer,
} from './shared-answer';
import type { SharedNames } from './shared-names';

export interface SharedAnswersOptions {
  readonly lookups: AnswerLookups;
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

interface AnsweredCall {
  readonly id: string;
  readonly names: readonly string[];
  /** Time by `performance.now()`. */
  readonly began: number;
  /** Key of the answer's bytes. */
  readonly key: Buffer;
}

/** Maximum difference between the clocks of two processes. */
const clockToleranceMs = 120_000;

/** Answers that requests share through the store, encrypted with `DATA_KEYS` alone: those of all rules but OPERATION. */
export class SharedAnswers {
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
  open(question: KeyedQuestion, details: AnswerDetails, sealed: Buffer | null): SharedAnswer | null {
    const { memory } = this.options;
    const { rule, ms, age } = details;
    const shared = this.decode(question, { details, sealed });
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

  /** Returns an answer that can be replayed. */
  async find(question: KeyedQuestion): Promise<Answer<unknown> | undefined> {
    const names = this.options.names.ofQuestion(question);
    const answer = this.read(question, await this.options.lookups.find(names, this.placeOf(question)));
    return answer && this.isReplayable(question, answer) ? answer : undefined;
  }

  /** Returns an answer that an earlier request has kept, and that is not too old. */
  async findReusable(question: KeyedQuestion, reads: boolean): Promise<SharedAnswer | undefined> {
    const age = this.placeOf(question);
    if (age === null) return undefined;
    const found = await this.options.lookups.find(age.names, age, reads);
    if (!reads)
      return found ? unreadAnswer(this.options.client.address(question.endpoint), found.details.call) : undefined;
    const answer = this.read(question, found);
    return answer && toShared(answer, null, reused);
  }

  /**
   * Returns where an answer that is bought for a purpose is kept for later requests, and how old it may be. Null if neither the question nor those that
   * joined its call say an age. Operations of another purpose wait for it, but do not keep it.
   */
  placeOf(
    question: KeyedQuestion,
    running: RunningQuestion | null = null,
    purpose = question.reuse?.purpose ?? null,
  ): LastingPlace | null {
    const { accountBytes: quota } = this.options;
    const { reuse, caller } = question;
    const accounts = reuse?.accounts ?? this.options.accounts.namesOf(caller);
    const { joined = [], started = 0 } = running ?? {};
    const askers = reuse === null ? joined : [reuse, ...joined];
    const [first] = askers;
    if (first === undefined) return null;
    // The operation of a question that began after the call did not ask it.
    const isAsked = (asker: Reuse): boolean => asker === reuse || asker.began <= started;
    const ids = new Set(askers.filter(isAsked).flatMap(({ operation }) => operation ?? []));
    const operations = [...ids].flatMap((id) => this.options.names.ofOperation(caller, id));
    const elapsedMs = performance.now() - first.began;
    const isKept = askers.some((asker) => asker.purpose === purpose);
    const names = isKept ? this.options.names.ofReusable(question, accounts, purpose) : [];
    return { accounts, names, operations, maxAgeMs: first.maxAgeMs, elapsedMs, quota };
  }

  /** Returns by which rules the answer to a call is kept. `isForgotten`: a person was erased since it began. */
  keepsOf(
    question: KeyedQuestion,
    answer: Answer<unknown>,
    call: AnsweredCall,
    place: LastingPlace | null,
    isForgotten: boolean,
  ): readonly Keep[] {
    const { windowMs, reuseMs } = this.options;
    const failed = !isCacheable(question, answer);
    const kept = { failed, key: this.options.names.wrap(call.id, call.key) };
    const waiting = { ...kept, rule: 'CALL', names: [call.id], until: null } as const;
    if (failed) return [waiting];
    const replay = { ...kept, rule: 'ACCOUNT', names: call.names, until: performance.now() + windowMs } as const;
    const lasting = { ...kept, rule: 'PURPOSE', names: place?.names ?? [], until: call.began + reuseMs } as const;
    return [
      ...(isForgotten || windowMs === 0 ? [] : [replay]),
      ...(lasting.names.length === 0 ? [] : [lasting]),
      waiting,
    ];
  }

  private read(question: KeyedQuestion, stored: StoredAnswer | null): Answer<unknown> | undefined {
    const answer = stored && this.decode(question, stored)?.answer;
    return answer && this.isUsable(question, answer) ? answer : undefined;
  }

  private decode(question: KeyedQuestion, { details, sealed }: StoredAnswer): SharedAnswer | null {
    const { call, key: wrapped } = details;
    const key = wrapped && sealed && this.options.names.unwrap(call, Buffer.from(wrapped, 'base64'));
    const plain = key && sealed && unseal(key, call, sealed);
    if (!plain) return null;
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
