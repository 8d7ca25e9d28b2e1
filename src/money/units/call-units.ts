import type { Answer } from '../../registry/answer/answer';
import type { Problem } from '../../registry/answer/problem';
import type { SharedAnswer } from '../answers/shared-answer';
import type { FieldPath } from '../calls/field-path';
import type { LastingOperation } from '../operations/lasting-operations';
import type { OperationBudget } from './operation-budgets';

export interface CallUnits {
  /** The operation that lasts which the calls belong to. */
  readonly lasting: LastingOperation | null;
  /** The budget of the operation that a request is part of. Null without one. */
  readonly operation: OperationBudget | null;
  readonly exceeded: Problem;
  canAfford(price: number): boolean;
  /** Reserves the price of a call before it is sent, so that parallel calls cannot overspend together. */
  reserve(price: number): boolean;
  release(price: number): void;
  recordCall(price: number, answer: Answer<unknown>, ms: number, path: FieldPath | null): void;
  recordUnauthenticated(price: number, endpoint: string, ms: number, path: FieldPath | null): void;
  /** Records an answer that was paid for before. Returns the answer marked as a replay. */
  recordShared(price: number, shared: SharedAnswer, ms: number, path: FieldPath | null): Answer<unknown>;
  /** Records the price that another field would have paid for the same answer. */
  recordSaving(price: number, answer: Answer<unknown>): void;
  /** Records a question that was not sent. `isCall` is true if a budget or the store refused its call. */
  recordRefusal(answer: Answer<unknown>, path: FieldPath | null, isCall?: boolean): void;
  recordLost(endpoint: string, units: number): void;
}
