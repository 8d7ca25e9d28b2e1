import type { Answer, AskedQuestion, Outcome } from '../../registry/answer/answer';
import type { Problem } from '../../registry/answer/problem';
import type { Availability } from '../../registry/client/availability';
import type { AnyEndpoint, Endpoint, Subject } from '../../registry/endpoint/endpoint';
import type { PriceList } from '../../registry/endpoint/price-list';
import type { FieldPath } from './units/field-path';

export interface RegistryDataSource {
  /** Whether questions are only counted, to compute a price. Then resolvers must have no other effects. */
  readonly isDryRun: boolean;
  readonly sandbox: boolean;
  /** The price list with which the request began. */
  readonly prices: PriceList;
  address(endpoint: AnyEndpoint): string;
  /** Returns whether the endpoint answers, as this process has seen it. Makes no call. */
  availability(endpoint: AnyEndpoint): Availability;
  /** Returns the answer to a question. Fields that ask the same question share it. `path` is the path of the asking field. */
  fetch<Question, Payload>(
    endpoint: Endpoint<Question, Payload>,
    question: Question,
    path?: FieldPath | null,
  ): Promise<Answer<Payload>>;
  /** Returns an answer that was paid for, without a call: a kept one, or if `canReplay` also one that can be replayed. Undefined without one. */
  findPaid?<Question, Payload>(
    endpoint: Endpoint<Question, Payload>,
    question: Question,
    canReplay: boolean,
  ): Promise<Answer<Payload> | undefined>;
  /** Whether a paid answer is kept for later requests, by its `ledgerId`. Null if the request did not ask for it. */
  isKept?(ledgerId: string): Promise<boolean | null>;
  /** Sends a question whose answer is never shared, because it must be verified each time. */
  fetchUncached<Question, Payload>(
    endpoint: Endpoint<Question, Payload>,
    question: Question,
    path?: FieldPath | null,
  ): Promise<Answer<Payload>>;
  /**
   * Checks whether the caller may use an endpoint, before any other work for a question. Returns null, or the refusal as an answer.
   * Throws if the caller has no token.
   */
  checkAccess(endpoint: AnyEndpoint): Answer<never> | null;
  /** Returns the refusal of an endpoint that the caller may not use, or null. Unlike `checkAccess`, records nothing. */
  findRefusal?(endpoint: AnyEndpoint): Answer<never> | null;
  recordRejection(outcome: Outcome, problems: readonly Problem[]): void;
  /** Records the limit of a batch that would be started. Only a dry run records it. `maxUnits` is null if the limit is unknown. */
  recordBatch?(field: string, id: string, maxUnits: number | null): void;
  /** Adds problems that a field found in an answer to those of its row. Only the rows of a batch collect problems. */
  noteProblems?(problems: readonly Problem[]): void;
  /**
   * Links the entries of answers about one person to the identifiers in `together`, which these answers have shown to be the same person's.
   * `isOpen`: nothing shows or denies that the others are, so a search only counts their entries.
   */
  linkPerson?(asked: readonly AskedQuestion[], together: readonly Subject[], isOpen: boolean): void;
  /** Records in the ledger what the asker found in an answer, for its case only: others may share the answer. */
  recordProblem?(endpoint: AnyEndpoint, question: unknown, answer: Answer<unknown>, problem: Problem): void;
  /** Returns the answer as one field shows it. The first field reports its cost, the others report none. */
  attributeCost<Payload>(endpoint: AnyEndpoint, answer: Answer<Payload>): Answer<Payload>;
}
