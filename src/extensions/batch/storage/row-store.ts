import type { Text } from '../../../identifiers/text';
import type { OperationKey } from '../../../money/answers/operations/lasting-operations';
import type { Saving } from '../../../money/calls/units/unit-meter';
import type { Store } from '../../../store/store';
import type { RowInput, RowResult, RowState } from '../batch';

/** A row that is leased to a worker. `tries` is the number of tries that temporary failures have used up. */
export interface LeasedRow {
  readonly number: number;
  readonly tries: number;
  readonly input: RowInput;
}

export interface FinishedRow {
  readonly number: number;
  readonly state: RowState;
  /** Milliseconds until the row may be leased again. Null for no delay. */
  readonly delay: number | null;
  readonly tries: number;
  readonly units: number | null;
  readonly uncertain: number | null;
  readonly savings: readonly Saving[];
  readonly retryable: boolean;
  readonly doubtful?: boolean;
  readonly result: RowResult | null;
  readonly subjects: readonly string[];
}

export interface NewRow {
  readonly number: number;
  readonly isRefused: boolean;
  readonly input: RowInput;
}

export interface RowSubject {
  readonly number: number;
  readonly hash: string;
}

export interface BatchRow extends RowInput {
  readonly number: number;
  readonly state: RowState;
  readonly attempts: number;
  readonly units: number;
  readonly uncertain: number;
  readonly doubtful: boolean;
  readonly result: RowResult | null;
}

export type RowFilter = RowState | 'DOUBTFUL' | 'ACCEPTED' | 'ALL';

type StoredRow = Pick<BatchRow, 'number' | 'state' | 'attempts' | 'units' | 'uncertain' | 'doubtful'> & {
  readonly input: Buffer;
  readonly result: Buffer | null;
};

/** Encrypted size of a row, which is about the memory that reading the row takes. */
export interface RowSize {
  readonly number: number;
  readonly bytes: number;
}

const erased: Text = {
  english: 'Erased at the request of the person.',
  spanish: 'Se suprimió a petición de la persona.',
};
/** Input of an erased row. */
const emptyInput: RowInput = { ref: null, line: null, variables: {}, cells: [], remarks: [erased] };

export class RowStore {
  constructor(
    private readonly store: Store,
    private readonly batch: string,
    private readonly key: OperationKey,
  ) {}

  /**
   * Inserts rows with the hashes of their people and employers, and counts them in the batch. Returns their encrypted bytes. Does
   * nothing and returns null if a newer upload has started or the batch is erased.
   */
  async insert(upload: string, rows: readonly NewRow[], subjects: readonly RowSubject[]): Promise<number | null> {
    const sealed = rows.map(({ number, isRefused, input }) => ({
      number,
      state: isRefused ? 'REFUSED' : 'WAITING',
      input: this.seal(`row ${number}`, input),
    }));
    const bytes = sealed.reduce((sum, { input }) => sum + Buffer.byteLength(input, 'base64'), 0);
    const counted = await this.store.query(insertRows, [
      this.batch,
      upload,
      JSON.stringify(sealed),
      rows.length,
      bytes,
      JSON.stringify(subjects),
    ]);
    return counted.length === 0 ? null : bytes;
  }

  /** Leases up to `count` waiting rows to a worker, in their order. Leases none if `run` is not the current run. */
  async lease(worker: string, run: number, count: number): Promise<readonly LeasedRow[]> {
    const rows = await this.store.query<Omit<LeasedRow, 'input'> & { readonly input: Buffer }>(
      'SELECT * FROM batch_lease($1, $2, $3, $4)',
      [this.batch, worker, run, count],
    );
    return rows.map(({ input, ...row }) => ({ ...row, input: this.openInput(row.number, input) }));
  }

  /** Releases all rows of a worker except `active`. If the reply to a lease was lost, the worker does not know of its rows. */
  async releaseExcept(worker: string, active: readonly number[]): Promise<void> {
    await this.store.query(
      `UPDATE batch_row SET state = 'WAITING', worker = NULL WHERE batch = $1 AND worker = $2 AND state = 'RUNNING'
        AND number NOT IN (SELECT a.value::integer FROM json_array_elements_text($3::json) AS a(value))`,
      [this.batch, worker, JSON.stringify(active)],
    );
  }

  async release(worker: string): Promise<void> {
    await this.store.query('SELECT batch_release_rows($1, $2)', [this.batch, worker]);
  }

