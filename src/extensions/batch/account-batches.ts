import { moneyCodes } from '../../money/codes';
import { type Problem, problem } from '../../registry/answer/problem';
import { namelessOwner, ownerOf } from '../../registry/caller';
import { requireBearer } from '../../registry/client/client';
import type { Subject } from '../../registry/endpoint/endpoint';
import type { Batch, BatchState, EarlierChoice, RefusedRow, RetryScope } from './batch';
import { allBatchesScope, type BatchLinks, createBatchLinks, findMissingScopes, visibleOwner } from './batch-access';
import { BatchCreation } from './batch-creation';
import type { BatchChange, BatchDependencies, BatchInput, BatchRequest, BatchView, RowPage } from './batches';
import { batchCodes } from './codes';
import { type OpenBatch, openBatch } from './open-batch';
import { readRowPage } from './results/row-chunks';
import { explainEarlier } from './run/earlier-answers';
import { exceedsCeiling, rowTooExpensive } from './run/row-ceiling';
import { BatchStore, type RunStart } from './storage/batch-store';
import { eraseBatch, eraseSubjectRows } from './storage/erase';
import { type RowFilter, RowStore } from './storage/row-store';

const purposeNotNamed = {
  message:
    'This batch was created without a purpose, which calls need now. Create a new batch with `purpose`. Answers of this batch are kept.',
  spanish:
    'Este lote se creó sin una finalidad, que ahora es obligatoria. Cree un lote nuevo con `purpose`. Las respuestas de este lote se conservan.',
};

const priceUnknown = {
  message:
    'The price of this batch cannot be determined: a row has too many calls, or this version of the graph cannot run the operation. Create a new batch that selects less.',
  spanish:
    'No se puede determinar el precio de este lote: una fila tiene demasiadas consultas, o esta versión del grafo no puede ejecutar la operación. Cree un lote nuevo que pida menos.',
};

const batchNotFound = (): BatchChange => ({ view: null, problems: [problem(batchCodes.BATCH_NOT_FOUND)] });

function wrongState(state: BatchState, wanted: readonly BatchState[]): Problem {
  return problem(batchCodes.BATCH_STATE, {
    message: `The batch is ${state}. This change is only possible in these states: ${wanted.join(', ')}.`,
    spanish: `El lote está en ${state}. Este cambio solo es posible en estos estados: ${wanted.join(', ')}.`,
  });
}

function notAllowedInBatch(addresses: readonly string[]): Problem {
  const list = addresses.join(', ');
  return problem(batchCodes.NOT_IN_BATCH, {
    message: `The service does not allow these endpoints in batches: ${list}.`,
    spanish: `El servicio no permite estas consultas en lotes: ${list}.`,
  });
}

function findStartProblem(batch: Batch, request: BatchRequest, dependencies: BatchDependencies): Problem | null {
  const { disallowedEndpoints, estimate } = batch;
  if (disallowedEndpoints.length > 0) return notAllowedInBatch(disallowedEndpoints);
  if (estimate === null) return problem(batchCodes.BATCH_STATE, priceUnknown);
  return findRunProblem(batch, request, dependencies);
}

function findRunProblem(
  batch: Batch,
  { caller, rowUnits }: BatchRequest,
  { scopeOf, purposes }: BatchDependencies,
): Problem | null {
  if (purposes.rule === 'required' && batch.purpose === null)
    return problem(moneyCodes.PURPOSE_MISSING, purposeNotNamed);
  const missing = findMissingScopes(caller, batch.estimate, scopeOf);
  if (missing !== null) return missing;
  return exceedsCeiling(batch, rowUnits) ? rowTooExpensive(batch, rowUnits) : null;
}

export class AccountBatches {
  private readonly batches: BatchStore;
  private readonly creation: BatchCreation;
  /** Names of the account, one per key of `DATA_KEYS`, newest first. A batch has the name that was current when it was created. */
  private readonly accounts: readonly string[];
  /** Owner whose batches the caller may access, or null for all batches of the account. */
  private readonly visible: string | null;
  /**
   * The scope that the caller needs to use batches, or null if it may use them. A JWT that names no client needs a scope,
   * because a batch belongs to a client.
   */
  readonly missingScope: string | null;

