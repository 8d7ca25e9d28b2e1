import { type Answer, notAsked, type Outcome } from '../../registry/answer/answer';
import { type Problem, problem } from '../../registry/answer/problem';
import { notPermitted } from '../../registry/client/not-run';
import type { RegistryDataSource } from '../../registry/data-source';
import { type AnyEndpoint, cacheKey, type Endpoint } from '../../registry/endpoint/endpoint';
import { asReplay } from '../../registry/replay/replay-cache';
import { type FieldPath, toKeys } from '../../registry/unit-meter';
import type { RowLookup } from '../batch';
import { rowBudgetUsedUp } from '../row-ceiling';
import type { AskResult } from './kept-answer';
import { isAccountProblem } from './question-asker';
import type { Exhausted, Interruption, RowServices } from './row-services';

/** The row is broken off; its fields fail, and it is run again. */
class RowInterruptedError extends Error {}

const maxProblems = 50;
/** Seconds: whoever asks to wait longer has used up a day or a month. */
const maxRetryAfter = 600;

/** The registries as one row of a batch asks them: what another row was answered is never asked again. */
export class BatchDataSource implements RegistryDataSource {
  readonly isDryRun = false;
  readonly sandbox: boolean;
  readonly lookups: RowLookup[] = [];
  /** Hashes of whom its questions are about. */
  readonly subjects = new Set<string>();
  /** Distinct by code and path. */
  readonly problems = new Map<string, Problem>();
  /** Price of this row's own questions whose billing is unknown. */
  uncertain = 0;
  units = 0;
  saved = 0;
  hasUnknown = false;
  hasFailed = false;
  interruption: Interruption | null = null;
  /** What might have passed, but did not in all the tries that the row has. */
  exhausted: Exhausted | null = null;
  /** The price of questions that are under way. */
  private reserved = 0;
  private readonly byKey = new Map<string, Promise<Answer<unknown>>>();
  private readonly attributed = new Set<Answer<unknown>>();

  /** `isLastTry`: what cost nothing and may pass is taken as the row's answer now. */
  constructor(
    private readonly services: RowServices,
    private readonly rowNumber: number,
    private readonly isLastTry: boolean,
  ) {
    this.sandbox = services.sandbox;
  }

  address(endpoint: AnyEndpoint): string {
    return this.services.address(endpoint);
  }

  fetch<Question, Payload>(
    endpoint: Endpoint<Question, Payload>,
    question: Question,
    path: FieldPath | null = null,
  ): Promise<Answer<Payload>> {
    const refusal = this.refuse(endpoint);
    if (refusal !== null) {
      this.recordRejection(refusal.outcome, refusal.problems);
      return Promise.resolve(refusal);
    }
    const input = endpoint.toWire(question);
    const key = `${endpoint.name} ${cacheKey(endpoint, question, input)}`;
    const existing = this.byKey.get(key);
    if (existing !== undefined) return existing as Promise<Answer<Payload>>;
    const { asker, key: batchKey } = this.services;
    const price = asker.priceOf(endpoint);
    const isAffordable = this.reserve(price);
    const asked = { endpoint, question, input, name: batchKey.name(key), rowNumber: this.rowNumber, isAffordable };
    for (const subject of endpoint.subjects?.(question) ?? []) this.subjects.add(this.services.hashOf(subject));
    const answer = asker.ask(asked).then((result) => {
      if (isAffordable) this.reserved -= price;
      return this.take(endpoint, result, path);
    });
    this.byKey.set(key, answer);
    return answer as Promise<Answer<Payload>>;
  }

  /** What is never shared is verified with secrets, which no batch holds. */
  async fetchUncached<Question, Payload>(endpoint: Endpoint<Question, Payload>): Promise<Answer<Payload>> {
    return this.barred(endpoint);
  }

  refuse(endpoint: AnyEndpoint): Answer<never> | null {
    const { permissions, anyEndpoint } = this.services;
    if (permissions !== null && !permissions.has(endpoint.scope)) return notPermitted(this.address(endpoint), endpoint);
    return endpoint.batch || anyEndpoint ? null : this.barred(endpoint);
  }

  recordRejection(_outcome: Outcome, problems: readonly Problem[]): void {
    this.hasFailed = true;
    this.noteProblems(problems);
  }

