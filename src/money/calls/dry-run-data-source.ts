import { hash } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type Answer, type Outcome, unsentAnswer, unsentEvidence } from '../../registry/answer/answer';
import type { Problem } from '../../registry/answer/problem';
import { type Availability, unknownAvailability } from '../../registry/client/availability';
import {
  type AnyEndpoint,
  cacheKeys,
  type Endpoint,
  exactKey,
  listPlaceholder,
  placeholder,
  type Subject,
} from '../../registry/endpoint/endpoint';
import type { PriceList } from '../../registry/endpoint/price-list';
import { StoreUnavailableError } from '../../store/store';
import type { RegistryDataSource } from './data-source';
import { keptNotCounted } from './life/refusals';
import type { FieldPath } from './units/field-path';

/** Maximum questions of a page, including repeated ones. Each takes time, and a document can nest any number of them. */
const maxQuestions = 50_000;
const maxQuestionsPerRow = 25_000;
const questionsPerTurn = 100;
/** Limits of listed fields and problems. A document can have any number of them, with names of any length. */
const maxFields = 100;
const maxFieldLength = 200;
const maxProblems = 20;
const digestLength = 12;

/** Text in the key of a question that depends on a placeholder entry of a list. */
const placeholderEntry = JSON.stringify(placeholder(listPlaceholder)).slice(1, -1);

export class TooManyQuestionsError extends Error {
  override readonly name = 'TooManyQuestions';

  constructor(readonly allowed: number) {
    super(`The dataset has more than ${allowed} questions.`);
  }
}

/** Gives a dry run its addresses, and the answers that cost nothing. */
export type DryRunSource = Pick<RegistryDataSource, 'address' | 'sandbox' | 'prices' | 'findPaid' | 'findRefusal'>;

/**
 * A data source that sends nothing. It records each distinct question and assumes an answer, so that questions that depend on the
 * answer are counted too. The code that runs an operation thus also computes its price.
 */
export class DryRunDataSource implements RegistryDataSource {
  readonly isDryRun = true;
  readonly sandbox: boolean;
  readonly prices: PriceList;
  /** Digests of the distinct questions, which take less memory than the questions. */
  readonly questions = new Map<AnyEndpoint, Set<string>>();
  /** The fields that ask, by endpoint: response names joined by dots, without positions in lists. */
  readonly fields = new Map<AnyEndpoint, Set<string>>();
  /** Fields with a question that depends on the entries of a list of unknown length. */
  readonly unboundedFields = new Set<string>();
  /** Mutations that would start a batch whose limit is unknown. The price is unknown. */
  readonly unlimitedBatches = new Set<string>();
  /** Highest limit of each batch that would be started. A limit includes what the batch has spent before. */
  private readonly batchLimits = new Map<string, number>();
  /** Questions that would not be sent, because their input is wrong. */
  rejections = 0;
  /** False to count questions for which the caller lacks the permission. */
  checksPermission = true;
  /** Whether the caller lacks the permission of a question. */
  isRefused = false;
  private readonly noted = new Map<string, Problem>();
  /** Ledger entries of the answers that make questions free. */
  readonly paidEntries = new Set<string>();
  /** Why kept answers do not count. Null if they do. */
  private storeProblem: Problem | null = null;
  private asked = 0;
  private askedBeforePage = 0;
  private askedBeforeRow = 0;
  private readonly rowQuestions = new Map<AnyEndpoint, Set<string>>();
  /** Units of the current row. */
  rowPrice = 0;
  /** People and employers of the questions of the current row. */
  rowSubjects: Subject[] = [];
  private turn: Promise<unknown> = Promise.resolve();

  /** Kept answers are free. If `skipsPaid`, so are those in the replay window. Follow-up questions use their values. */
  constructor(
    private readonly source: DryRunSource,
    private readonly skipsPaid = false,
  ) {
    this.sandbox = source.sandbox;
    this.prices = source.prices;
  }

  /** False if a question depends on the entries of a list of unknown length. */
  get bounded(): boolean {
    return this.unboundedFields.size === 0;
  }

  /** The limit of questions that was exceeded, so that the price is unknown. Null if none was exceeded. */
  get exceededLimit(): number | null {
    if (this.asked - this.askedBeforeRow > maxQuestionsPerRow) return maxQuestionsPerRow;
    return this.asked - this.askedBeforePage > maxQuestions ? maxQuestions : null;
  }

  startPage(): void {
    this.askedBeforePage = this.asked;
  }

  startRow(): void {
    this.askedBeforeRow = this.asked;
    this.rowQuestions.clear();
    this.rowPrice = 0;
    this.rowSubjects = [];
  }

  address(endpoint: AnyEndpoint): string {
    return this.source.address(endpoint);
  }

  availability(): Availability {
    return unknownAvailability;
  }

  async fetch<Question, Payload>(
    endpoint: Endpoint<Question, Payload>,
    question: Question,
    path: FieldPath | null = null,
  ): Promise<Answer<Payload>> {
    const refusal = this.refuse(endpoint);
    if (refusal !== null) return refusal;
    this.rowSubjects.push(...(endpoint.subjects?.(question) ?? []));
    const paid = await this.findFree(endpoint, question);
    // The payload is only kept for follow-up questions. A price needs no file contents.
    if (paid !== undefined) return endpoint.placeholderAnswer === undefined ? { ...paid, payload: null } : paid;
    // In sandbox mode, endpoints outside /api are not called.
    if (!this.sandbox || this.address(endpoint).includes(' /api/'))
      this.record(endpoint, exactKey(endpoint, cacheKeys(endpoint, question)), path);
    await this.nextTurn();
    // Questions beyond the limit have no follow-up questions, so the count ends.
    const payload = this.exceededLimit !== null ? null : (endpoint.placeholderAnswer?.(question) ?? null);
    const outcome = payload === null ? 'NOT_FOUND' : 'FOUND';
    return { outcome, payload, evidence: unsentEvidence(this.address(endpoint)), problems: [], bytes: 0 };
  }

