import type { ProblemCode } from '../../../registry/answer/problem';
import type { CallLabels } from '../../../registry/caller';
import type { KeyRing } from '../../../store/key-ring';
import type { Store, StoreParameter } from '../../../store/store';
import type { ActiveBatch, Batch, BatchEstimate, BatchOwner, BatchPause, BatchState, RetryScope } from '../batch';

/** The IDs of the keys that encrypt the keys of batches: the stored bytes begin with the length of the ID. */
export const batchKeysSql = `SELECT DISTINCT convert_from(substring(wrapped_key FROM 2 FOR get_byte(wrapped_key, 0)), 'UTF8') AS id
  FROM batch WHERE length(wrapped_key) > 0`;

/** Condition for a batch that received no rows in time. It no longer exists for callers, and the next purge erases it. */
export const isAbandoned = "(state = 'WAITING_FOR_ROWS' AND waits_until < now())";

/** Lets a batch that has no rows wait for them for another hour. Does nothing if it has its rows. */
export async function extendUploadTime(store: Store, id: string): Promise<void> {
  await store.query(
    `UPDATE batch SET waits_until = now() + interval '1 hour' WHERE id = $1 AND state = 'WAITING_FOR_ROWS'`,
    [id],
  );
}

/** Releases the key of an abandoned batch, so that a new batch can have it. */
async function releaseKey(
  store: Store,
  { account, owner }: Pick<BatchOwner, 'account' | 'owner'>,
  keyName: string | null,
): Promise<void> {
  if (keyName === null) return;
  await store.query(
    `UPDATE batch SET key_name = NULL WHERE account = $1 AND owner = $2 AND key_name = $3 AND ${isAbandoned}`,
    [account, owner, keyName],
  );
}

/** Batches in which the answers to a new batch are looked for. */
const maxEarlier = 200;
const rowsPerStatement = 20_000;
const sharesSubjects = `SELECT 1 FROM batch_subject n WHERE n.batch = $1 AND n.number > $3 AND n.number <= $3 + ${rowsPerStatement}
  AND EXISTS (SELECT FROM batch_subject s WHERE s.batch = $2 AND s.hash = n.hash) LIMIT 1`;

export interface RunStart {
  readonly token: Buffer | null;
  readonly rowUnits: number | null;
  readonly client: string | null;
  readonly permissions: readonly string[] | null;
  readonly actor: string | null;
}

export interface NewBatch extends BatchOwner, CallLabels {
  readonly id: string;
  readonly keyName: string | null;
  readonly fingerprint: string;
  readonly header: Buffer;
  readonly wrappedKey: Buffer;
  readonly language: Batch['language'];
  readonly usesEarlier: boolean | null;
  readonly retentionDays: number;
}

export class BatchStore {
  constructor(private readonly store: Store) {}

  /** Creates a batch. Returns the existing batch with the same key, if there is one. If it has no rows, it waits for them for another hour. */
  async create(
    batch: NewBatch,
  ): Promise<{ readonly batch: Batch; readonly fingerprint: string; readonly isNew: boolean }> {
    await releaseKey(this.store, batch, batch.keyName);
    const inserted = await this.find(
      `INSERT INTO batch (id, account, key_name, fingerprint, state, header, wrapped_key, sandbox, uses_server_token, permissions,
        language, client, tag, retention_days, owner, purpose, actor, uses_earlier, expires_at)
      VALUES ($1, $2, $3, $4, 'WAITING_FOR_ROWS', $5, $6, $7, $8, $9, $10, $11, $12, $13::integer, $14, $15, $16, $17, now() + $13::integer * interval '1 day')
      ON CONFLICT (account, owner, key_name) DO NOTHING RETURNING ${batchColumns}`,
      [
        batch.id,
        batch.account,
        batch.keyName,
        batch.fingerprint,
        batch.header,
        batch.wrappedKey,
        batch.sandbox,
        batch.usesServerToken,
        permissionsText(batch.permissions),
        batch.language,
        batch.client,
        batch.tag,
        batch.retentionDays,
        batch.owner,
        batch.purpose,
        batch.actor,
        batch.usesEarlier,
      ],
    );
    if (inserted[0] !== undefined)
      return { batch: parseBatch(inserted[0]), fingerprint: batch.fingerprint, isNew: true };
    const existing = await this.findByKey(batch.account, batch.owner, batch.keyName);
    if (existing === null) return this.create(batch);
    await extendUploadTime(this.store, existing.batch.id);
    return { ...existing, isNew: false };
  }

  async findByKey(
    account: string,
    owner: string,
    keyName: string | null,
  ): Promise<{ readonly batch: Batch; readonly fingerprint: string } | null> {
    const [row] = await this.find(
      `SELECT ${batchColumns} FROM batch WHERE account = $1 AND owner = $2 AND key_name = $3 AND NOT ${isAbandoned}`,
      [account, owner, keyName],
    );
    return row === undefined ? null : { batch: parseBatch(row), fingerprint: row.fingerprint };
  }

