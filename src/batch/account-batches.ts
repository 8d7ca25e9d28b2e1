import { type Problem, problem } from '../registry/answer/problem';
import { requireBearer } from '../registry/client/client';
import type { Subject } from '../registry/endpoint/endpoint';
import type { Batch, BatchState, RefusedRow, RowState } from './batch';
import { BatchCreation } from './batch-creation';
import { batchPath, type LinkPurpose } from './batch-links';
import { allBatchesScope, findMissingScopes, namelessOwner, ownerOf, visibleOwner } from './batch-owner';
import type { BatchParts } from './batch-parts';
import type {
  BatchCaller,
  BatchChange,
  BatchInput,
  BatchLinks,
  BatchView,
  CallerBatches,
  RetryScope,
  RowPage,
} from './batches';
import { BatchStore, type RunStart } from './keep/batch-store';
import { eraseBatch, eraseSubjectRows } from './keep/erase';
import { RowStore } from './keep/row-store';
import { notFound, notInBatch, tokenStaysHere, wrongState } from './refused-changes';
import { readPage } from './results/row-page';
import { exceedsCeiling, rowTooExpensive } from './row-ceiling';
import { type OpenBatch, openBatch } from './run/open-batch';

/** The batches of one account that a caller may reach. */
export class AccountBatches implements CallerBatches {
  private readonly batches: BatchStore;
  private readonly creation: BatchCreation;
  /** The account's names, the newest first: the operator's keys may have changed since a batch was made. */
  private readonly accounts: readonly string[];
  /** The owner whose batches the caller reaches, or null for all of the account. */
  private readonly visible: string | null;
  readonly missingScope: string | null;

  constructor(
    private readonly parts: BatchParts,
    private readonly asker: BatchCaller,
  ) {
    requireBearer(asker.caller);
    this.batches = new BatchStore(parts.store);
    this.accounts = parts.accounts.namesOf(asker.caller);
    this.visible = visibleOwner(asker);
    this.missingScope = this.visible === namelessOwner ? allBatchesScope : null;
    this.creation = new BatchCreation(parts, this.batches, asker, this.accounts);
  }

  findRefusal(input: BatchInput): Promise<Problem | null> {
    return this.creation.findRefusal(input);
  }

  async create(input: BatchInput): Promise<BatchChange> {
    const created = await this.creation.create(input);
    void this.parts.worker.wake();
    if ('problem' in created) return { view: null, problems: [created.problem] };
    return { view: await this.get(created.id), problems: created.problems };
  }

