import { type Problem, problem } from '../registry/answer/problem';
import { requireBearer } from '../registry/client/client';
import type { Subject } from '../registry/endpoint/endpoint';
import type { Store } from '../store/store';
import type { Batch, BatchState, RefusedRow, RowState } from './batch';
import { BatchCreation } from './batch-creation';
import type { BatchParts } from './batch-parts';
import type { BatchCaller, BatchChange, BatchInput, BatchLinks, BatchView, CallerBatches, RetryScope } from './batches';
import { BatchStore } from './keep/batch-store';
import { eraseBatch, eraseSubjectRows } from './keep/erase';
import { type BatchRow, RowStore } from './keep/row-store';
import { type OpenBatch, openBatch } from './run/open-batch';
import type { SignedPaths } from './signed-paths';

/** The batches of one account. */
export class AccountBatches implements CallerBatches {
  private readonly batches: BatchStore;
  private readonly creation: BatchCreation;
  /** The account's names, the newest first: the operator's keys may have changed since a batch was made. */
  private readonly accounts: readonly string[];

  constructor(
    private readonly parts: BatchParts,
    private readonly asker: BatchCaller,
  ) {
    requireBearer(asker.caller);
    this.batches = new BatchStore(parts.store);
    this.accounts = parts.accounts.namesOf(asker.caller);
    this.creation = new BatchCreation(parts, this.batches, asker, this.accounts);
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
      return this.run(open, maxUnits, ({ token, holder }) => this.batches.run(id, 'READY', maxUnits, token, holder));
    });
  }

  pause(id: string): Promise<BatchChange> {
    return this.change(id, ['RUNNING'], () => this.batches.pause(id, null));
  }

  async resume(id: string, maxUnits: number | null): Promise<BatchChange> {
    return this.change(id, ['PAUSED'], (open) =>
      this.run(open, maxUnits, ({ token, holder }) => this.batches.run(id, 'PAUSED', maxUnits, token, holder)),
    );
  }

  cancel(id: string): Promise<BatchChange> {
    return this.change(id, ['WAITING_FOR_ROWS', 'PRICING', 'READY', 'RUNNING', 'PAUSED'], async () => {
      this.parts.vault.forget(id);
      return this.ask('SELECT batch_cancel($1) AS changed', [id]);
    });
  }

  retry(id: string, scope: RetryScope, maxUnits: number): Promise<BatchChange> {
    return this.change(id, ['DONE', 'PAUSED'], (open) =>
      this.run(open, maxUnits, ({ token, holder }) =>
        this.ask('SELECT batch_retry($1, $2, $3, $4, $5) AS changed', [id, scope, maxUnits, token, holder]),
      ),
    );
  }

  async erase(id: string): Promise<BatchChange> {
    const batch = await this.find(id);
    if (batch === null) return notFound();
    this.parts.vault.forget(id);
    await eraseBatch(this.parts.store, id);
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

  async list(state: BatchState | null, count: number, after: string | null): Promise<readonly BatchView[]> {
    const found = await this.batches.list(this.accounts, state, count, after);
    return found.map((batch) => this.toView(batch));
  }

  async rows({ batch }: BatchView, state: RowState | null, count: number, after: number): Promise<readonly BatchRow[]> {
    const open = openBatch(this.parts.ring, batch);
    return open === null ? [] : new RowStore(this.parts.store, batch.id, open.key).page(state, after, count);
  }

  refusedRows({ batch }: BatchView): readonly RefusedRow[] {
    const open = openBatch(this.parts.ring, batch);
    if (open === null || batch.refused === null) return [];
    return JSON.parse(open.key.open(`${batch.id} refused`, batch.refused).toString());
  }

  links(id: string): BatchLinks | null {
    const { origin } = this.asker;
    if (origin === null) return null;
    const link = (purpose: Parameters<SignedPaths['create']>[1]): string =>
      `${origin}${this.parts.paths.create(id, purpose)}`;
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

  /** Begins to spend: by the token of whoever wants it now. */
  private async run(
    { batch, key }: OpenBatch,
    maxUnits: number | null,
    begin: (token: { readonly token: Buffer | null; readonly holder: string | null }) => Promise<boolean>,
  ): Promise<boolean | Problem> {
    if (maxUnits !== null && maxUnits < 0) return problem('OUT_OF_RANGE', { path: ['maxUnits'] });
    const { vault, worker } = this.parts;
    const token = this.asker.caller.bearer ?? '';
    const sealed = batch.usesServerToken ? null : vault.seal(batch.id, key, token);
    const holder = batch.usesServerToken || sealed !== null ? null : worker.id;
    if (holder !== null && !worker.runsBatches) return problem('TOKEN_NEEDED', tokenStaysHere);
    if (holder !== null) vault.put(batch.id, token);
    const began = await begin({ token: sealed, holder });
    if (began) await this.batches.end(batch.id);
    return began;
  }

  private async ask(sql: string, parameters: Parameters<Store['query']>[1]): Promise<boolean> {
    const [row] = await this.parts.store.query<{ readonly changed: boolean }>(sql, parameters);
    return row?.changed === true;
  }

  private async find(id: string): Promise<Batch | null> {
    const batch = await this.batches.get(id);
    return batch !== null && this.accounts.includes(batch.account) ? batch : null;
  }

  private toView(batch: Batch): BatchView {
    return { batch, head: openBatch(this.parts.ring, batch)?.head ?? null };
  }
}

const tokenStaysHere = {
  message: 'This process only serves the graph, and tokens stay in its memory. Its operator sets BATCH_TOKENS=sealed.',
  spanish:
    'Este proceso solo sirve el grafo, y los tokens se quedan en su memoria. Su operador pone BATCH_TOKENS=sealed.',
};

const notFound = (): BatchChange => ({ view: null, problems: [problem('BATCH_NOT_FOUND')] });

function wrongState(state: BatchState, wanted: readonly BatchState[]): Problem {
  return problem('BATCH_STATE', {
    message: `The batch is ${state}; this can be done while it is ${wanted.join(', ')}.`,
    spanish: `El lote está en ${state}; esto se puede hacer mientras está en ${wanted.join(', ')}.`,
  });
}

function notInBatch(addresses: readonly string[]): Problem {
  const list = addresses.join(', ');
  return problem('NOT_IN_BATCH', {
    message: `The service does not allow these in batch processing: ${list}.`,
    spanish: `El servicio no permite estos en procesamiento masivo: ${list}.`,
  });
}