  async fetchUncached<Question, Payload>(
    endpoint: Endpoint<Question, Payload>,
    _question: Question,
    path: FieldPath | null = null,
  ): Promise<Answer<Payload>> {
    const refusal = this.refuse(endpoint);
    if (refusal !== null) return refusal;
    this.record(endpoint, `verification ${this.asked}`, path);
    await this.nextTurn();
    return unsentAnswer('NOT_FOUND', this.address(endpoint), []);
  }

  checkAccess(): null {
    return null;
  }

  recordRejection(_outcome: Outcome, problems: readonly Problem[]): void {
    // A wrong identifier is an error, even if padron looked it up.
    if (problems.some(({ code }) => code !== 'MISSING_IDENTIFIER' && code !== 'MISSING_PERMISSION'))
      this.rejections += 1;
    const isConsequence = problems.some(({ code }) => code === 'MISSING_PERMISSION');
    // Nothing was tried to find the identifier, so it need not be missing.
    this.noteProblems(problems.filter(({ code }) => !(isConsequence && code === 'MISSING_IDENTIFIER')));
  }

  noteProblems(problems: readonly Problem[]): void {
    for (const problem of problems) {
      if (this.noted.size >= maxProblems) return;
      const key = [problem.code, ...(problem.path ?? [problem.message])].join(' ');
      if (!this.noted.has(key)) this.noted.set(key, problem);
    }
  }

  get problems(): readonly Problem[] {
    return [...(this.storeProblem === null ? [] : [this.storeProblem]), ...this.noted.values()];
  }

  recordBatch(field: string, id: string, maxUnits: number | null): void {
    if (maxUnits === null) this.unlimitedBatches.add(field);
    else this.batchLimits.set(id, Math.max(maxUnits, this.batchLimits.get(id) ?? 0));
  }

  /** Units that the started batches may spend. Sandbox mode is a property of the batch, so it does not matter here. */
  get batchUnits(): number {
    return [...this.batchLimits.values()].reduce((sum, limit) => sum + limit, 0);
  }

  priceOf(endpoint: AnyEndpoint): number {
    return this.prices.costOf(endpoint, this.sandbox);
  }

  attributeCost<Payload>(_endpoint: AnyEndpoint, answer: Answer<Payload>): Answer<Payload> {
    return answer;
  }

  /** Returns an answer that makes a question free. If the store does not answer, the question has its full price. */
  private async findFree<Question, Payload>(endpoint: Endpoint<Question, Payload>, question: Question) {
    try {
      const paid = await this.source.findPaid?.(endpoint, question, this.skipsPaid);
      if (paid?.evidence.ledgerId) this.paidEntries.add(paid.evidence.ledgerId);
      return paid;
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      this.storeProblem ??= keptNotCounted();
      return undefined;
    }
  }

  private refuse(endpoint: AnyEndpoint): Answer<never> | null {
    const refusal = this.checksPermission ? (this.source.findRefusal?.(endpoint) ?? null) : null;
    if (refusal === null) return null;
    this.isRefused = true;
    this.recordRejection(refusal.outcome, refusal.problems);
    return refusal;
  }

  private nextTurn(): Promise<unknown> {
    this.asked += 1;
    if (this.asked % questionsPerTurn === 0) this.turn = this.turn.then(() => yieldToEventLoop());
    return this.turn;
  }

  private record(endpoint: AnyEndpoint, key: string, path: FieldPath | null): void {
    if (key.includes(placeholderEntry) && this.unboundedFields.size < maxFields)
      this.unboundedFields.add(path === null ? endpoint.name : toFieldName(path));
    const fields = getOrCreate(this.fields, endpoint);
    if (path !== null && fields.size < maxFields) fields.add(toFieldName(path));
    const ofRow = getOrCreate(this.rowQuestions, endpoint);
    if (ofRow.has(key)) return;
    ofRow.add(key);
    this.rowPrice += this.priceOf(endpoint);
    getOrCreate(this.questions, endpoint).add(hash('sha1', key, 'binary').slice(0, digestLength));
  }
}

function getOrCreate(map: Map<AnyEndpoint, Set<string>>, endpoint: AnyEndpoint): Set<string> {
  const existing = map.get(endpoint);
  if (existing !== undefined) return existing;
  const created = new Set<string>();
  map.set(endpoint, created);
  return created;
}

function toFieldName(path: FieldPath): string {
  const names: string[] = [];
  for (let step: FieldPath | undefined = path; step !== undefined; step = step.prev)
    if (typeof step.key === 'string') names.push(step.key);
  let field = names.pop() ?? '';
  // Stops at the displayed length, because this runs for every question of a dataset.
  for (let name = names.pop(); name !== undefined && field.length <= maxFieldLength; name = names.pop())
    field += `.${name}`;
  return field.length > maxFieldLength ? `${field.slice(0, maxFieldLength)}…` : field;
}
