import { type Answer, type Outcome, UnauthenticatedError, unsentAnswer } from '../../registry/answer/answer';
import { type Problem, problem } from '../../registry/answer/problem';
import type { AnyEndpoint, Endpoint } from '../../registry/endpoint/endpoint';
import type { RegistryDataSource } from '../../registry/questions/data-source';
import type { FieldPath } from '../../registry/questions/field-path';
import { QuestionRunner } from '../../registry/questions/question-runner';
import { BatchAnswerStore } from './batch-answer-store';
import type { Exhausted, Interruption, RowServices } from './row-services';
import { RowUnits } from './row-units';
import { isAccountProblem, isReleased } from './temporary-failure';

/** Fails the fields of a row that is interrupted. The row runs again later. */
class RowInterruptedError extends Error {}

/** Seconds. A longer wait means that the quota of a day or a month is used up. */
const maxRetryAfter = 600;

/** The registries as one row of a batch asks them. */
export class BatchDataSource implements RegistryDataSource {
  readonly isDryRun = false;
  readonly sandbox: boolean;
  readonly units: RowUnits;
  /** Hashes of the persons and employers that its questions are about. */
  readonly subjects = new Set<string>();
  interruption: Interruption | null = null;
  /** The failure that might have passed, but did not in all tries of the row. */
  exhausted: Exhausted | null = null;
  private readonly runner: QuestionRunner;

  /** `isLastTry`: the row takes a temporary failure as its answer. */
  constructor(
    private readonly services: RowServices,
    row: number,
    private readonly isLastTry: boolean,
  ) {
    const { answers, calls, scope, waiting, partition, ledger } = services;
    const { client } = answers;
    this.sandbox = scope.caller.sandbox;
    this.units = new RowUnits(row, services.rowUnits, services.observer);
    const store = new BatchAnswerStore(answers, this.units);
    const { units } = this;
    this.runner = new QuestionRunner({ client, calls, store, scope, waiting, units, ledger, partition });
  }

  address(endpoint: AnyEndpoint): string {
    return this.services.answers.client.address(endpoint);
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
      if (isReleased(answer)) this.checkInterruption(endpoint, answer);
      return answer;
    } catch (error) {
      if (error instanceof UnauthenticatedError) throw this.interrupt({ kind: 'pause', code: 'TOKEN_REFUSED' });
      throw error;
    }
  }

  /** Refuses the call. Unshared calls verify secrets, and a batch has none. */
  async fetchUncached<Question, Payload>(endpoint: Endpoint<Question, Payload>): Promise<Answer<Payload>> {
    return this.barred(endpoint);
  }

  checkAccess(endpoint: AnyEndpoint): Answer<never> | null {
    const refusal = this.runner.checkAccess(endpoint);
    if (refusal !== null) return refusal;
    return endpoint.batch || this.services.anyEndpoint ? null : this.barred(endpoint);
  }

  recordRejection(_outcome: Outcome, problems: readonly Problem[]): void {
    this.units.hasFailed = true;
    this.noteProblems(problems);
  }

  noteProblems(problems: readonly Problem[]): void {
    this.units.noteProblems(problems);
  }

  attributeCost<Payload>(endpoint: AnyEndpoint, answer: Answer<Payload>): Answer<Payload> {
    return this.runner.attributeCost(endpoint, answer);
  }

  private barred(endpoint: AnyEndpoint): Answer<never> {
    return unsentAnswer('NOT_PERMITTED', this.address(endpoint), [problem('NOT_IN_BATCH')]);
  }

  /** Throws if the row has to wait, because of this answer. */
  private checkInterruption({ registry }: AnyEndpoint, { problems }: Answer<unknown>): void {
    const account = problems.find(({ code }) => isAccountProblem(code));
    if (account !== undefined && !this.isLastTry) throw this.interrupt({ kind: 'pause', code: account.code });
    const passing = problems.find(({ retryable }) => retryable);
    if (passing === undefined) return;
    const { code, retryAfter } = passing;
    // The batch does not run any more, or this process is stopping. The question was not sent.
    if (code === 'CALLER_GONE') throw this.interrupt({ kind: 'stopped' });
    if (this.isLastTry) this.exhausted = { code, registry };
    else if (retryAfter !== null && retryAfter > maxRetryAfter) throw this.interrupt({ kind: 'pause', code });
    else throw this.interrupt({ kind: 'delay', code, retryAfter });
  }

  /** A pause outweighs a delay, and both outweigh a stop that only follows from them. */
  private interrupt(interruption: Interruption): RowInterruptedError {
    const weight = { stopped: 0, delay: 1, pause: 2 } as const;
    if (this.interruption === null || weight[interruption.kind] > weight[this.interruption.kind])
      this.interruption = interruption;
    return new RowInterruptedError(interruption.kind);
  }
}
