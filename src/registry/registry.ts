import { type Answer, notAsked, type Outcome } from './answer';
import type { Asking, RegistryClient } from './client';
import type { AnyEndpoint, Endpoint, WireInput } from './endpoint';
import { type Problem, problem } from './problem';
import { keyOf } from './question-key';
import { Rehearsal } from './rehearsal';
import { type Replay, replayed } from './replay';
import type { Units } from './units';

/** The registries as the resolvers of one request see them. */
export interface Registries {
  /** Whether questions are only written down, to tell their price: nothing may be consumed then. */
  readonly rehearsing: boolean;
  /** Method and path of an endpoint as it is set up here. */
  address(endpoint: AnyEndpoint): string;
  /** The answer to a question, shared by all that ask the same. */
  ask<Question, Payload>(endpoint: Endpoint<Question, Payload>, question: Question): Promise<Answer<Payload>>;
  /** Like `ask`, but never shared: for what must be verified each time. */
  askAnew<Question, Payload>(endpoint: Endpoint<Question, Payload>, question: Question): Promise<Answer<Payload>>;
  /** Told of a question that is not put, because of its input. */
  noteRefusal(outcome: Outcome, problems: readonly Problem[]): void;
  /** Registries that only write down what they are asked, for this caller. */
  rehearsal(): Rehearsal;
  /** The answer as one field shows it: the first that does reports its cost, the others none. */
  report<Payload>(endpoint: AnyEndpoint, answer: Answer<Payload>): Answer<Payload>;
}

/** The registries as one GraphQL request asks them: each question once, within its budget, and never what was just answered. */
export class Registry implements Registries {
  readonly rehearsing = false;
  /** What has been asked, by its key: within a request a failure is shared like any answer. */
  private readonly asked = new Map<string, Promise<Answer<unknown>>>();
  private readonly reported = new Set<Answer<unknown>>();
  private readonly partition: string;

  constructor(
    private readonly client: RegistryClient,
    private readonly replay: Replay,
    private readonly asking: Asking,
    readonly units: Units,
  ) {
    const { account, sandbox } = asking.caller;
    this.partition = `${account} ${sandbox ? 'sandbox' : 'live'}`;
  }

  address(endpoint: AnyEndpoint): string {
    return this.client.address(endpoint);
  }

  ask<Question, Payload>(endpoint: Endpoint<Question, Payload>, question: Question): Promise<Answer<Payload>> {
    const input = endpoint.wire(question);
    const key = `${this.partition} ${endpoint.name} ${keyOf(endpoint, question, input)}`;
    let answer = this.asked.get(key);
    if (answer === undefined) {
      answer = this.answer(key, endpoint, question, input);
      this.asked.set(key, answer);
    }
    return answer as Promise<Answer<Payload>>;
  }

  askAnew<Question, Payload>(endpoint: Endpoint<Question, Payload>, question: Question): Promise<Answer<Payload>> {
    this.units.asked = true;
    if (!this.mayAsk(endpoint)) return Promise.resolve(this.forbidden(endpoint));
    return this.withinBudget(endpoint, () => this.client.ask(endpoint, question, this.asking));
  }

  noteRefusal(outcome: Outcome): void {
    this.units.refuse(outcome);
  }

  rehearsal(): Rehearsal {
    return new Rehearsal(this, this.asking.caller.sandbox);
  }

  report<Payload>(endpoint: AnyEndpoint, answer: Answer<Payload>): Answer<Payload> {
    if (!this.reported.has(answer)) {
      this.reported.add(answer);
      return answer;
    }
    this.units.save(this.priceOf(endpoint), answer);
    return replayed(answer);
  }

  private answer(key: string, endpoint: AnyEndpoint, question: unknown, input: WireInput): Promise<Answer<unknown>> {
    this.units.asked = true;
    const { client, replay } = this;
    const { caller, request, gone } = this.asking;
    if (caller.bearer === null) return client.ask(endpoint, question, this.asking);
    if (!this.mayAsk(endpoint)) return Promise.resolve(this.forbidden(endpoint));
    const buy = () =>
      this.withinBudget(endpoint, () =>
        replay.put(key, endpoint, gone, (gone) => client.ask(endpoint, question, { caller, request, gone }, input)),
      );
    const shared = replay.find(key, gone);
    return shared === undefined ? buy() : this.share(key, endpoint, shared, buy);
  }

  /** Takes an answer that others have bought, or else buys it. */
  private async share(
    key: string,
    endpoint: AnyEndpoint,
    first: ReturnType<Replay['find']>,
    buy: () => Promise<Answer<unknown>>,
  ): Promise<Answer<unknown>> {
    const started = performance.now();
    for (let shared = first; shared !== undefined; shared = this.replay.find(key, this.asking.gone)) {
      const theirs = await shared;
      if (theirs === null) continue;
      const answer = replayed(theirs);
      this.units.replay(this.priceOf(endpoint), answer, performance.now() - started);
      return answer;
    }
    return buy();
  }

  private withinBudget<Payload>(endpoint: AnyEndpoint, ask: () => Promise<Answer<Payload>>): Promise<Answer<Payload>> {
    const price = this.priceOf(endpoint);
    if (!this.units.reserve(price)) {
      this.units.refuse('NOT_RUN');
      return Promise.resolve(notAsked('NOT_RUN', this.address(endpoint), [problem('UNIT_BUDGET_EXCEEDED')]));
    }
    const started = performance.now();
    return ask().then(
      (answer) => {
        this.units.settle(price, answer, performance.now() - started);
        return answer;
      },
      (error: unknown) => {
        this.units.turnedAway(price, this.address(endpoint), performance.now() - started);
        throw error;
      },
    );
  }

  /** Where this server holds the token, it also judges who may use which of the token's permissions. */
  private mayAsk({ permission }: AnyEndpoint): boolean {
    const { bearer, permissions } = this.asking.caller;
    return bearer === null || permissions === null || permission === null || permissions.has(permission);
  }

  private forbidden(endpoint: AnyEndpoint): Answer<never> {
    this.units.refuse('NOT_PERMITTED');
    const message = `The caller lacks the permission \`${endpoint.permission}\`.`;
    return notAsked('NOT_PERMITTED', this.address(endpoint), [problem('MISSING_PERMISSION', { message })]);
  }

  private priceOf(endpoint: AnyEndpoint): number {
    return this.asking.caller.sandbox ? 0 : endpoint.units;
  }
}