  async finish(worker: string, rows: readonly FinishedRow[]): Promise<void> {
    const json = JSON.stringify(
      rows.map(({ result, savings, ...row }) => ({
        ...row,
        saved: savings.reduce((sum, { units }) => sum + units, 0),
        result: result === null ? null : this.seal(`result ${row.number}`, result),
      })),
    );
    await this.store.query('SELECT batch_finish($1, $2, $3::json)', [this.batch, worker, json]);
  }

  async inputs(after: number, count: number): Promise<readonly (RowInput & { readonly number: number })[]> {
    const rows = await this.store.query<{ readonly number: number; readonly input: Buffer }>(
      "SELECT number, input FROM batch_row WHERE batch = $1 AND number > $2 AND state <> 'REFUSED' ORDER BY number LIMIT $3",
      [this.batch, after, count],
    );
    return rows.map(({ number, input }) => ({ number, ...this.openInput(number, input) }));
  }

  async addSubjects(subjects: readonly RowSubject[]): Promise<void> {
    if (subjects.length === 0) return;
    await this.store.query(
      `INSERT INTO batch_subject (hash, batch, number)
      SELECT decode(s.hash, 'hex'), $1, s.number FROM json_to_recordset($2::json) AS s(hash text, number integer)
      ON CONFLICT DO NOTHING`,
      [this.batch, JSON.stringify(subjects)],
    );
  }

  sizes(filter: RowFilter, after: number, count: number): Promise<readonly RowSize[]> {
    return this.store.query<RowSize>(
      `SELECT number, length(input) + coalesce(length(result), 0) AS bytes FROM batch_row
      WHERE batch = $1 AND number > $2 AND (state = $3 OR $3 = 'ALL' OR ($3 = 'DOUBTFUL' AND doubtful) OR ($3 = 'ACCEPTED' AND state <> 'REFUSED'))
      ORDER BY number LIMIT $4`,
      [this.batch, after, filter, count],
    );
  }

  async read(numbers: readonly number[]): Promise<readonly BatchRow[]> {
    const rows = await this.store.query<StoredRow>(
      `SELECT number, state, attempts, units, uncertain, doubtful, input, result FROM batch_row
      WHERE batch = $1 AND number IN (SELECT n.value::integer FROM json_array_elements_text($2::json) AS n(value)) ORDER BY number`,
      [this.batch, JSON.stringify(numbers)],
    );
    return rows.map(({ input: sealed, result, ...row }) => {
      const input = this.openInput(row.number, sealed);
      return { ...row, ...input, result: result === null ? null : this.open(`result ${row.number}`, result) };
    });
  }

  private seal(context: string, value: unknown): string {
    return this.key.seal(`${this.batch} ${context}`, JSON.stringify(value)).toString('base64');
  }

  private openInput(number: number, sealed: Buffer): RowInput {
    return sealed.length === 0 ? emptyInput : this.open(`row ${number}`, sealed);
  }

  private open<Value>(context: string, sealed: Buffer): Value {
    return JSON.parse(this.key.open(`${this.batch} ${context}`, sealed).toString());
  }
}

/**
 * Inserts the rows $3 and the hashes $6 of an upload $2, and adds $4 rows and $5 bytes to the sums of the batch $1. Does nothing and
 * returns no row if the upload is not the current one. The first part locks the batch, so that a newer upload waits and then deletes
 * these rows.
 */
const insertRows = `WITH counted AS (
    UPDATE batch SET kept_rows = kept_rows + $4, kept_bytes = kept_bytes + $5
    WHERE id = $1 AND upload = $2 AND state = 'WAITING_FOR_ROWS' RETURNING id
  ), inserted AS (
    INSERT INTO batch_row (batch, number, state, input)
    SELECT $1, r.number, r.state, decode(r.input, 'base64') FROM json_to_recordset($3::json) AS r(number integer, state text, input text)
    WHERE EXISTS (SELECT 1 FROM counted)
    ON CONFLICT DO NOTHING
  ), indexed AS (
    INSERT INTO batch_subject (hash, batch, number)
    SELECT decode(s.hash, 'hex'), $1, s.number FROM json_to_recordset($6::json) AS s(hash text, number integer)
    WHERE EXISTS (SELECT 1 FROM counted)
    ON CONFLICT DO NOTHING
  )
  SELECT id FROM counted`;
