import { type Answer, type Outcome, unsentAnswer } from '../../registry/answer/answer';
import type { Problem } from '../../registry/answer/problem';
import type { Availability } from '../../registry/client/availability';
import { type RegistryClient, type RequestScope, requireBearer } from '../../registry/client/client';
import { inLookupSpan } from '../../registry/client/tracing';
import type { AnyEndpoint, Endpoint } from '../../registry/endpoint/endpoint';
import type { CallerWindow } from '../answers/early-answers';
import { WaitingRequest } from '../answers/in-flight-calls';
import { isPart } from '../operations/lasting-operations';
import type { UnitMeter } from '../units/unit-meter';
import type { CallOrigin, PayerCalls } from './call';
import type { Calls } from './calls';
import type { FieldPath, RegistryDataSource } from './data-source';
import { QuestionRunner } from './question-runner';
import type { ResponseDeadline } from './response-deadline';

/** Maximum answers that an estimate looks up. Each lookup may be a statement of the store that processes share. */
const maxStoreLookups = 1_000;

const noOrigin: CallOrigin = {
  client: null,
  holder: null,
  tag: null,
  purpose: null,
  actor: null,
  reference: null,
  operation: () => null,
  requestId: null,
  batchId: null,
};

export class LiveDataSource implements RegistryDataSource {
  readonly isDryRun = false;
  readonly sandbox: boolean;
  readonly payerCalls: PayerCalls;
  private readonly client: RegistryClient;
  /** Null for a row, which sends no response early. */
  private readonly window: CallerWindow | null;
  private readonly runner: QuestionRunner;
  private storeLookups = 0;

  constructor(
    private readonly calls: Calls,
    private readonly scope: RequestScope,
    readonly units: UnitMeter,
    origin: CallOrigin = noOrigin,
    deadline: ResponseDeadline | null = null,
    lastingNames: readonly string[] = [],
  ) {
    const { inFlight, early, memory } = calls;
    const { client, timeoutMs } = calls.options;
    this.client = client;
    this.sandbox = scope.caller.sandbox;
    this.window = isPart(units.lasting) ? null : early.of(scope.caller, origin.holder);
    this.payerCalls = calls.of({ caller: scope.caller, origin, units, lastingNames });
    const waiting = new WaitingRequest(scope.signal);
    const { payerCalls, window } = this;
    this.runner = new QuestionRunner({
      client,
      memory,
      inFlight,
      payerCalls,
      scope,
      waiting,
      units,
      deadline,
      window,
      timeoutMs,
    });
  }

  address(endpoint: AnyEndpoint): string {
    return this.client.address(endpoint);
  }

  availability(endpoint: AnyEndpoint): Availability {
    return this.client.availability(endpoint, this.scope.caller);
  }

  fetch<Question, Payload>(
    endpoint: Endpoint<Question, Payload>,
    question: Question,
    path: FieldPath | null = null,
  ): Promise<Answer<Payload>> {
    this.units.observer?.recordQuestion?.(endpoint, question);
    return this.runner.fetch(endpoint, question, path);
  }

  findKept<Question, Payload>(
    endpoint: Endpoint<Question, Payload>,
    question: Question,
  ): Promise<Answer<Payload> | undefined> | undefined {
    if (this.units.lasting === null || this.runner.checkAccess(endpoint) !== null) return undefined;
    const kept = this.payerCalls.findKept(this.runner.toPending(endpoint, question, null));
    return kept.then((found) => found?.answer as Answer<Payload> | undefined);
  }

  async findPaid<Question, Payload>(
    endpoint: Endpoint<Question, Payload>,
    question: Question,
  ): Promise<Answer<Payload> | undefined> {
    if (this.runner.checkAccess(endpoint) !== null || this.scope.caller.bearer === null) return undefined;
    const { memory, inFlight } = this.calls;
    const pending = this.runner.toPending(endpoint, question, null);
    let answer = memory.get(pending) ?? this.window?.find(pending)?.answer;
    // The price of a running call is counted by the request that sent it.
    if (answer === undefined && inFlight.has(pending)) answer = unsentAnswer('NOT_RUN', this.address(endpoint), []);
    if (answer === undefined && this.storeLookups < maxStoreLookups) {
      this.storeLookups += 1;
      answer = await this.calls.find(pending);
    }
    return answer as Answer<Payload> | undefined;
  }

  async fetchUncached<Question, Payload>(
    endpoint: Endpoint<Question, Payload>,
    question: Question,
    path: FieldPath | null = null,
  ): Promise<Answer<Payload>> {
    const refusal = this.runner.checkAccess(endpoint);
    if (refusal !== null) {
      this.units.recordRefusal(refusal);
      return refusal;
    }
    const price = this.runner.priceOf(endpoint);
    const unshared = { endpoint, question, input: endpoint.toWire(question), price, path };
    const answer: Answer<unknown> = await inLookupSpan(this.address(endpoint), () =>
      this.runner.sendUnshared(unshared),
    );
    return answer as Answer<Payload>;
  }

  checkAccess(endpoint: AnyEndpoint): Answer<never> | null {
    requireBearer(this.scope.caller);
    const refusal = this.runner.checkAccess(endpoint);
    if (refusal !== null) this.units.recordRefusal(refusal);
    return refusal;
  }

  findRefusal(endpoint: AnyEndpoint): Answer<never> | null {
    return this.runner.checkAccess(endpoint);
  }

  recordRejection(outcome: Outcome, problems: readonly Problem[]): void {
    this.units.recordRejection(outcome, problems);
  }

  noteProblems(problems: readonly Problem[]): void {
    this.units.observer?.noteProblems?.(problems);
  }

  recordProblem(endpoint: AnyEndpoint, question: unknown, answer: Answer<unknown>, { code }: Problem): void {
    this.runner.recordProblem(endpoint, question, answer, code);
  }

  attributeCost<Payload>(endpoint: AnyEndpoint, answer: Answer<Payload>): Answer<Payload> {
    return this.runner.attributeCost(endpoint, answer);
  }
}
