import { type Answer, isAnswer, unsentAnswer } from '../../registry/answer/answer';
import type { Exchange } from '../../registry/answer/interpret';
import { problem } from '../../registry/answer/problem';
import type { RegistryClient } from '../../registry/client/client';
import { StatementBatcher } from '../../store/statement-batcher';
import type { Store } from '../../store/store';
import {
  type AskedQuestion,
  decodeAnswer,
  encodeAnswer,
  isCacheable,
  isFresh,
  type KeyedQuestion,
  keptAs,
  type SharedAnswer,
  unreadAnswer,
} from '../answers/shared-answer';
import { moneyCodes } from '../codes';
import type { KeptDetails } from '../store/call-opener';
import type { KeptAnswer } from '../store/closing';
import type { EarlierOperations, LastingOperation, ReadableOperation } from './lasting-operations';

/** A kept answer in the store. `answer` is null if its process died, or if it arrived without one. */
export interface KeptContent extends Omit<KeptDetails, 'settled' | 'rule'> {
  readonly answer: Buffer | null;
}

interface KeptRow extends KeptContent {
  readonly operation: string;
  /** Entry of the call that was answered. */
  readonly call: string;
}

/** Names of an answer: that of all spellings of its question, and that of its own spelling if it differs. */
export type Names = readonly [shared: string, spelled?: string];

type Lookup = readonly [operation: string, name: string];

/** Maximum answers that a statement reads, because each may have 2 MB. */
export const maxRead = 10;

const findSql = `SELECT a.operation, a.name, a.call, a.payer, a.state = 'UNKNOWN' AS uncertain, extract(epoch FROM a.asked_at)::float8 * 1000 AS at, CASE WHEN $3 THEN a.answer END AS answer
  FROM operation_answers a JOIN (SELECT DISTINCT unnest($1::text[]) AS operation, unnest($2::text[]) AS name) q USING (operation, name)
  WHERE a.state <> 'OPEN'`;

/** The answers that operations keep, encrypted with the key of their operation: as the exchange with the service, which is interpreted again. */
export class KeptAnswers {
  private readonly lookups = new StatementBatcher(
    (questions: readonly Lookup[]) => this.findRows(questions, true),
    maxRead,
  );
  private readonly checks = new StatementBatcher((questions: readonly Lookup[]) => this.findRows(questions, false));

  constructor(
    private readonly store: Store,
    private readonly client: RegistryClient,
    private readonly now: () => Date,
  ) {}

  /** Returns the names under which an operation may keep an answer. A call is counted under the first one. */
  namesOf({ key }: ReadableOperation, { endpoint, cacheKeys, purpose }: AskedQuestion): Names {
    const nameOf = (question: string): string =>
      key.name([endpoint.name, question, ...(purpose === null ? [] : [purpose])].join(' '));
    const [shared, spelled] = cacheKeys;
    return spelled === undefined ? [nameOf(shared)] : [nameOf(shared), nameOf(spelled)];
  }

  async find(operation: LastingOperation, question: KeyedQuestion, reads: boolean): Promise<SharedAnswer | undefined> {
    const kept = await this.look(reads ? this.lookups : this.checks, operation, question);
    if (kept === undefined || (kept.uncertain && operation.retriesUnknown)) return undefined;
    if (!reads) return unreadAnswer(this.client.address(question.endpoint), kept.call);
    return this.read(operation, question, kept);
  }

  /** Returns the newest answer that earlier operations keep, if another one may use it, and the operation. */
  async findEarlier({ operations, maxAgeMs }: EarlierOperations, question: AskedQuestion) {
    const rows = await Promise.all(operations.map((operation) => this.look(this.lookups, operation, question)));
    const now = this.now();
    const found = operations.flatMap((operation, index) => {
      const { answer: sealed = null, uncertain, at = 0, name = '' } = rows[index] ?? {};
      const answer = sealed === null || uncertain ? null : this.open(operation, question, sealed, name);
      const isUsable = answer !== null && isCacheable(question, answer) && isFresh(answer, question.endpoint, now);
      const isRecent = maxAgeMs === null || now.getTime() - at < maxAgeMs;
      return isUsable && isRecent ? [{ operation: operation.id, at, answer }] : [];
    });
    return found.sort((left, right) => right.at - left.at)[0];
  }

