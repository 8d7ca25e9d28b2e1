import type { Reuse } from '../../../money/answers/shared-answer';
import type { RegistryDataSource } from '../../../money/calls/data-source';
import type { KeptAnswers } from '../../../money/operations/kept-answers';
import type { ReadableOperation } from '../../../money/operations/lasting-operations';
import type { Caller } from '../../../registry/caller';
import { type AnyEndpoint, cacheKey } from '../../../registry/endpoint/endpoint';
import type { EarlierQuestions } from '../batch';
import { createRequestScope, type OpenBatch } from '../open-batch';
import type { OperationReader } from '../operation';

/** Returns the operations of these batches, or none if the batch says how old an answer may be, and the operator no longer allows any age. */
export function readableOperations(
  { header }: OpenBatch,
  earlier: readonly (OpenBatch | null)[],
  operations: OperationReader,
): readonly ReadableOperation[] {
  if (header.maxAge !== null && operations.maxAgeOf(header.maxAge) === null) return [];
  return earlier.flatMap((open) => (open === null ? [] : [{ id: open.batch.id, key: open.key }]));
}

/** Finds the answers to the questions of a batch that earlier batches keep, and remembers which it has found. */
export class EarlierAnswers {
  /** IDs of the batches by the distinct questions that they have answered. */
  private readonly found = new Map<string, string>();
  private latest = 0;
  private readonly caller: Caller;
  private readonly reuse: Reuse | null;

  constructor(
    { batch }: OpenBatch,
    private readonly earlier: readonly ReadableOperation[],
    private readonly kept: Pick<KeptAnswers, 'findEarlier'>,
    maxAgeMs: number | null,
  ) {
    this.caller = createRequestScope(batch, '', new AbortController().signal).caller;
    this.reuse = maxAgeMs === null ? null : { maxAgeMs, purpose: batch.purpose, operationId: null };
  }

  readonly find: NonNullable<RegistryDataSource['findPaid']> = async (endpoint, question) => {
    const { caller, reuse } = this;
    const asked = {
      endpoint: endpoint as AnyEndpoint,
      question,
      cacheKey: cacheKey(endpoint, question),
      caller,
      reuse,
    };
    const unused = { key: '', price: endpoint.units, lasting: null, joined: [] };
    const answer = await this.kept.findEarlier(this.earlier, { ...asked, ...unused });
    if (answer === undefined || endpoint.units === 0) return undefined;
    this.found.set(`${endpoint.name} ${asked.cacheKey}`, answer.operation);
    this.latest = Math.max(this.latest, answer.answer.evidence.checkedAt?.getTime() ?? 0);
    return answer.answer as never;
  };

  /** Returns what was found, or null if nothing was. `estimate` is the price of the batch if it uses the answers. */
  summary(estimate: EarlierQuestions['estimate']): EarlierQuestions | null {
    const { found, latest } = this;
    if (found.size === 0) return null;
    const batches = [...new Set(found.values())];
    return { count: found.size, latest: new Date(latest).toISOString(), batches, estimate };
  }
}
