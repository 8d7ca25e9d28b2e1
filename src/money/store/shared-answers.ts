import { deserialize, serialize } from 'node:v8';
import { version as release } from '../../identifiers/version';
import type { Answer } from '../../registry/answer/answer';
import { decodeExchange, type Exchange } from '../../registry/answer/interpret';
import type { RegistryClient } from '../../registry/client/client';
import { StatementBatcher } from '../../store/statement-batcher';
import type { Store } from '../../store/store';
import { withRetryAfter } from '../answers/early-answers';
import type { MemoryAnswers } from '../answers/memory-answers';
import {
  isCacheable,
  isFresh,
  isRecent,
  type KeyedQuestion,
  type SharedAnswer,
  toShared,
} from '../answers/shared-answer';
import type { OpenReply } from './call-opener';
import type { SharedNames } from './shared-names';

export interface SharedAnswersOptions {
  readonly store: Store;
  readonly names: SharedNames;
  readonly client: RegistryClient;
  readonly memory: MemoryAnswers;
  readonly windowMs: number;
  readonly now: () => Date;
}

/** Maximum difference between the clocks of two processes. */
const clockToleranceMs = 120_000;

const findSql = `SELECT name, id, answer FROM calls
  WHERE name = ANY($1) AND state = 'ANSWERED' AND expires_at > now() AND answer IS NOT NULL`;

interface AnswerRow {
  readonly name: string;
  readonly id: string;
  readonly answer: Buffer;
}

/** Answers that processes share through the store: as the exchange with the service, which another process or a newer release interprets. */
export class SharedAnswers {
  private readonly lookups = new StatementBatcher((questions: readonly (readonly string[])[]) =>
    this.findRows(questions),
  );

  constructor(private readonly options: SharedAnswersOptions) {}

  /** Returns the answer in a reply, and keeps it in memory for its remaining time. Null if this process cannot use it. */
  open(question: KeyedQuestion, { verdict, answer, details }: OpenReply): SharedAnswer | null {
    if (answer === null || details === null) return null;
    const plain = this.options.names.open(details.call, answer);
    if (plain === null) return null;
    if (verdict === 'EARLY') return readEarly(plain, details.ms);
    const read = this.read(question, plain, details.failed);
    if (read !== null && !details.failed) this.options.memory.keep(question, read, details.ms);
    return read === null ? null : toShared(read, null);
  }

  /** Returns an answer that can be replayed. Lookups that arrive together share a statement: an estimate may look up a thousand questions. */
  async find(question: KeyedQuestion): Promise<Answer<unknown> | undefined> {
    const row = await this.lookups.add(this.options.names.ofQuestion(question)).catch(() => undefined);
    const plain = row === undefined ? null : this.options.names.open(row.id, row.answer);
    const answer = plain === null ? null : this.read(question, plain, false);
    return answer !== null && isRecent(answer, question, this.options.now()) ? answer : undefined;
  }

  private async findRows(questions: readonly (readonly string[])[]): Promise<readonly (AnswerRow | undefined)[]> {
    const rows = await this.options.store.read<AnswerRow>(findSql, [questions.flat()]);
    const byName = new Map(rows.map((row) => [row.name, row]));
    return questions.map((names) => names.flatMap((name) => byName.get(name) ?? [])[0]);
  }

  /** Returns the answer in a stored exchange. If `isFailure`, its age and its outcome are not checked. */
  read(question: KeyedQuestion, plain: Buffer, isFailure: boolean): Answer<unknown> | null {
    const end = plain.indexOf('\n');
    const exchange = decodeExchange(plain.subarray(end + 1));
    const answer = exchange === null ? null : this.interpret(question, exchange, isFailure);
    if (answer === null) return null;
    return { ...answer, evidence: { ...answer.evidence, ledgerId: plain.toString('utf8', 0, end) || null } };
  }

  /** Returns null if the answer may not be replayed. A failure is returned to those who waited for it. */
  private interpret(question: KeyedQuestion, exchange: Exchange, isFailure: boolean): Answer<unknown> | null {
    const { client, windowMs, now } = this.options;
    const { endpoint, caller } = question;
    try {
      const answer = client.interpret<unknown, unknown>(endpoint, question.question, exchange, caller);
      if (isFailure) return answer;
      const age = Math.abs(now().getTime() - exchange.checkedAt.getTime());
      return age <= windowMs + clockToleranceMs && isCacheable(question, answer) && isFresh(answer, endpoint, now())
        ? answer
        : null;
    } catch {
      return null;
    }
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