  noteProblems(problems: readonly Problem[]): void {
    for (const entry of problems) {
      if (this.problems.size >= maxProblems) return;
      this.problems.set([entry.code, ...(entry.path ?? [])].join(' '), entry);
    }
  }

  attributeCost<Payload>(endpoint: AnyEndpoint, answer: Answer<Payload>): Answer<Payload> {
    if (!this.attributed.has(answer)) {
      this.attributed.add(answer);
      return answer;
    }
    this.addSaving(endpoint, answer);
    return asReplay(answer);
  }

  private barred(endpoint: AnyEndpoint): Answer<never> {
    return notAsked('NOT_PERMITTED', this.address(endpoint), [problem('NOT_IN_BATCH')]);
  }

  /** Sets a price aside before its question leaves. False if the row could come to cost more than it may. */
  private reserve(price: number): boolean {
    const { rowUnits } = this.services;
    if (rowUnits !== null && this.units + this.uncertain + this.reserved + price > rowUnits) return false;
    this.reserved += price;
    return true;
  }

  private take(endpoint: AnyEndpoint, result: AskResult, path: FieldPath | null): Answer<unknown> {
    if (result.kind === 'stopped') throw this.interrupt({ kind: 'stopped' });
    if (result.kind === 'unaffordable') {
      const refusal = notAsked('NOT_RUN', this.address(endpoint), [rowBudgetUsedUp(this.services.rowUnits)]);
      this.record(refusal, path);
      return refusal;
    }
    if (result.kind === 'released') return this.takeReleased(endpoint, result.answer, path);
    const isOwn = result.rowNumber === this.rowNumber;
    const answer = isOwn ? result.answer : asReplay(result.answer);
    if (result.isUnknown) this.hasUnknown = true;
    if (result.isUnknown && isOwn) this.uncertain += this.services.asker.priceOf(endpoint);
    if (!isOwn) this.addSaving(endpoint, result.answer);
    this.record(answer, path);
    return answer;
  }

  private takeReleased(
    { registry }: AnyEndpoint,
    answer: Answer<unknown> | null,
    path: FieldPath | null,
  ): Answer<unknown> {
    if (answer === null) throw this.interrupt({ kind: 'pause', code: 'TOKEN_REFUSED' });
    const account = answer.problems.find(({ code }) => isAccountProblem(code));
    if (account !== undefined && !this.isLastTry) throw this.interrupt({ kind: 'pause', code: account.code });
    const passing = answer.problems.find(({ retryable }) => retryable);
    // This process is stopping: the question never left.
    if (passing?.code === 'CALLER_GONE') throw this.interrupt({ kind: 'stopped' });
    if (passing !== undefined && passing.retryAfter !== null && passing.retryAfter > maxRetryAfter && !this.isLastTry)
      throw this.interrupt({ kind: 'pause', code: passing.code });
    if (passing !== undefined && !this.isLastTry) {
      const { code, retryAfter } = passing;
      throw this.interrupt({ kind: 'delay', code, retryAfter });
    }
    if (passing !== undefined) this.exhausted = { code: passing.code, registry };
    this.record(answer, path);
    return answer;
  }

  /** A pause outweighs a delay, and both a stop that only follows from them. */
  private interrupt(interruption: Interruption): RowInterruptedError {
    const weight = { stopped: 0, delay: 1, pause: 2 } as const;
    if (this.interruption === null || weight[interruption.kind] > weight[this.interruption.kind])
      this.interruption = interruption;
    return new RowInterruptedError(interruption.kind);
  }

  private addSaving(endpoint: AnyEndpoint, { outcome }: Answer<unknown>): void {
    if (outcome === 'FOUND' || outcome === 'NOT_FOUND') this.saved += this.services.asker.priceOf(endpoint);
  }

  private record({ outcome, evidence, problems }: Answer<unknown>, path: FieldPath | null): void {
    if (outcome !== 'FOUND' && outcome !== 'NOT_FOUND') this.hasFailed = true;
    this.units += evidence.units;
    this.noteProblems(problems);
    const checkedAt = evidence.checkedAt?.toISOString() ?? null;
    this.lookups.push({
      field: toKeys(path).join('.'),
      outcome,
      problems: problems.map(({ code }) => code),
      evidence: { ...evidence, checkedAt },
    });
  }
}
