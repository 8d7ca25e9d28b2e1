import type { ProblemCode } from '../../registry/answer/problem';
import type { Store, StoreParameter } from '../../store/store';
import type { Batch, BatchEstimate, BatchOwner, BatchState } from '../batch';
import type { BatchStanding } from '../run/worker-parts';

/** What a new batch begins with. */
export interface NewBatch extends BatchOwner {
  readonly id: string;
  readonly keyName: string | null;
  readonly fingerprint: string;
  readonly head: Buffer;
  readonly wrappedKey: Buffer;
  readonly language: Batch['language'];
  readonly client: string | null;
  readonly tag: string | null;
  readonly retentionDays: number;
}

const columns = `id, account, state, reason, head, wrapped_key AS "wrappedKey", refused, refused_count AS "refusedCount", sandbox, uses_server_token AS "usesServerToken",
permissions, language, client, tag, token, token_holder AS "tokenHolder", estimate, barred, max_units AS "maxUnits", spent, uncertain, reserved, saved,
total, done, failed, unknown, canceled, running_since AS "runningSince", running_from AS "runningFrom", created_at AS "createdAt",
started_at AS "startedAt", finished_at AS "finishedAt", expires_at AS "expiresAt", fingerprint`;

type Row = Omit<Batch, 'permissions' | 'estimate' | 'barred'> & {
  readonly permissions: string | null;
  readonly estimate: string | null;
  readonly barred: string | null;
  readonly fingerprint: string;
};

/** The batches of a store, each as a whole. Every change names the states that it may be made in, and tells whether it was. */
export class BatchStore {
  constructor(private readonly store: Store) {}

  /** The batch that stands under the same key already, where there is one. */
  async create(
    batch: NewBatch,
  ): Promise<{ readonly batch: Batch; readonly fingerprint: string; readonly isNew: boolean }> {
    const permissions = batch.permissions === null ? null : JSON.stringify(batch.permissions);
    const inserted = await this.find(
      `INSERT INTO batch (id, account, key_name, fingerprint, state, head, wrapped_key, sandbox, uses_server_token, permissions,
        language, client, tag, retention_days, expires_at)
      VALUES ($1, $2, $3, $4, 'WAITING_FOR_ROWS', $5, $6, $7, $8, $9, $10, $11, $12, $13::integer, now() + $13::integer * interval '1 day')
      ON CONFLICT (account, key_name) DO NOTHING RETURNING ${columns}`,
      [
        batch.id,
        batch.account,
        batch.keyName,
        batch.fingerprint,
        batch.head,
        batch.wrappedKey,
        batch.sandbox,
        batch.usesServerToken,
        permissions,
        batch.language,
        batch.client,
        batch.tag,
        batch.retentionDays,
      ],
    );
    if (inserted[0] !== undefined) return { batch: toBatch(inserted[0]), fingerprint: batch.fingerprint, isNew: true };
    const existing = await this.findByKey(batch.account, batch.keyName);
    return existing === null ? this.create(batch) : { ...existing, isNew: false };
  }

  async findByKey(
    account: string,
    keyName: string | null,
  ): Promise<{ readonly batch: Batch; readonly fingerprint: string } | null> {
    const [row] = await this.find(`SELECT ${columns} FROM batch WHERE account = $1 AND key_name = $2`, [
      account,
      keyName,
    ]);
    return row === undefined ? null : { batch: toBatch(row), fingerprint: row.fingerprint };
  }

  async get(id: string): Promise<Batch | null> {
    const [row] = await this.find(`SELECT ${columns} FROM batch WHERE id = $1`, [id]);
    return row === undefined ? null : toBatch(row);
  }

  /** Newest first, from behind the batch `after` on. */
  async list(
    accounts: readonly string[],
    state: BatchState | null,
    count: number,
    after: string | null,
  ): Promise<readonly Batch[]> {
    const rows = await this.find(
      `SELECT ${columns} FROM batch WHERE account IN (SELECT json_array_elements_text($1::json))
        AND ($2::text IS NULL OR state = $2)
        AND ($4::text IS NULL OR (created_at, id) < (SELECT b.created_at, b.id FROM batch b WHERE b.id = $4))
      ORDER BY created_at DESC, id DESC LIMIT $3`,
      [JSON.stringify(accounts), state, count, after],
    );
    return rows.map(toBatch);
  }

  /** Those that wait for a price, run or are paused, of all accounts. */
  standing(): Promise<readonly BatchStanding[]> {
    return this.store.query<BatchStanding>(
      `SELECT id, state, reason FROM batch WHERE state IN ('PRICING', 'RUNNING', 'PAUSED') ORDER BY started_at`,
    );
  }

  /** Takes the pricing of a batch, unless another worker has it. */
  beginPricing(id: string, worker: string): Promise<boolean> {
    return this.change(
      `UPDATE batch SET pricer = $2 WHERE id = $1 AND state = 'PRICING' AND (pricer IS NULL OR pricer = $2)`,
      [id, worker],
    );
  }

  endPricing(id: string, estimate: BatchEstimate | null, barred: readonly string[]): Promise<boolean> {
    return this.change(
      `UPDATE batch SET state = 'READY', pricer = NULL, estimate = $2, barred = $3 WHERE id = $1 AND state = 'PRICING'`,
      [id, estimate === null ? null : JSON.stringify(estimate), JSON.stringify(barred)],
    );
  }

  /** `holder` is the worker that has the token in memory; null where any worker has it. */
  run(id: string, from: BatchState, maxUnits: number | null, token: Buffer | null, holder: string | null) {
    return this.change(
      `UPDATE batch SET state = 'RUNNING', reason = NULL, runs = runs + 1, max_units = coalesce($3, max_units), token = $4, token_holder = $5,
        started_at = coalesce(started_at, now()), running_since = now(), running_from = done + failed + unknown + canceled,
        finished_at = NULL
      WHERE id = $1 AND state = $2 AND wrapped_key IS NOT NULL`,
      [id, from, maxUnits, token, holder],
    );
  }

  /** A null reason: its caller wants it so. `run`: only if it is still that run, since what was asked before a resumption tells nothing of now. */
  pause(id: string, reason: ProblemCode | null, run: number | null = null): Promise<boolean> {
    return this.change(
      `UPDATE batch SET state = 'PAUSED', reason = $2 WHERE id = $1 AND state = 'RUNNING' AND ($3::integer IS NULL OR runs = $3)`,
      [id, reason, run],
    );
  }

  /** A batch without rows, or whose rows all ended in the moment it was started. */
  async end(id: string): Promise<void> {
    await this.store.query('SELECT batch_end($1)', [id]);
  }

  async change(sql: string, parameters: readonly StoreParameter[]): Promise<boolean> {
    return (await this.store.query(`${sql} RETURNING id`, parameters)).length > 0;
  }

  private find(sql: string, parameters: readonly StoreParameter[]): Promise<readonly Row[]> {
    return this.store.query<Row>(sql, parameters);
  }
}

function toBatch({ fingerprint: _fingerprint, ...row }: Row): Batch {
  return {
    ...row,
    permissions: row.permissions === null ? null : JSON.parse(row.permissions),
    estimate: row.estimate === null ? null : JSON.parse(row.estimate),
    barred: row.barred === null ? [] : JSON.parse(row.barred),
  };
}