  constructor(
    private readonly dependencies: BatchDependencies,
    private readonly request: BatchRequest,
  ) {
    requireBearer(request.caller);
    this.batches = new BatchStore(dependencies.store);
    this.accounts = dependencies.accounts.namesOf(request.caller);
    this.visible = visibleOwner(request);
    this.missingScope = this.visible === namelessOwner ? allBatchesScope : null;
    this.creation = new BatchCreation(dependencies, this.batches, request, this.accounts);
  }

  /** Returns why this caller cannot create a batch from this input, or null if it can. Throws if the service rejects the caller's token. */
  findProblem(input: BatchInput): Promise<Problem | null> {
    return this.creation.findProblem(input);
  }

  async create(input: BatchInput): Promise<BatchChange> {
    const created = await this.creation.create(input);
    void this.dependencies.worker.wake();
    if ('problem' in created) return { view: null, problems: [created.problem] };
    return { view: await this.get(created.id), problems: created.problems };
  }

  async start(id: string, maxUnits: number, choice: EarlierChoice | null): Promise<BatchChange> {
    return this.change(id, ['READY'], async (open) => {
      const startProblem =
        findStartProblem(open.batch, this.request, this.dependencies) ??
        (choice === null ? await this.findEarlierProblem(open.batch) : null);
      const usesEarlier = choice === null ? null : choice === 'USE';
      return (
        startProblem ?? this.run(open, maxUnits, (start) => this.batches.run(id, 'READY', maxUnits, start, usesEarlier))
      );
    });
  }

  pause(id: string): Promise<BatchChange> {
    return this.change(id, ['RUNNING'], () => this.batches.pause(id, null));
  }

  async resume(id: string, maxUnits: number | null): Promise<BatchChange> {
    return this.change(id, ['PAUSED'], (open) =>
      this.run(open, maxUnits, (start) => this.batches.run(id, 'PAUSED', maxUnits, start)),
    );
  }

  cancel(id: string): Promise<BatchChange> {
    return this.change(id, ['WAITING_FOR_ROWS', 'PRICING', 'READY', 'RUNNING', 'PAUSED'], () =>
      this.batches.cancel(id),
    );
  }

  retry(id: string, scope: RetryScope, maxUnits: number): Promise<BatchChange> {
    return this.change(id, ['DONE', 'PAUSED'], (open) =>
      this.run(open, maxUnits, (start) => this.batches.retry(id, scope, maxUnits, start)),
    );
  }

  async erase(id: string): Promise<BatchChange> {
    const batch = await this.find(id);
    if (batch === null) return batchNotFound();
    await eraseBatch(this.dependencies.store, id);
    void this.dependencies.worker.wake();
    return { view: await this.get(id), problems: [] };
  }

  /** Returns the IDs of keys that this process lacks and that batches were stored with. It does not find the rows of a person in those. */
  missingKeys(): Promise<readonly string[]> {
    return this.batches.missingKeys(this.dependencies.ring);
  }

  eraseSubject(subjects: readonly Subject[]): Promise<number> {
    const hashes = subjects.flatMap((subject) => this.dependencies.subjects.hashes(subject));
    return eraseSubjectRows(this.dependencies.store, this.accounts, hashes);
  }

  async get(id: string): Promise<BatchView | null> {
    const batch = await this.find(id);
    return batch === null ? null : this.toView(batch);
  }

  /** Returns why this caller cannot start a batch although it is READY. Returns null if it can, and in every other state. */
  async findStartProblem({ batch, header }: BatchView): Promise<Problem | null> {
    if (batch.state !== 'READY' || header === null) return null;
    return findStartProblem(batch, this.request, this.dependencies) ?? this.findEarlierProblem(batch);
  }

  /** Returns a problem if the caller has to choose what to do with the answers of earlier batches. */
  private async findEarlierProblem(batch: Batch): Promise<Problem | null> {
    const { usesEarlier, estimate } = batch;
    if (usesEarlier !== null || !estimate?.earlier) return null;
    const batches = await this.earlierBatches({ batch });
    const { timeZone } = this.dependencies;
    return batches.length === 0 ? null : explainEarlier(estimate.earlier, batches, estimate, timeZone);
  }

