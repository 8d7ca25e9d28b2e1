import { type Answer, notSent, type Outcome } from './answer';
import { type AnyEndpoint, type Endpoint, listMark, suppose } from './endpoint';
import { keyOf } from './question-key';
import type { Registries } from './registry';

/** An entry of a supposed list, as it stands within the key of a question. */
const supposedEntry = JSON.stringify(suppose(listMark)).slice(1, -1);

/**
 * Registries that are never asked: they write down each distinct question and suppose an answer, so that what follows from it
 * is counted too. Running an operation against them tells its price by the same code that will run it.
 */
export class Rehearsal implements Registries {
  readonly rehearsing = true;
  /** Distinct questions by endpoint. */
  readonly questions = new Map<AnyEndpoint, Set<string>>();
  /** False once a question hangs on the entries of a list whose length nobody knows before. */
  bounded = true;
  /** Questions that would not be put, because their input is wrong. */
  refusals = 0;
  /** How many distinct questions there are. */
  size = 0;
  private verifications = 0;

  constructor(
    private readonly live: Pick<Registries, 'address'>,
    private readonly sandbox: boolean,
  ) {}

  address(endpoint: AnyEndpoint): string {
    return this.live.address(endpoint);
  }

  async ask<Question, Payload>(endpoint: Endpoint<Question, Payload>, question: Question): Promise<Answer<Payload>> {
    // In sandbox mode endpoints outside /api are not asked.
    if (!this.sandbox || this.address(endpoint).includes(' /api/')) this.write(endpoint, keyOf(endpoint, question));
    const payload = endpoint.supposed?.(question) ?? null;
    const outcome = payload === null ? 'NOT_FOUND' : 'FOUND';
    return { outcome, payload, evidence: notSent(this.address(endpoint)), problems: [], bytes: 0 };
  }

  async askAnew<Question, Payload>(endpoint: Endpoint<Question, Payload>): Promise<Answer<Payload>> {
    this.verifications += 1;
    this.write(endpoint, `verification ${this.verifications}`);
    return { outcome: 'NOT_FOUND', payload: null, evidence: notSent(this.address(endpoint)), problems: [], bytes: 0 };
  }

  noteRefusal(outcome: Outcome): void {
    if (outcome === 'INVALID_INPUT') this.refusals += 1;
  }

  rehearsal(): Rehearsal {
    return new Rehearsal(this.live, this.sandbox);
  }

  priceOf(endpoint: AnyEndpoint): number {
    return this.sandbox ? 0 : endpoint.units;
  }

  report<Payload>(_endpoint: AnyEndpoint, answer: Answer<Payload>): Answer<Payload> {
    return answer;
  }

  private write(endpoint: AnyEndpoint, key: string): void {
    if (key.includes(supposedEntry)) this.bounded = false;
    const known = this.questions.get(endpoint) ?? new Set();
    this.questions.set(endpoint, known);
    if (known.has(key)) return;
    known.add(key);
    this.size += 1;
  }
}