  async start(id: string, maxUnits: number): Promise<BatchChange> {
    return this.change(id, ['READY'], async (open) => {
      const { barred, estimate } = open.batch;
      if (barred.length > 0) return notInBatch(barred);
      if (estimate === null) return problem('BATCH_STATE', { message: 'The price of this batch cannot be counted.' });
      return this.run(open, maxUnits, (start) => this.batches.run(id, 'READY', maxUnits, start));
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
      this.parts.vault.forgetIf(id, () => this.batches.cancel(id)),
    );
  }

  retry(id: string, scope: RetryScope, maxUnits: number): Promise<BatchChange> {
    return this.change(id, ['DONE', 'PAUSED'], (open) =>
      this.run(open, maxUnits, (start) => this.batches.retry(id, scope, maxUnits, start)),
    );
  }

  async erase(id: string): Promise<BatchChange> {
    const batch = await this.find(id);
    if (batch === null) return notFound();
    await this.parts.vault.forgetIf(id, async () => {
      await eraseBatch(this.parts.store, id);
      return true;
    });
    void this.parts.worker.wake();
    return { view: await this.get(id), problems: [] };
  }

  forget(subjects: readonly Subject[]): Promise<number> {
    const hashes = subjects.flatMap((subject) => this.parts.subjects.hashes(subject));
    return eraseSubjectRows(this.parts.store, this.accounts, hashes);
  }

  async get(id: string): Promise<BatchView | null> {
    const batch = await this.find(id);
    return batch === null ? null : this.toView(batch);
  }

  scopeFor({ batch }: BatchView): 'padron_batch' | typeof allBatchesScope {
    return batch.owner === ownerOf(this.asker) ? 'padron_batch' : allBatchesScope;
  }

  async list(state: BatchState | null, count: number, after: string | null): Promise<readonly BatchView[]> {
    const found = await this.batches.list(this.accounts, this.visible, state, count, after);
    return found.map((batch) => this.toView(batch));
  }

  async rows({ batch }: BatchView, state: RowState | null, count: number, after: number): Promise<RowPage | null> {
    const open = openBatch(this.parts.ring, batch);
    if (open === null) return { rows: [], next: null };
    return readPage(new RowStore(this.parts.store, batch.id, open.key), this.asker.rowBytes, state, count, after);
  }

  refusedRows({ batch }: BatchView): readonly RefusedRow[] {
    const open = openBatch(this.parts.ring, batch);
    if (open === null || batch.refused === null) return [];
    return JSON.parse(open.key.open(`${batch.id} refused`, batch.refused).toString());
  }

  links(id: string): BatchLinks | null {
    const { origin } = this.asker;
    if (origin === null) return null;
    const link = (purpose: LinkPurpose): string => `${origin}${batchPath(this.parts.links, id, purpose)}`;
    return { upload: link('rows'), jsonl: link('results.jsonl'), csv: link('results.csv') };
  }

  private async change(
    id: string,
    states: readonly BatchState[],
    change: (open: OpenBatch) => Promise<boolean | Problem>,
  ): Promise<BatchChange> {
    const batch = await this.find(id);
    if (batch === null) return notFound();
    const open = openBatch(this.parts.ring, batch);
    const result = open === null || !states.includes(batch.state) ? false : await change(open);
    const view = await this.get(id);
    if (result === true) {
      void this.parts.worker.wake();
      return { view, problems: [] };
    }
    return { view, problems: [result === false ? wrongState(view?.batch.state ?? batch.state, states) : result] };
  }

  /** Begins to spend: with the token, the scopes and the client of this caller, which the calls are booked to. */
  private async run(
    { batch, key }: OpenBatch,
    maxUnits: number | null,
    begin: (start: RunStart) => Promise<boolean>,
  ): Promise<boolean | Problem> {
    if (maxUnits !== null && maxUnits < 0) return problem('OUT_OF_RANGE', { path: ['maxUnits'] });
    const { vault, worker, scopeOf } = this.parts;
    const { caller, client, rowUnits } = this.asker;
    const missing = findMissingScopes(caller, batch.estimate, scopeOf);
    if (missing !== null) return missing;
    if (exceedsCeiling(batch, rowUnits)) return rowTooExpensive(batch, rowUnits);
    const token = caller.bearer ?? '';
    const sealed = batch.usesServerToken ? null : vault.seal(batch.id, key, token);
    const holder = batch.usesServerToken || sealed !== null ? null : worker.id;
    if (holder !== null && !worker.runsBatches) return problem('TOKEN_NEEDED', tokenStaysHere);
    const permissions = caller.permissions && [...caller.permissions];
    const start = (): Promise<boolean> => begin({ token: sealed, holder, rowUnits, client, permissions });
    const began = await (holder === null ? start() : vault.give(batch.id, token, start));
    if (began) await this.batches.end(batch.id);
    return began;
  }

  private async find(id: string): Promise<Batch | null> {
    const batch = await this.batches.get(id);
    if (batch === null || !this.accounts.includes(batch.account)) return null;
    return this.visible === null || batch.owner === this.visible ? batch : null;
  }

  private toView(batch: Batch): BatchView {
    return { batch, head: openBatch(this.parts.ring, batch)?.head ?? null };
  }
}
