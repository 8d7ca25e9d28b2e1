import type { AnswerStore } from '../answers/answer-store';
import type { CallerWindow } from '../answers/early-answers';
import type { WaitingRequest } from '../answers/in-flight-call';
import type { InFlightCalls } from '../answers/in-flight-calls';
import type { RegistryClient, RequestScope } from '../client/client';
import type { CallLedger } from './call-ledger';
import type { CallUnits } from './call-units';
import type { ResponseDeadline } from './response-deadline';

/** Dependencies of one asker: a request, or a row of a batch. */
export interface RunnerDependencies {
  readonly client: RegistryClient;
  readonly calls: InFlightCalls;
  readonly store: AnswerStore;
  readonly scope: RequestScope;
  readonly waiting: WaitingRequest;
  readonly units: CallUnits;
  readonly ledger: CallLedger | null;
  /** The time by which a request is answered. Null to wait for every answer. */
  readonly deadline: ResponseDeadline | null;
  /** Answers of the caller's early responses. Null for a row of a batch. */
  readonly window: CallerWindow | null;
  /** Prefix of the keys of all questions whose answers the asker may use. */
  readonly partition: string;
}
