import { type Problem, problem } from '../registry/answer/problem';
import { requireBearer } from '../registry/client/client';
import type { Subject } from '../registry/endpoint/endpoint';
import type { Batch, BatchState, RejectedRow, RowState } from './batch';
import type { BatchDependencies } from './batch-dependencies';
import { createBatchLinks } from './batch-links';
import { allBatchesScope, namelessOwner, ownerOf, visibleOwner } from './batch-owner';
import type {
  BatchChange,
  BatchInput,
  BatchLinks,
  BatchRequest,
  BatchView,
  CallerBatches,
  RetryScope,
  RowPage,
} from './batches';
import { batchNotFound, findRunProblem, findStartProblem, wrongState } from './change-problems';
import { BatchCreation } from './creation/batch-creation';
import { readRowPage } from './results/row-page';
import { type OpenBatch, openBatch } from './run/open-batch';
import { BatchStore } from './storage/batch-store';
import { eraseBatch, eraseSubjectRows } from './storage/erase';
import { RowStore } from './storage/row-store';
import type { RunStart } from './storage/run-start';

/** The batches of an account that a caller may access. */
export class AccountBatches implements CallerBatches {
  private readonly batches: BatchStore;
  private readonly creation: BatchCreation;
  /** Names of the account, one per key of `DATA_KEYS`, newest first. A batch has the name that was current when it was created. */
  private readonly accounts: readonly string[];
  /** Owner whose batches the caller may access, or null for all batches of the account. */
  private readonly visible: string | null;
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

  findProblem(input: BatchInput): Promise<Problem | null> {
    return this.creation.findProblem(input);
  }

  async create(input: BatchInput): Promise<BatchChange> {
    const created = await this.creation.create(input);
    void this.dependencies.worker.wake();
    if ('problem' in created) return { view: null, problems: [created.problem] };
    return { view: await this.get(created.id), problems: created.problems };
  }

  async start(id: string, maxUnits: number): Promise<BatchChange> {
    return this.change(id, ['READY'], async (open) => {
      const startProblem = findStartProblem(open.batch, this.request, this.dependencies);
      return startProblem ?? this.run(open, maxUnits, (start) => this.batches.run(id, 'READY', maxUnits, start));
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
      this.dependencies.tokens.deleteIf(id, () => this.batches.cancel(id)),
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
    await this.dependencies.tokens.deleteIf(id, async () => {
      await eraseBatch(this.dependencies.store, id);
      return true;
    });
    void this.dependencies.worker.wake();
    return { view: await this.get(id), problems: [] };
  }

  eraseSubject(subjects: readonly Subject[]): Promise<number> {
    const hashes = subjects.flatMap((subject) => this.dependencies.subjects.hashes(subject));
    return eraseSubjectRows(this.dependencies.store, this.accounts, hashes);
  }

  async get(id: string): Promise<BatchView | null> {
    const batch = await this.find(id);
    return batch === null ? null : this.toView(batch);
  }

  findStartProblem({ batch, header }: BatchView): Problem | null {
    if (batch.state !== 'READY' || header === null) return null;
    return findStartProblem(batch, this.request, this.dependencies);
  }

  scopeFor({ batch }: BatchView): 'padron_batch' | typeof allBatchesScope {
    return batch.owner === ownerOf(this.request) ? 'padron_batch' : allBatchesScope;
  }

  async list(state: BatchState | null, count: number, after: string | null): Promise<readonly BatchView[]> {
    const found = await this.batches.list(this.accounts, this.visible, state, count, after);
    return found.map((batch) => this.toView(batch));
  }

  async rows({ batch }: BatchView, state: RowState | null, count: number, after: number): Promise<RowPage | null> {
    const open = openBatch(this.dependencies.ring, batch);
    if (open === null) return { rows: [], next: null };
    return readRowPage(
      new RowStore(this.dependencies.store, batch.id, open.key),
      this.request.rowBytes,
      state ?? 'ACCEPTED',
      count,
      after,
    );
  }

  rejectedRows({ batch }: BatchView): readonly RejectedRow[] {
    const open = openBatch(this.dependencies.ring, batch);
    if (open === null || batch.rejected === null) return [];
    return JSON.parse(open.key.open(`${batch.id} rejected`, batch.rejected).toString());
  }

  links(id: string): BatchLinks | null {
    const { origin } = this.request;
    return origin === null ? null : createBatchLinks(this.dependencies.links, id, origin);
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
    const { tokens, worker } = this.dependencies;
    const { caller, client, rowUnits } = this.request;
    const runProblem = findRunProblem(batch, this.request, this.dependencies);
    if (runProblem !== null) return runProblem;
    const token = caller.bearer ?? '';
    const sealed = batch.usesServerToken ? null : tokens.seal(batch.id, key, token);
    const holder = batch.usesServerToken || sealed !== null ? null : worker.id;
    const permissions = caller.permissions && [...caller.permissions];
    const start = (): Promise<boolean> => begin({ token: sealed, holder, rowUnits, client, permissions });
    const began = await (holder === null ? start() : tokens.hold(batch.id, token, start));
    if (began) await this.batches.end(batch.id);
    return began;
  }

  private async find(id: string): Promise<Batch | null> {
    const batch = await this.batches.get(id);
    if (batch === null || !this.accounts.includes(batch.account)) return null;
    return this.visible === null || batch.owner === this.visible ? batch : null;
  }

  private toView(batch: Batch): BatchView {
    return { batch, header: openBatch(this.dependencies.ring, batch)?.header ?? null };
  }
}
