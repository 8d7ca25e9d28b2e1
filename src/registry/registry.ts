import DataLoader from 'dataloader';
import { type Answer, notSent, type Outcome } from './answer';
import type { Asking, RegistryClient } from './client';
import type { AnyEndpoint, Endpoint } from './endpoint';
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
  private readonly loaders = new Map<AnyEndpoint, DataLoader<unknown, Answer<unknown>, string>>();
  private readonly reported = new WeakSet<Answer<unknown>>();
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
    return this.loader(endpoint).load(question) as Promise<Answer<Payload>>;
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

  private loader(endpoint: AnyEndpoint): DataLoader<unknown, Answer<unknown>, string> {
    const known = this.loaders.get(endpoint);
    if (known !== undefined) return known;
    // No endpoint takes several keys, so a batch would only make each key wait for the slowest.
    const loader = new DataLoader<unknown, Answer<unknown>, string>(
      (questions) => Promise.all(questions.map((question) => this.answer(endpoint, question))),
      { batch: false, cacheKeyFn: (question) => keyOf(endpoint, question) },
    );
    this.loaders.set(endpoint, loader);
    return loader;
  }

  private async answer(endpoint: AnyEndpoint, question: unknown): Promise<Answer<unknown>> {
    this.units.asked = true;
    const { client, asking, replay } = this;
    if (asking.caller.bearer === null) return client.ask(endpoint, question, asking);
    if (!this.mayAsk(endpoint)) return this.forbidden(endpoint);
    const key = `${this.partition} ${endpoint.name} ${keyOf(endpoint, question)}`;
    const started = performance.now();
    let shared = replay.find(key, asking.gone);
    while (shared !== undefined) {
      const theirs = await shared;
      if (theirs !== null) {
        const answer = replayed(theirs);
        this.units.replay(this.priceOf(endpoint), answer, performance.now() - started);
        return answer;
      }
      shared = replay.find(key, asking.gone);
    }
    return this.withinBudget(endpoint, () =>
      replay.put(key, endpoint, asking.gone, (gone) => client.ask(endpoint, question, { ...asking, gone })),
    );
  }

  private async withinBudget<Payload>(
    endpoint: AnyEndpoint,
    ask: () => Promise<Answer<Payload>>,
  ): Promise<Answer<Payload>> {
    const price = this.priceOf(endpoint);
    const address = this.address(endpoint);
    if (!this.units.reserve(price)) {
      this.units.refuse('NOT_RUN');
      const problems = [problem('UNIT_BUDGET_EXCEEDED')];
      return { outcome: 'NOT_RUN', payload: null, evidence: notSent(address), problems, bytes: 0 };
    }
    const started = performance.now();
    try {
      const answer = await ask();
      this.units.settle(price, answer, performance.now() - started);
      return answer;
    } catch (error) {
      this.units.turnedAway(price, address, performance.now() - started);
      throw error;
    }
  }

  /** Where this server holds the token, it also judges who may use which of the token's permissions. */
  private mayAsk({ permission }: AnyEndpoint): boolean {
    const { bearer, permissions } = this.asking.caller;
    return bearer === null || permissions === null || permission === null || permissions.has(permission);
  }

  private forbidden(endpoint: AnyEndpoint): Answer<never> {
    this.units.refuse('NOT_PERMITTED');
    const message = `The caller lacks the permission \`${endpoint.permission}\`.`;
    const problems = [problem('MISSING_PERMISSION', { message })];
    return { outcome: 'NOT_PERMITTED', payload: null, evidence: notSent(this.address(endpoint)), problems, bytes: 0 };
  }

  private priceOf(endpoint: AnyEndpoint): number {
    return this.asking.caller.sandbox ? 0 : endpoint.units;
  }
}