  async get(id: string): Promise<Batch | null> {
    const [row] = await this.find(`SELECT ${batchColumns} FROM batch WHERE id = $1 AND NOT ${isAbandoned}`, [id]);
    return row === undefined ? null : parseBatch(row);
  }

  /**
   * Lists batches, newest first, that are older than the batch `after`. If `owner` is null, lists the batches of all owners.
   * Batches that have no rows are only listed if `state` asks for them.
   */
  async list(
    accounts: readonly string[],
    owner: string | null,
    state: BatchState | null,
    count: number,
    after: string | null,
  ): Promise<readonly Batch[]> {
    const rows = await this.find(
      `SELECT ${batchColumns} FROM batch WHERE account IN (SELECT json_array_elements_text($1::json))
        AND (state = $2 OR ($2::text IS NULL AND state <> 'WAITING_FOR_ROWS' AND (state <> 'ERASED' OR total > 0)))
        AND NOT ${isAbandoned} AND ($5::text IS NULL OR owner = $5)
        AND ($4::text IS NULL OR (created_at, id) < (SELECT b.created_at, b.id FROM batch b WHERE b.id = $4
          AND b.account IN (SELECT json_array_elements_text($1::json)) AND ($5::text IS NULL OR b.owner = $5)))
      ORDER BY created_at DESC, id DESC LIMIT $3`,
      [JSON.stringify(accounts), state, count, after, owner],
    );
    return rows.map(parseBatch);
  }

  /**
   * Returns the started batches of the same owner and purpose that ask about someone whom this batch asks about. Its rows are indexed
   * under all keys of `DATA_KEYS`, and `accounts` has the names of its account under these keys.
   */
  async findEarlier(batch: Batch, accounts: readonly string[]): Promise<readonly Batch[]> {
    const started = await this.find(
      `SELECT ${batchColumns} FROM batch WHERE account = ANY($2) AND owner = $3 AND purpose IS NOT DISTINCT FROM $4 AND id <> $1
        AND NOT sandbox AND started_at IS NOT NULL AND wrapped_key IS NOT NULL ORDER BY started_at DESC LIMIT ${maxEarlier}`,
      [batch.id, accounts, batch.owner, batch.purpose],
    );
    const earlier: Batch[] = [];
    for (const row of started) if (await this.sharesSubjects(batch, row.id)) earlier.push(parseBatch(row));
    return earlier;
  }

  /** Whether two batches ask about the same person or employer. Looks for some rows in a statement, because a batch may have many. */
  private async sharesSubjects({ id, total, refusedCount }: Batch, earlier: string): Promise<boolean> {
    for (let after = 0; after < total + refusedCount; after += rowsPerStatement)
      if ((await this.store.query(sharesSubjects, [id, earlier, after])).length > 0) return true;
    return false;
  }

  listActive(): Promise<readonly ActiveBatch[]> {
    return this.store.query<ActiveBatch>(
      `SELECT id, state, reason FROM batch WHERE state IN ('PRICING', 'RUNNING', 'PAUSED') ORDER BY started_at`,
    );
  }

  /** Frees the rows and the pricing of processes that were declared dead. */
  async releaseDead(): Promise<void> {
    await this.store.query('SELECT batch_release_dead()');
  }

  beginPricing(id: string, worker: string): Promise<boolean> {
    return this.change(
      `UPDATE batch SET pricer = $2 WHERE id = $1 AND state = 'PRICING' AND (pricer IS NULL OR pricer = $2)`,
      [id, worker],
    );
  }

  endPricing(id: string, estimate: BatchEstimate | null, disallowedEndpoints: readonly string[]): Promise<boolean> {
    return this.change(
      `UPDATE batch SET state = 'READY', pricer = NULL, estimate = $2, disallowed_endpoints = $3 WHERE id = $1 AND state = 'PRICING'`,
      [id, estimate === null ? null : JSON.stringify(estimate), JSON.stringify(disallowedEndpoints)],
    );
  }

  /** Lets a batch run. `usesEarlier` is the choice about the answers of earlier batches. Null keeps it. */
  run(id: string, from: BatchState, maxUnits: number | null, start: RunStart, usesEarlier: boolean | null = null) {
    const { token, rowUnits, client, permissions, actor } = start;
    return this.change(
      `UPDATE batch SET state = 'RUNNING', reason = NULL, pause = NULL, run = run + 1, max_units = coalesce($3, max_units), token = $4,
        row_units = $5, client = $6, permissions = $7, actor = coalesce($8, actor), uses_earlier = coalesce($9, uses_earlier),
        started_at = coalesce(started_at, now()), running_since = now(), running_from = done + failed + unknown + canceled + erased,
        finished_at = NULL
      WHERE id = $1 AND state = $2 AND wrapped_key IS NOT NULL`,
      [id, from, maxUnits, token, rowUnits, client, permissionsText(permissions), actor, usesEarlier],
    );
  }

  /** Replaces the header of a batch without rows. An upload that is still running is discarded. */
  setHeader(id: string, header: Buffer): Promise<boolean> {
    return this.change(`UPDATE batch SET header = $2, upload = NULL WHERE id = $1 AND state = 'WAITING_FOR_ROWS'`, [
      id,
      header,
    ]);
  }

