import { type Answer, isAnswer, unsentAnswer } from '../../../registry/answer/answer';
import { problem } from '../../../registry/answer/problem';
import type { RegistryClient } from '../../../registry/client/client';
import { unseal } from '../../../store/sealed-box';
import type { Store } from '../../../store/store';
import { moneyCodes } from '../../codes';
import type { AnswerLookups, KeptDetails } from '../answer-lookups';
import type { EndedCall, Keep } from '../keep';
import {
  type AskedQuestion,
  decodeAnswer,
  isCacheable,
  isFresh,
  type KeyedQuestion,
  keptAs,
  type SharedAnswer,
  unreadAnswer,
} from '../shared-answer';
import type { EarlierOperations, LastingOperation, ReadableOperation } from './lasting-operations';

/** An answer that an operation keeps. `sealed` is null if it is lost, or if its bytes are not read. */
interface KeptAnswer {
  readonly details: KeptDetails;
  readonly sealed: Buffer | null;
}

/** The answer to a question has the name of all spellings, and that of its own spelling if it differs. */
export type Names = readonly [shared: string, spelled?: string];

/** The end of a call, and the answer that its operation keeps. */
interface End {
  readonly kept: EndedCall;
  readonly keep: Keep | null;
}

/** The answers that operations keep. The key of the bytes is encrypted with that of the operation. */
export class KeptAnswers {
  constructor(
    private readonly store: Store,
    private readonly lookups: AnswerLookups,
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
    const kept = await this.look(operation, question, reads);
    if (kept === null || (kept.details.failed && operation.retriesUnknown)) return undefined;
    if (!reads) return unreadAnswer(this.client.address(question.endpoint), kept.details.call);
    return this.read(operation, question, kept.details, kept.sealed);
  }

  /** Returns the newest answer that earlier operations keep, if another one may use it, and the operation. */
  async findEarlier({ operations, maxAgeMs }: EarlierOperations, question: AskedQuestion) {
    const kept = await Promise.all(operations.map((operation) => this.look(operation, question, true)));
    const now = this.now();
    const found = operations.flatMap((operation, index) => {
      const { details, sealed } = kept[index] ?? {};
      if (!details || !sealed || details.failed) return [];
      const { at } = details;
      const answer = this.open(operation, question, details, sealed);
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
  read(
    operation: LastingOperation,
    question: KeyedQuestion,
    details: KeptDetails,
    sealed: Buffer | null,
  ): SharedAnswer {
    const { payer, failed: isUncertain, at } = details;
    const shared = { payer, keptBy: operation.id, isUncertain };
    const isOwn = payer !== null && payer === operation.payer;
    if (sealed === null || (isUncertain && !isOwn)) {
      const address = this.client.address(question.endpoint);
      return { answer: lostAnswer(address, question.caller.sandbox, new Date(at)), ...shared };
    }
    const answer = this.open(operation, question, details, sealed);
    if (answer === null) throw new Error('The stored exchange of a question cannot be decoded.');
    return { answer, ...shared };
  }

  /**
   * Returns what an operation keeps of a call. The answer is null if an error ended the call. `contentKey` is the key of its bytes, or null if it has none.
   * A failure that cost nothing is not kept.
   */
  keepOf(
    operation: LastingOperation,
    name: string,
    question: AskedQuestion | null,
    answer: Answer<unknown> | null,
    contentKey: Buffer | null,
  ): End {
    const isUncertain = answer === null || answer.evidence.billing === 'UNKNOWN';
    if (answer === null || question === null || contentKey === null)
      return { kept: { name, state: isUncertain ? 'LOST' : 'RELEASED' }, keep: null };
    const { billing, units } = answer.evidence;
    // An answer whose price is 0 is the balance, which every paid call changes.
    if (isFreeFailure(answer) || (billing === 'CHARGED' && units === 0)) return released(name);
    const [under] = this.namesOf(operation, keptAs(question, answer));
    const key = operation.key.seal(contextOf(operation, under), contentKey);
    const keep = { rule: 'OPERATION', names: [under], key, failed: isUncertain, until: Infinity } as const;
    return { kept: { name, state: 'KEPT' }, keep: { ...keep, payer: operation.payer } };
  }

  private async look(
    operation: ReadableOperation,
    question: AskedQuestion,
    reads: boolean,
  ): Promise<KeptAnswer | null> {
    const stored = await this.lookups.find(this.namesOf(operation, question) as readonly string[], null, reads);
    const { details, sealed = null } = stored ?? {};
    return details?.rule === 'OPERATION' ? { details, sealed } : null;
  }

  private open(operation: ReadableOperation, question: AskedQuestion, details: KeptDetails, sealed: Buffer) {
    const { name, call, key: wrapped } = details;
    const key = operation.key.open(contextOf(operation, name), Buffer.from(wrapped ?? '', 'base64'));
    const content = unseal(key, call, sealed);
    if (content === null) throw new Error('A kept answer cannot be decrypted with its key.');
    return decodeAnswer(this.client, question, content);
  }
}

const contextOf = ({ id }: ReadableOperation, name: string): string => `${id} question ${name}`;

export const released = (name: string): End => ({ kept: { name, state: 'RELEASED' }, keep: null });

const isFreeFailure = (answer: Answer<unknown>): boolean =>
  !isAnswer(answer) && answer.evidence.billing === 'NOT_CHARGED';

/** Returns the answer to a question of which it is unknown whether it was charged. */
function lostAnswer(endpoint: string, sandbox: boolean, checkedAt: Date): Answer<never> {
  const { evidence, ...lost } = unsentAnswer('UNAVAILABLE', endpoint, [problem(moneyCodes.ANSWER_LOST)]);
  const [servedFrom, billing] = sandbox ? (['SANDBOX', 'NOT_CHARGED'] as const) : (['LIVE', 'UNKNOWN'] as const);
  return { ...lost, evidence: { ...evidence, checkedAt, servedFrom, billing } };
}