  /** Whether an operation has not ended meanwhile. If the store does not reply, it is taken to last. */
  async lasts({ id }: LastingOperation): Promise<boolean> {
    const sql = 'SELECT FROM operations WHERE id = $1 AND expires_at > now()';
    return this.store.read(sql, [id]).then(
      (rows) => rows.length > 0,
      () => true,
    );
  }

  /** Returns a kept answer. Its charge may be unknown: then only the part that paid for it gets what the service answered. */
  read(operation: LastingOperation, question: KeyedQuestion, kept: KeptContent): SharedAnswer {
    const { name, payer, answer: sealed, uncertain: isUncertain, at } = kept;
    const shared = { payer, keptBy: operation.id, isUncertain };
    const isOwn = payer !== null && payer === operation.payer;
    if (sealed === null || (isUncertain && !isOwn)) {
      const address = this.client.address(question.endpoint);
      return { answer: lostAnswer(address, question.caller.sandbox, new Date(at)), ...shared };
    }
    const answer = this.open(operation, question, sealed, name);
    if (answer === null) throw new Error('The stored exchange of a question cannot be decoded.');
    return { answer, ...shared };
  }

  /**
   * Returns what an operation keeps of a call. The answer is null if an error ended the call. A failure that cost nothing is not kept, and
   * neither is an answer without an exchange.
   */
  toKept(
    operation: LastingOperation,
    name: string,
    question: AskedQuestion | null,
    answer: Answer<unknown> | null,
    exchange: Exchange | null,
  ): KeptAnswer {
    if (answer === null) return { name, state: 'UNKNOWN', answer: null };
    const { billing, units, ledgerId } = answer.evidence;
    const state = billing === 'UNKNOWN' ? 'UNKNOWN' : 'ANSWERED';
    if (exchange === null || question === null)
      return { name, state: state === 'UNKNOWN' ? state : 'RELEASED', answer: null };
    // An answer whose price is 0 is the balance, which every paid call changes.
    if (isFreeFailure(answer) || (billing === 'CHARGED' && units === 0)) return releasedAnswer(name);
    const [under] = this.namesOf(operation, keptAs(question, answer));
    const content = encodeAnswer(ledgerId, exchange, question);
    return { name, under, state, answer: operation.key.seal(contextOf(operation, under), content) };
  }

  private async look(
    lookups: StatementBatcher<Lookup, KeptRow | undefined>,
    operation: ReadableOperation,
    question: AskedQuestion,
  ): Promise<KeptRow | undefined> {
    const names = this.namesOf(operation, question);
    const rows = await Promise.all(names.map((name = '') => lookups.add([operation.id, name])));
    return rows.find((row) => row?.uncertain === false) ?? rows.find((row) => row !== undefined);
  }

  private open(operation: ReadableOperation, question: AskedQuestion, sealed: Buffer, name: string) {
    return decodeAnswer(this.client, question, operation.key.open(contextOf(operation, name), sealed));
  }

  private async findRows(questions: readonly Lookup[], reads: boolean): Promise<readonly (KeptRow | undefined)[]> {
    const parameters = [questions.map(([operation]) => operation), questions.map(([, name]) => name), reads];
    const rows = await this.store.read<KeptRow>(findSql, parameters);
    const found = new Map(rows.map((row) => [`${row.operation} ${row.name}`, row]));
    return questions.map((question) => found.get(question.join(' ')));
  }
}

const contextOf = ({ id }: ReadableOperation, name: string): string => `${id} question ${name}`;

export const releasedAnswer = (name: string): KeptAnswer => ({ name, state: 'RELEASED', answer: null });

const isFreeFailure = (answer: Answer<unknown>): boolean =>
  !isAnswer(answer) && answer.evidence.billing === 'NOT_CHARGED';

/** Returns the answer to a question of which it is unknown whether it was charged. */
function lostAnswer(endpoint: string, sandbox: boolean, checkedAt: Date): Answer<never> {
  const { evidence, ...lost } = unsentAnswer('UNAVAILABLE', endpoint, [problem(moneyCodes.ANSWER_LOST)]);
  const [servedFrom, billing] = sandbox ? (['SANDBOX', 'NOT_CHARGED'] as const) : (['LIVE', 'UNKNOWN'] as const);
  return { ...lost, evidence: { ...evidence, checkedAt, servedFrom, billing } };
}
