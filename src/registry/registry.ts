import DataLoader from 'dataloader';
import type { Answer } from './answer';
import type { Asking, RegistryClient } from './client';
import type { AnyEndpoint, Endpoint } from './endpoint';

/** The registries as one GraphQL request sees them: the same question is put once, however many fields ask it. */
export class Registry {
  private readonly loaders = new Map<AnyEndpoint, DataLoader<unknown, Answer<unknown>, string>>();
  private readonly reported = new WeakSet<Answer<unknown>>();

  constructor(
    private readonly client: RegistryClient,
    private readonly asking: Asking,
  ) {}

  /** Method and path of an endpoint as it is set up here. */
  address(endpoint: AnyEndpoint): string {
    return this.client.address(endpoint);
  }

  /** The answer to a question, shared by all that ask the same in this request. */
  ask<Question, Payload>(endpoint: Endpoint<Question, Payload>, question: Question): Promise<Answer<Payload>> {
    return this.loader(endpoint).load(question) as Promise<Answer<Payload>>;
  }

  /** Like `ask`, but never shared: for what must be verified each time. */
  askAnew<Question, Payload>(endpoint: Endpoint<Question, Payload>, question: Question): Promise<Answer<Payload>> {
    return this.client.ask(endpoint, question, this.asking);
  }

  /** The answer as one field shows it: the first that does reports its cost, so that evidences never add up to more than was spent. */
  report<Payload>(answer: Answer<Payload>): Answer<Payload> {
    if (!this.reported.has(answer)) {
      this.reported.add(answer);
      return answer;
    }
    const { evidence } = answer;
    if (evidence.servedFrom !== 'LIVE') return answer;
    return { ...answer, evidence: { ...evidence, servedFrom: 'REPLAY', units: 0 } };
  }

  private loader(endpoint: AnyEndpoint): DataLoader<unknown, Answer<unknown>, string> {
    const known = this.loaders.get(endpoint);
    if (known !== undefined) return known;
    // No endpoint takes several keys, so a batch would only make each key wait for the slowest.
    const loader = new DataLoader<unknown, Answer<unknown>, string>(
      (questions) => Promise.all(questions.map((question) => this.client.ask(endpoint, question, this.asking))),
      { batch: false, cacheKeyFn: (question) => keyOf(endpoint, question) },
    );
    this.loaders.set(endpoint, loader);
    return loader;
  }
}

/** What makes two questions the same: all that travels, unless the endpoint says otherwise. */
function keyOf(endpoint: AnyEndpoint, question: unknown): string {
  return JSON.stringify(endpoint.identity?.(question) ?? endpoint.wire(question));
}
