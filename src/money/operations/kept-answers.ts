import type { Answer } from '../../registry/answer/answer';
import { decodeExchange, type Exchange, encodeExchange } from '../../registry/answer/interpret';
import { problem } from '../../registry/answer/problem';
import type { RegistryClient } from '../../registry/client/client';
import { StatementBatcher } from '../../store/statement-batcher';
import type { Store } from '../../store/store';
import type { KeyedQuestion, SharedAnswer } from '../answers/shared-answer';
import { moneyCodes } from '../codes';
import type { KeptAnswer } from '../store/call-closer';
import type { LastingOperation } from './lasting-operations';

/** A kept answer in the store. `content` is null if its process died, or if it arrived without one. */
export interface KeptContent {
  readonly payer: string | null;
  readonly content: Buffer | null;
  readonly isUncertain: boolean;
  readonly askedAt: Date;
}

interface KeptRow {
  readonly operation: string;
  readonly name: string;
  readonly state: 'ANSWERED' | 'UNKNOWN';
  readonly payer: string | null;
  readonly asked_at: Date;
  readonly answer: Buffer | null;
}

interface Lookup {
  readonly operation: string;
  readonly name: string;
}

const findSql = `SELECT a.operation, a.name, a.state, a.payer, a.asked_at, a.answer FROM operation_answers a
  JOIN (SELECT DISTINCT unnest($1::text[]) AS operation, unnest($2::text[]) AS name) q USING (operation, name) WHERE a.state <> 'OPEN'`;

/** The answers that operations keep, encrypted with the key of their operation: as the exchange with the service, which is interpreted again. */
export class KeptAnswers {
  private readonly lookups = new StatementBatcher((questions: readonly Lookup[]) => this.findRows(questions));

  constructor(
    private readonly store: Store,
    private readonly client: RegistryClient,
  ) {}

  nameOf({ key }: LastingOperation, { endpoint, cacheKey }: KeyedQuestion): string {
    return key.name(`${endpoint.name} ${cacheKey}`);
  }

  async find(operation: LastingOperation, question: KeyedQuestion): Promise<SharedAnswer | undefined> {
    const row = await this.lookups.add({ operation: operation.id, name: this.nameOf(operation, question) });
    if (row === undefined) return undefined;
    const { payer, answer: content, state, asked_at: askedAt } = row;
    const isUncertain = state === 'UNKNOWN';
    if (isUncertain && operation.retriesUnknown) return undefined;
    return this.read(operation, question, { payer, content, isUncertain, askedAt });
  }

  /** Returns a kept answer. Its charge may be unknown: then only the part that paid for it gets what the service answered. */
  read(operation: LastingOperation, question: KeyedQuestion, kept: KeptContent): SharedAnswer {
    const { endpoint, caller } = question;
    const { payer, content, isUncertain, askedAt } = kept;
    const shared = { payer, keptBy: operation.id, isUncertain };
    const isOwn = payer !== null && payer === operation.payer;
    if (content === null || (isUncertain && !isOwn))
      return { answer: lostAnswer(this.client.address(endpoint), caller.sandbox, askedAt), ...shared };
    const plain = operation.key.open(contextOf(operation, this.nameOf(operation, question)), content);
    const end = plain.indexOf('\n');
    const exchange = decodeExchange(plain.subarray(end + 1));
    if (exchange === null) throw new Error('The stored exchange of a question cannot be decoded.');
    const answer = this.client.interpret<unknown, unknown>(endpoint, question.question, exchange, caller);
    const ledgerId = plain.toString('utf8', 0, end) || null;
    return { answer: { ...answer, evidence: { ...answer.evidence, ledgerId } }, ...shared };
  }

  /**
   * Returns what an operation keeps of a call. The answer is null if an error ended the call. A failure that cost nothing is not kept, and
   * neither is an answer without an exchange.
   */
  toKept(
    operation: LastingOperation,
    name: string,
    answer: Answer<unknown> | null,
    exchange: Exchange | null,
  ): KeptAnswer {
    if (answer === null) return { name, state: 'UNKNOWN', answer: null };
    const { billing, units, ledgerId } = answer.evidence;
    const state = billing === 'UNKNOWN' ? 'UNKNOWN' : 'ANSWERED';
    if (exchange === null) return { name, state: state === 'UNKNOWN' ? state : 'RELEASED', answer: null };
    // An answer whose price is 0 is the balance, which every paid call changes.
    if (isFreeFailure(answer) || (billing === 'CHARGED' && units === 0)) return releasedAnswer(name);
    const content = Buffer.concat([Buffer.from(`${ledgerId ?? ''}\n`), encodeExchange(exchange)]);
    const sealed = operation.key.seal(contextOf(operation, name), content);
    return { name, state, answer: sealed };
  }

  private async findRows(questions: readonly Lookup[]): Promise<readonly (KeptRow | undefined)[]> {
    const operations = questions.map(({ operation }) => operation);
    const names = questions.map(({ name }) => name);
    const rows = await this.store.read<KeptRow>(findSql, [operations, names]);
    const found = new Map(rows.map((row) => [`${row.operation} ${row.name}`, row]));
    return questions.map(({ operation, name }) => found.get(`${operation} ${name}`));
  }
}

const contextOf = ({ id }: LastingOperation, name: string): string => `${id} question ${name}`;

export const releasedAnswer = (name: string): KeptAnswer => ({ name, state: 'RELEASED', answer: null });

const isFreeFailure = ({ outcome, evidence }: Answer<unknown>): boolean =>
  outcome !== 'FOUND' && outcome !== 'NOT_FOUND' && evidence.billing === 'NOT_CHARGED';

/** Returns the answer to a question of which it is unknown whether it was charged. */
function lostAnswer(endpoint: string, sandbox: boolean, checkedAt: Date): Answer<never> {
  return {
    outcome: 'UNAVAILABLE',
    payload: null,
    problems: [problem(moneyCodes.ANSWER_LOST)],
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
      age: null,
    },
  };
}
