import type { Answer, Outcome } from '../answer/answer';
import type { Problem } from '../answer/problem';
import type { AnyEndpoint, Endpoint } from '../endpoint/endpoint';
import type { FieldPath } from './field-path';

/** The registries as the resolvers of one request see them. */
export interface RegistryDataSource {
  /** Whether questions are only written down, to tell their price: nothing may be consumed then. */
  readonly isDryRun: boolean;
  /** Whether the service is asked in its sandbox mode, where nothing is charged. */
  readonly sandbox: boolean;
  /** Method and path of an endpoint as it is set up here. */
  address(endpoint: AnyEndpoint): string;
  /** The answer to a question, shared by all that ask the same; `path` is the field that asks. */
  fetch<Question, Payload>(
    endpoint: Endpoint<Question, Payload>,
    question: Question,
    path?: FieldPath | null,
  ): Promise<Answer<Payload>>;
  /** An answer that was paid for and serves again, without asking; undefined where there is none, or none can be known. */
  findPaid?<Question, Payload>(
    endpoint: Endpoint<Question, Payload>,
    question: Question,
  ): Promise<Answer<Payload> | undefined>;
  /** Like `fetch`, but never shared: for what must be verified each time. */
  fetchUncached<Question, Payload>(
    endpoint: Endpoint<Question, Payload>,
    question: Question,
    path?: FieldPath | null,
  ): Promise<Answer<Payload>>;
  /**
   * Returns the refusal of an endpoint that this caller may not use, before a question takes any work, or null. Throws without a
   * token.
   */
  checkAccess(endpoint: AnyEndpoint): Answer<never> | null;
  /** Records a question that is not put, because of its input. */
  recordRejection(outcome: Outcome, problems: readonly Problem[]): void;
  /** Adds problems that a field found in an answer to those of its row. Only the rows of a batch have problems. */
  noteProblems?(problems: readonly Problem[]): void;
  /** The answer as one field shows it: the first that does reports its cost, the others none. */
  attributeCost<Payload>(endpoint: AnyEndpoint, answer: Answer<Payload>): Answer<Payload>;
}