  async remove(id: string): Promise<void> {
    await this.store.query(
      'WITH deleted AS (DELETE FROM batch WHERE id = $1 RETURNING id) SELECT operation_end(id) FROM deleted',
      [id],
    );
  }

  /**
   * Pauses a batch. A null reason means that its caller paused it. If `run` is given, only that run is paused, because a
   * reason of an earlier run may no longer apply. A token that the service refused is deleted.
   */
  pause(id: string, reason: ProblemCode | null, run?: number, pause?: BatchPause): Promise<boolean> {
    return this.change(
      `UPDATE batch SET state = 'PAUSED', reason = $2, pause = $4, token = CASE WHEN $2 = 'TOKEN_REFUSED' THEN NULL ELSE token END
      WHERE id = $1 AND state = 'RUNNING' AND ($3::integer IS NULL OR run = $3)`,
      [id, reason, run ?? null, pause === undefined ? null : JSON.stringify(pause)],
    );
  }

  cancel(id: string): Promise<boolean> {
    return this.call('SELECT batch_cancel($1) AS changed', [id]);
  }

  retry(id: string, scope: RetryScope, maxUnits: number, start: RunStart): Promise<boolean> {
    const { token, rowUnits, client, permissions, actor } = start;
    const parameters = [id, scope, maxUnits, rowUnits, token, client, permissionsText(permissions), actor];
    return this.call('SELECT batch_retry($1, $2, $3, $4, $5, $6, $7, $8) AS changed', parameters);
  }

  pauseForRow(id: string, rowUnits: number | null, run: number): Promise<boolean> {
    const sql = `UPDATE batch SET state = 'PAUSED', reason = 'UNIT_BUDGET_EXCEEDED', row_units = $2`;
    return this.change(`${sql} WHERE id = $1 AND state = 'RUNNING' AND run = $3`, [id, rowUnits, run]);
  }

  /** Ends a batch if it has no rows left to run, for example because all of them ended before it was started. */
  async end(id: string): Promise<void> {
    await this.store.query('SELECT batch_end($1)', [id]);
  }

  async missingKeys({ versions }: KeyRing): Promise<readonly string[]> {
    const rows = await this.store.query<{ readonly id: string }>(
      `SELECT id FROM (${batchKeysSql}) AS used WHERE NOT id = ANY($1)`,
      [versions.map(({ id }) => id)],
    );
    return rows.map(({ id }) => id);
  }

  async change(sql: string, parameters: readonly StoreParameter[]): Promise<boolean> {
    return (await this.store.query(`${sql} RETURNING id`, parameters)).length > 0;
  }

  private async call(sql: string, parameters: readonly StoreParameter[]): Promise<boolean> {
    const [row] = await this.store.query<{ readonly changed: boolean }>(sql, parameters);
    return row?.changed === true;
  }

  private find(sql: string, parameters: readonly StoreParameter[]): Promise<readonly StoredBatch[]> {
    return this.store.query<StoredBatch>(sql, parameters);
  }
}

const batchColumns = `id, account, owner, state, reason, pause, header, wrapped_key AS "wrappedKey", refused, refused_count AS "refusedCount", sandbox, uses_server_token AS "usesServerToken",
permissions, language, client, tag, purpose, actor, token, estimate, disallowed_endpoints AS "disallowedEndpoints", uses_earlier AS "usesEarlier", max_units AS "maxUnits", row_units AS "rowUnits", saved,
coalesce((operation_units(batch.id)).spent, 0) AS spent, coalesce((operation_units(batch.id)).uncertain, 0) AS uncertain,
total, done, failed, retryable, unknown, canceled, erased, doubtful, (SELECT count(*)::integer FROM batch_row r WHERE r.batch = batch.id AND r.state = 'RUNNING') AS running, run, running_since AS "runningSince", running_from AS "runningFrom", created_at AS "createdAt",
started_at AS "startedAt", finished_at AS "finishedAt", CASE WHEN state = 'WAITING_FOR_ROWS' THEN least(waits_until, expires_at) ELSE expires_at END AS "expiresAt", fingerprint`;

type StoredBatch = Omit<Batch, 'permissions' | 'pause' | 'estimate' | 'disallowedEndpoints'> & {
  readonly permissions: string | null;
  readonly pause: string | null;
  readonly estimate: string | null;
  readonly disallowedEndpoints: string | null;
  readonly fingerprint: string;
};

const permissionsText = (permissions: readonly string[] | null): string | null =>
  permissions === null ? null : JSON.stringify(permissions);

function parseBatch({ fingerprint: _fingerprint, ...row }: StoredBatch): Batch {
  return {
    ...row,
    permissions: row.permissions === null ? null : JSON.parse(row.permissions),
    pause: row.pause === null ? null : JSON.parse(row.pause),
    estimate: row.estimate === null ? null : JSON.parse(row.estimate),
    disallowedEndpoints: row.disallowedEndpoints === null ? [] : JSON.parse(row.disallowedEndpoints),
  };
}
