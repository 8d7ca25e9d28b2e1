import type { PayerCalls } from '../../money/calls/call';
import type { RegistryDataSource } from '../../money/calls/data-source';
import type { FieldPath } from '../../money/calls/field-path';
import { QuestionRunner } from '../../money/calls/question-runner';
import { type Answer, type Outcome, UnauthenticatedError, unsentAnswer } from '../../registry/answer/answer';
import { type Problem, problem } from '../../registry/answer/problem';
import { readReference } from '../../registry/call-labels';
import type { Availability } from '../../registry/client/availability';
import type { AnyEndpoint, Endpoint } from '../../registry/endpoint/endpoint';
import type { LeasedRow } from '../storage/row-store';
import { BatchRowPayer, payerOf } from './batch-row-payer';
import type { Interruption, LastingFailure, RowServices } from './dependencies';
import { RowUnits } from './row-units';
import { isAccountProblem, releasesClaim } from './temporary-failure';

/** The row runs again later. */
class RowInterruptedError extends Error {}

/** Maximum seconds that a row waits. A longer `retryAfter` pauses the batch: the quota of a day or a month is used up. */
const maxRetryAfter = 600;

export class BatchDataSource implements RegistryDataSource {
  readonly isDryRun = false;
  readonly sandbox: boolean;
  readonly units: RowUnits;
  readonly subjects = new Set<string>();
  interruption: Interruption | null = null;
  lastingFailure: LastingFailure | null = null;
  readonly payerCalls: PayerCalls;
  private readonly runner: QuestionRunner;

  /** If `isLastTry`, the row accepts a temporary failure as its answer. */
  constructor(
    private readonly services: RowServices,
    { number, input: { ref } }: Pick<LeasedRow, 'number' | 'input'>,
    private readonly isLastTry: boolean,
  ) {
    const { scope, share, calls, waiting } = services;
    // A label that is too long for a reference stays a label of the batch.
    const origin = { ...services.origin, reference: ref === null ? null : readReference(ref) };
    this.sandbox = scope.caller.sandbox;
    this.units = new RowUnits(payerOf(share.batch, number), services.rowUnits, services.observer);
    const { units } = this;
    const row = new BatchRowPayer(share, number);
    const payerCalls = calls.of({ caller: scope.caller, origin, units, row });
    this.payerCalls = payerCalls;
    const { client } = share;
    const { inFlight, memory } = calls;
    const rest = { deadline: null, window: null, timeoutMs: calls.options.timeoutMs };
    this.runner = new QuestionRunner({ client, memory, inFlight, payerCalls, scope, waiting, units, row, ...rest });
  }

  address(endpoint: AnyEndpoint): string {
    return this.services.share.client.address(endpoint);
  }

  availability(endpoint: AnyEndpoint): Availability {
    return this.services.share.client.availability(endpoint, this.services.scope.caller);
  }

  async fetch<Question, Payload>(
    endpoint: Endpoint<Question, Payload>,
    question: Question,
    path: FieldPath | null = null,
  ): Promise<Answer<Payload>> {
    const refusal = this.checkAccess(endpoint);
    if (refusal !== null) {
      this.recordRejection(refusal.outcome, refusal.problems);
      return refusal;
    }
    for (const subject of endpoint.subjects?.(question) ?? []) this.subjects.add(this.services.hashOf(subject));
    try {
      const answer = await this.runner.fetch(endpoint, question, path);
      if (releasesClaim(answer)) this.checkInterruption(endpoint, answer);
      else this.countAnswer(endpoint, answer);
      return answer;
    } catch (error) {
      if (error instanceof UnauthenticatedError)
        throw this.interrupt({ kind: 'pause', problem: problem('TOKEN_REFUSED') });
      throw error;
    }
  }

  /** Refuses the call. Unshared calls verify secrets, and a batch has none. */
  async fetchUncached<Question, Payload>(endpoint: Endpoint<Question, Payload>): Promise<Answer<Payload>> {
    return this.refuseInBatch(endpoint);
  }

  checkAccess(endpoint: AnyEndpoint): Answer<never> | null {
    const refusal = this.runner.checkAccess(endpoint);
    if (refusal !== null) return refusal;
    return endpoint.batch || this.services.anyEndpoint ? null : this.refuseInBatch(endpoint);
  }

  recordRejection(outcome: Outcome, problems: readonly Problem[]): void {
    this.units.recordFailure(outcome, problems);
    this.noteProblems(problems);
  }

  noteProblems(problems: readonly Problem[]): void {
    this.units.noteProblems(problems);
  }

  recordProblem(endpoint: AnyEndpoint, question: unknown, answer: Answer<unknown>, { code }: Problem): void {
    this.runner.recordProblem(endpoint, question, answer, code);
  }

  attributeCost<Payload>(endpoint: AnyEndpoint, answer: Answer<Payload>): Answer<Payload> {
    return this.runner.attributeCost(endpoint, answer);
  }

  private countAnswer({ registry }: AnyEndpoint, { outcome, evidence }: Answer<unknown>): void {
    const { answerCounts } = this.services;
    if (outcome === 'UNAVAILABLE' || evidence.servedFrom === 'REPLAY') return;
    answerCounts.set(registry, (answerCounts.get(registry) ?? 0) + 1);
  }

  private refuseInBatch(endpoint: AnyEndpoint): Answer<never> {
    return unsentAnswer('NOT_PERMITTED', this.address(endpoint), [problem('NOT_IN_BATCH')]);
  }

  private checkInterruption({ registry }: AnyEndpoint, { problems }: Answer<unknown>): void {
    const account = problems.find(({ code }) => isAccountProblem(code));
    if (account !== undefined && !this.isLastTry) throw this.interrupt({ kind: 'pause', problem: account });
    const temporary = problems.find(({ retryable }) => retryable);
    if (temporary === undefined) return;
    const { code, retryAfter } = temporary;
    // The batch does not run any more, or this process is stopping. The question was not sent.
    if (code === 'CALLER_GONE') throw this.interrupt({ kind: 'stopped' });
    if (this.isLastTry) this.lastingFailure = { problem: temporary, registry };
    else if (retryAfter !== null && retryAfter > maxRetryAfter)
      throw this.interrupt({ kind: 'pause', problem: temporary });
    else throw this.interrupt({ kind: 'delay', code, retryAfter });
  }

  /** Returns the error to throw. A pause outweighs a delay, and both outweigh a stop, which may only follow from them. */
  private interrupt(interruption: Interruption): RowInterruptedError {
    const weight = { stopped: 0, delay: 1, pause: 2 } as const;
    if (this.interruption === null || weight[interruption.kind] > weight[this.interruption.kind])
      this.interruption = interruption;
    return new RowInterruptedError(interruption.kind);
  }
}
