import { createHash } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Answer } from '../../registry/answer/answer';
import type { Problem } from '../../registry/answer/problem';
import { type AnyEndpoint, type Endpoint, isPlaceholder, type Subject } from '../../registry/endpoint/endpoint';
import type { RegistryDataSource } from '../../registry/questions/data-source';
import { DryRunDataSource } from '../../registry/questions/dry-run-data-source';
import type { FieldPath } from '../../registry/questions/field-path';
import type { BatchEstimate, BatchOperation, OperationRun, RowInput } from '../batch';

/** Rows per dry run. A dry run gives up on too many questions, and a dataset has more. */
const rowsPerRun = 50;
const turnMs = 10;
const maxFields = 100;
const maxProblems = 20;
const digestLength = 12;

/** A row asks more than can be counted. */
export class RowTooLargeError extends Error {
  override readonly name = 'RowTooLarge';
}

type NumberedRow = RowInput & { readonly number: number };

/** Hash of a person or an employer that a row is about. */
export interface RowSubject {
  readonly number: number;
  readonly hash: string;
}

/** A dry run that also records the subjects of the questions, and the price of each row. */
class RowDryRun extends DryRunDataSource {
  readonly subjects: Subject[] = [];
  private readonly rowQuestions = new Set<string>();
  /** The price of the row that was begun last: its distinct questions, whether other rows ask them too or not. */
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

/** Counts what a dataset would ask, slice by slice: of each distinct question only a digest is remembered. */
export class DatasetPrice {
  private readonly questions = new Map<AnyEndpoint, Set<string>>();
  private readonly fields = new Map<AnyEndpoint, Set<string>>();
  private readonly problems = new Map<string, Problem>();
  private bounded = true;
  private invalidRows = 0;
  private rowCount = 0;
  private costliestRow: BatchEstimate['costliestRow'] = null;
  private dryRun: RowDryRun;
  private turnEnd = performance.now() + turnMs;

  constructor(
    private readonly source: Pick<RegistryDataSource, 'address' | 'sandbox'>,
    private readonly operation: BatchOperation,
    private readonly run: Pick<OperationRun, 'scope' | 'language'> & { hashOf(subject: Subject): string },
  ) {
    this.dryRun = new RowDryRun(source);
  }

  /** Tells whom each row is about. Throws where a row asks more than can be counted. */
  async add(rows: readonly NumberedRow[]): Promise<readonly RowSubject[]> {
    const subjects: RowSubject[] = [];
    for (const row of rows) {
      await this.addRow(row);
      for (const hash of this.takeSubjects()) subjects.push({ number: row.number, hash });
      this.rowCount += 1;
      if (this.rowCount % rowsPerRun === 0) this.collect();
      if (performance.now() < this.turnEnd) continue;
      await yieldToEventLoop();
      this.turnEnd = performance.now() + turnMs;
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

  /** Addresses of the endpoints that are asked and may not be asked in a batch. */
  barred(): readonly string[] {
    return [...this.questions.keys()].filter(({ batch }) => !batch).map((endpoint) => this.source.address(endpoint));
  }

  private async addRow({ number, variables }: NumberedRow): Promise<void> {
    const { dryRun } = this;
    const { scope, language } = this.run;
    const before = dryRun.rejections;
    dryRun.startRow();
    const { data } = await this.operation.run(variables, { scope, language, dataSource: dryRun });
    if (dryRun.exceededLimit !== null) throw new RowTooLargeError();
    if (dryRun.rowPrice > (this.costliestRow?.units ?? 0)) this.costliestRow = { number, units: dryRun.rowPrice };
    if (data === null || dryRun.rejections !== before) this.invalidRows += 1;
  }

  /** Returns the subjects of the last row. A placeholder is not an identifier. */
  private takeSubjects(): ReadonlySet<string> {
    const subjects = this.dryRun.subjects.splice(0).filter(({ value }) => !isPlaceholder(value));
    return new Set(subjects.map((subject) => this.run.hashOf(subject)));
  }

  private collect(): void {
    for (const [endpoint, keys] of this.dryRun.questions) {
      const digests = entry(this.questions, endpoint);
      for (const key of keys) digests.add(createHash('sha1').update(key).digest().toString('latin1', 0, digestLength));
    }
    for (const [endpoint, names] of this.dryRun.fields) {
      const fields = entry(this.fields, endpoint);
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
    const fields = [...entry(this.fields, endpoint)];
    return { url, route: endpoint.name, fields, calls, unitsPerCall, subtotal: calls * unitsPerCall };
  }
}

function entry(map: Map<AnyEndpoint, Set<string>>, endpoint: AnyEndpoint): Set<string> {
  const existing = map.get(endpoint) ?? new Set();
  map.set(endpoint, existing);
  return existing;
}
