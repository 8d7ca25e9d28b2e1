import { createHash } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { RegistryDataSource } from '../../money/calls/data-source';
import { DryRunDataSource } from '../../money/calls/dry-run-data-source';
import type { FieldPath } from '../../money/calls/field-path';
import type { Answer } from '../../registry/answer/answer';
import type { Problem } from '../../registry/answer/problem';
import { type AnyEndpoint, type Endpoint, isPlaceholder, type Subject } from '../../registry/endpoint/endpoint';
import type { BatchEstimate, RowInput } from '../batch';
import { createRequestScope, openBatch, prepareOperation } from '../open-batch';
import type { BatchOperation, OperationRun } from '../operation';
import { BatchStore } from '../storage/batch-store';
import { RowStore, type RowSubject } from '../storage/row-store';
import type { WorkerDependencies } from './dependencies';

type PricerDependencies = Pick<
  WorkerDependencies,
  'store' | 'ring' | 'client' | 'operations' | 'anyEndpoint' | 'subjects'
>;

const pageRows = 200;

export class BatchPricer {
  private readonly batches: BatchStore;

  constructor(
    private readonly dependencies: PricerDependencies,
    private readonly signal: AbortSignal,
  ) {
    this.batches = new BatchStore(dependencies.store);
  }

  async price(id: string, worker: string): Promise<void> {
    if (!(await this.batches.beginPricing(id, worker))) return;
    const { ring, operations, client, store, anyEndpoint } = this.dependencies;
    const batch = await this.batches.get(id);
    const open = batch === null ? null : openBatch(ring, batch);
    const operation = open === null ? null : prepareOperation(operations, open);
    if (open === null || operation === null) return void (await this.batches.endPricing(id, null, []));
    const source = { sandbox: open.batch.sandbox, address: client.address.bind(client) };
    const price = new DatasetPrice(source, operation, {
      scope: createRequestScope(open.batch, null, this.signal),
      language: open.batch.language,
      hashOf: (subject: Subject) => this.dependencies.subjects.hash(subject),
    });
    try {
      const isComplete = await this.addRows(new RowStore(store, id, open.key), price);
      if (isComplete)
        await this.batches.endPricing(id, price.estimate(), anyEndpoint ? [] : price.disallowedEndpoints());
    } catch (error) {
      if (!(error instanceof RowTooLargeError)) throw error;
      await this.batches.endPricing(id, null, []);
    }
  }

  private async addRows(rows: RowStore, price: DatasetPrice): Promise<boolean> {
    for (let after = 0; !this.signal.aborted; ) {
      const inputs = await rows.inputs(after, pageRows);
      await rows.addSubjects(await price.add(inputs));
      after = inputs.at(-1)?.number ?? after;
      if (inputs.length < pageRows) return true;
    }
    return false;
  }
}

/** Rows per dry run. A dry run only counts a limited number of questions, and a dataset may have more. */
const rowsPerRun = 50;
const maxBlockingMs = 10;
const maxFields = 100;
const maxProblems = 20;
const digestLength = 12;

class RowTooLargeError extends Error {
  override readonly name = 'RowTooLarge';
}

type NumberedRow = RowInput & { readonly number: number };

class RowDryRun extends DryRunDataSource {
  readonly subjects: Subject[] = [];
  private readonly rowQuestions = new Set<string>();
  rowPrice = 0;

  override startRow(): void {
    super.startRow();
    this.rowQuestions.clear();
    this.rowPrice = 0;
  }

  protected override record(endpoint: AnyEndpoint, key: string, path: FieldPath | null): void {
    super.record(endpoint, key, path);
    const question = `${endpoint.name} ${key}`;
    if (!this.rowQuestions.has(question)) this.rowPrice += this.priceOf(endpoint);
    this.rowQuestions.add(question);
  }

  override fetch<Question, Payload>(
    endpoint: Endpoint<Question, Payload>,
    question: Question,
    path?: FieldPath | null,
  ): Promise<Answer<Payload>> {
    this.subjects.push(...(endpoint.subjects?.(question) ?? []));
    return super.fetch(endpoint, question, path);
  }
}

/** Counts the distinct questions of a dataset. To save memory, it remembers only a digest of each question. */
class DatasetPrice {
  private readonly questions = new Map<AnyEndpoint, Set<string>>();
  private readonly fields = new Map<AnyEndpoint, Set<string>>();
  private readonly problems = new Map<string, Problem>();
  private bounded = true;
  private invalidRows = 0;
  private rowCount = 0;
  private costliestRow: BatchEstimate['costliestRow'] = null;
  private dryRun: RowDryRun;
  private yieldAt = performance.now() + maxBlockingMs;

