import type { KeptAnswers } from '../../../money/answers/operations/kept-answers';
import type { EarlierOperations } from '../../../money/answers/operations/lasting-operations';
import type { AskedQuestion, Reuse } from '../../../money/answers/shared-answer';
import type { Calls } from '../../../money/calls/calls';
import type { RegistryDataSource } from '../../../money/calls/data-source';
import { PriceLookups } from '../../../money/calls/price-lookups';
import { type Problem, problem } from '../../../registry/answer/problem';
import type { RequestScope } from '../../../registry/client/client';
import { cacheKeys, exactKey } from '../../../registry/endpoint/endpoint';
import type { KeyRing } from '../../../store/key-ring';
import type { Batch, BatchEstimate, EarlierQuestions } from '../batch';
import { batchCodes } from '../codes';
import { type OpenBatch, openBatch } from '../open-batch';
import { enUnidades, inUnits } from './row-ceiling';

/** Returns the batches whose answers a batch may use. Null if none of them can be opened. */
export function openEarlier(ring: KeyRing, { header }: OpenBatch, batches: readonly Batch[]): EarlierOperations | null {
  const operations = batches.flatMap((batch) => {
    const open = openBatch(ring, batch);
    return open === null ? [] : [{ id: batch.id, key: open.key }];
  });
  return operations.length === 0 ? null : { operations, maxAgeMs: header.maxAgeMs };
}

/** Who asks the questions of a batch, and for which purpose. A price needs no token. */
export type BatchAsker = Pick<AskedQuestion, 'caller' | 'purpose'> & Pick<RequestScope, 'prices'>;

/** Finds the paid questions of a batch that earlier batches have answered, and remembers them. */
export class EarlierAnswers {
  /** IDs of the batches by the distinct questions that they have answered. */
  private readonly found = new Map<string, string>();
  private latest = 0;

  constructor(
    private readonly asker: BatchAsker,
    private readonly earlier: EarlierOperations,
    private readonly kept: KeptAnswers,
  ) {}

  readonly find: NonNullable<RegistryDataSource['findPaid']> = async (endpoint, question) => {
    const keys = cacheKeys(endpoint, question);
    const { caller, purpose, prices } = this.asker;
    const asked = { endpoint, question, cacheKeys: keys, caller, purpose };
    const earlier = prices.of(endpoint).units === 0 ? undefined : await this.kept.findEarlier(this.earlier, asked);
    if (earlier === undefined) return undefined;
    this.found.set(`${endpoint.name} ${exactKey(endpoint, keys)}`, earlier.operation);
    this.latest = Math.max(this.latest, earlier.at);
    return earlier.answer as never;
  };

  summary(): EarlierQuestions | null {
    const { found, latest } = this;
    const batches = [...new Set(found.values())];
    return found.size === 0 ? null : { count: found.size, latest: new Date(latest).toISOString(), batches };
  }
}

/** The rows of a batch that has not started keep no answers. */
const noOperation = { findKept: async () => undefined };

/** Finds the answers that the account keeps for the `maxAge` of a batch, without its token, and remembers their ledger entries. */
export class KeptForAge {
  readonly entries = new Set<string>();
  private readonly lookups: PriceLookups;

  constructor(
    private readonly asker: BatchAsker,
    private readonly reuse: Pick<Reuse, 'maxAgeMs' | 'accounts'>,
    calls: Calls,
  ) {
    this.lookups = new PriceLookups(calls, noOperation, null);
  }

  readonly find: NonNullable<RegistryDataSource['findPaid']> = async (endpoint, question) => {
    const { caller, purpose, prices } = this.asker;
    const { units: price } = prices.of(endpoint);
    // A price shows no answer that the caller may not ask for.
    if (price === 0 || caller.permissions?.has(endpoint.scope) === false) return undefined;
    const began = performance.now();
    const reuse = { ...this.reuse, purpose, operation: null, began };
    const asked = { endpoint, question, cacheKeys: cacheKeys(endpoint, question), caller, purpose, reuse };
    const found = await this.lookups.findPaid({ ...asked, key: '', price, lasting: null }, true, false);
    if (found?.evidence.ledgerId) this.entries.add(found.evidence.ledgerId);
    return found as never;
  };
}

/** Returns the problem of a batch whose caller has to choose: how many questions were answered, in which batches, when, and the prices. */
export function explainEarlier(
  { count, latest }: EarlierQuestions,
  batches: readonly { readonly id: string; readonly name: string | null }[],
  { reusing, estimatedUnits: unitsAgain }: BatchEstimate,
  timeZone: string,
): Problem {
  const names = batches.map(({ id, name }) => name ?? id).join(', ');
  const time = new Date(latest).toLocaleString('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  const [english, spanish] = count === 1 ? ['1 question', '1 consulta'] : [`${count} questions`, `${count} consultas`];
  const units = reusing?.estimatedUnits ?? unitsAgain;
  return problem(batchCodes.EARLIER_ANSWERS, {
    message: `Earlier batches (${names}) have answered ${english} of this batch, the latest on ${time}. Choose with \`earlierAnswers\`, or \`--earlier\` on the command line: use these answers (USE, \`use\`: ${inUnits(units)}) or ask again (PAY_AGAIN, \`pay\`: ${inUnits(unitsAgain)}).`,
    spanish: `Otros lotes (${names}) ya respondieron ${spanish} de este lote; la última, el ${time}. Elija con \`earlierAnswers\`, o \`--earlier\` en la línea de comandos: usar esas respuestas (USE, \`use\`: ${enUnidades(units)}) o consultar de nuevo (PAY_AGAIN, \`pay\`: ${enUnidades(unitsAgain)}).`,
  });
}