  /** Returns the batches that have answered questions of a batch, without those that were erased since. */
  async earlierBatches({ batch }: Pick<BatchView, 'batch'>): Promise<readonly { id: string; name: string | null }[]> {
    const ids = batch.estimate?.earlier?.batches ?? [];
    const views = await Promise.all(ids.map((id) => this.get(id)));
    return views.flatMap((view) => (view?.header ? [{ id: view.batch.id, name: view.header.name }] : []));
  }

  scopeFor({ batch }: BatchView): 'padron_batch' | typeof allBatchesScope {
    return batch.owner === ownerOf(this.request) ? 'padron_batch' : allBatchesScope;
  }

  async list(state: BatchState | null, count: number, after: string | null): Promise<readonly BatchView[]> {
    const found = await this.batches.list(this.accounts, this.visible, state, count, after);
    return found.map((batch) => this.toView(batch));
  }

  /** Returns a page of rows, or null if the response may not contain another row. */
  async rows({ batch }: BatchView, filter: RowFilter, count: number, after: number): Promise<RowPage | null> {
    const open = openBatch(this.dependencies.ring, batch);
    if (open === null) return { rows: [], next: null };
    const rows = new RowStore(this.dependencies.store, batch.id, open.key);
    return readRowPage(rows, this.request.rowBytes, filter, count, after);
  }

  refusedRows({ batch }: BatchView): readonly RefusedRow[] {
    const open = openBatch(this.dependencies.ring, batch);
    if (open === null || batch.refused === null) return [];
    return JSON.parse(open.key.open(`${batch.id} refused`, batch.refused).toString());
  }

  links(view: BatchView): BatchLinks | null {
    const { origin, caller, client, actor } = this.request;
    const scope = caller.permissions === null ? null : this.scopeFor(view);
    const reader = { accounts: this.accounts.slice(0, 1), logAccount: caller.account, client, actor, scope };
    return origin === null ? null : createBatchLinks(this.dependencies.links, view.batch.id, origin, reader);
  }

  private async change(
    id: string,
    states: readonly BatchState[],
    change: (open: OpenBatch) => Promise<boolean | Problem>,
  ): Promise<BatchChange> {
    const batch = await this.find(id);
    if (batch === null) return batchNotFound();
    const open = openBatch(this.dependencies.ring, batch);
    const result = open === null || !states.includes(batch.state) ? false : await change(open);
    const view = await this.get(id);
    if (result === true) {
      void this.dependencies.worker.wake();
      return { view, problems: [] };
    }
    return { view, problems: [result === false ? wrongState(view?.batch.state ?? batch.state, states) : result] };
  }

  /** Lets the batch spend, with the token and the scopes of this caller. The ledger records the calls for its client. */
  private async run(
    { batch, key }: OpenBatch,
    maxUnits: number | null,
    begin: (start: RunStart) => Promise<boolean>,
  ): Promise<boolean | Problem> {
    if (maxUnits !== null && maxUnits < 0) return problem('OUT_OF_RANGE', { path: ['maxUnits'] });
    const { caller, client, actor, rowUnits } = this.request;
    const runProblem = findRunProblem(batch, this.request, this.dependencies);
    if (runProblem !== null) return runProblem;
    const token = batch.usesServerToken ? null : key.seal(`${batch.id} token`, caller.bearer ?? '');
    const permissions = caller.permissions && [...caller.permissions];
    const began = await begin({ token, rowUnits, client, permissions, actor });
    if (began) await this.batches.end(batch.id);
    return began;
  }

  private async find(id: string): Promise<Batch | null> {
    const batch = await this.batches.get(id);
    if (batch === null || !this.accounts.includes(batch.account)) return null;
    return this.visible === null || batch.owner === this.visible ? batch : null;
  }

  private toView(batch: Batch): BatchView {
    this.request.shownOperations.add(batch.id);
    return { batch, header: openBatch(this.dependencies.ring, batch)?.header ?? null };
  }
}