  constructor(
    private readonly source: Pick<RegistryDataSource, 'address' | 'sandbox'>,
    private readonly operation: BatchOperation,
    private readonly run: Pick<OperationRun, 'scope' | 'language'> & { hashOf(subject: Subject): string },
  ) {
    this.dryRun = new RowDryRun(source);
  }

  /** Counts the questions of rows. Returns the subjects of each row. Throws a `RowTooLargeError` if a row has too many questions. */
  async add(rows: readonly NumberedRow[]): Promise<readonly RowSubject[]> {
    const subjects: RowSubject[] = [];
    for (const row of rows) {
      await this.addRow(row);
      for (const hash of this.takeSubjects()) subjects.push({ number: row.number, hash });
      this.rowCount += 1;
      if (this.rowCount % rowsPerRun === 0) this.collect();
      if (performance.now() < this.yieldAt) continue;
      await yieldToEventLoop();
      this.yieldAt = performance.now() + maxBlockingMs;
    }
    this.collect();
    return subjects;
  }

  estimate(): BatchEstimate {
    const endpoints = [...this.questions]
      .map(([endpoint, { size }]) => this.toEndpoint(endpoint, size))
      .sort((left, right) => right.subtotal - left.subtotal || left.url.localeCompare(right.url));
    const estimatedUnits = endpoints.reduce((sum, { subtotal }) => sum + subtotal, 0);
    const { rowCount, bounded, invalidRows, costliestRow } = this;
    const problems = [...this.problems.values()];
    return {
      rowCount,
      endpoints,
      estimatedUnits,
      atMost: bounded ? estimatedUnits : null,
      bounded,
      invalidRows,
      costliestRow,
      problems,
    };
  }

  disallowedEndpoints(): readonly string[] {
    return [...this.questions.keys()].filter(({ batch }) => !batch).map((endpoint) => this.source.address(endpoint));
  }

  private async addRow({ number, line, variables }: NumberedRow): Promise<void> {
    const { dryRun } = this;
    const { scope, language } = this.run;
    const before = dryRun.rejections;
    dryRun.startRow();
    const { data } = await this.operation.run(variables, { scope, language, dataSource: dryRun });
    if (dryRun.exceededLimit !== null) throw new RowTooLargeError();
    if (dryRun.rowPrice > (this.costliestRow?.units ?? 0)) this.costliestRow = { number, line, units: dryRun.rowPrice };
    if (data === null || dryRun.rejections !== before) this.invalidRows += 1;
  }

  private takeSubjects(): ReadonlySet<string> {
    const subjects = this.dryRun.subjects.splice(0).filter(({ value }) => !isPlaceholder(value));
    return new Set(subjects.map((subject) => this.run.hashOf(subject)));
  }

  private collect(): void {
    for (const [endpoint, keys] of this.dryRun.questions) {
      const digests = getOrCreate(this.questions, endpoint);
      for (const key of keys) digests.add(createHash('sha1').update(key).digest().toString('latin1', 0, digestLength));
    }
    for (const [endpoint, names] of this.dryRun.fields) {
      const fields = getOrCreate(this.fields, endpoint);
      for (const name of names) if (fields.size < maxFields) fields.add(name);
    }
    for (const problem of this.dryRun.problems) {
      const key = [problem.code, ...(problem.path ?? [])].join(' ');
      if (this.problems.size < maxProblems) this.problems.set(key, problem);
    }
    this.bounded &&= this.dryRun.bounded;
    this.dryRun = new RowDryRun(this.source);
  }

  private toEndpoint(endpoint: AnyEndpoint, calls: number): BatchEstimate['endpoints'][number] {
    const [, url = ''] = this.source.address(endpoint).split(' ');
    const unitsPerCall = this.dryRun.priceOf(endpoint);
    const fields = [...getOrCreate(this.fields, endpoint)];
    return { url, route: endpoint.name, fields, calls, unitsPerCall, subtotal: calls * unitsPerCall };
  }
}

function getOrCreate(map: Map<AnyEndpoint, Set<string>>, endpoint: AnyEndpoint): Set<string> {
  const existing = map.get(endpoint) ?? new Set();
  map.set(endpoint, existing);
  return existing;
}
