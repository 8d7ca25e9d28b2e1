import type { Batch } from '../batch';

/** The columns of a batch as statements return them. */
export const batchColumns = `id, account, owner, state, reason, head, wrapped_key AS "wrappedKey", refused, refused_count AS "refusedCount", sandbox, uses_server_token AS "usesServerToken",
permissions, language, client, tag, token, token_holder AS "tokenHolder", estimate, barred, max_units AS "maxUnits", row_units AS "rowUnits", spent, uncertain, reserved, saved,
total, done, failed, unknown, canceled, runs AS run, running_since AS "runningSince", running_from AS "runningFrom", created_at AS "createdAt",
started_at AS "startedAt", finished_at AS "finishedAt", expires_at AS "expiresAt", fingerprint`;

/** A batch as statements return it: lists and objects are JSON. */
export type StoredBatch = Omit<Batch, 'permissions' | 'estimate' | 'barred'> & {
  readonly permissions: string | null;
  readonly estimate: string | null;
  readonly barred: string | null;
  readonly fingerprint: string;
};

export const permissionsText = (permissions: readonly string[] | null): string | null =>
  permissions === null ? null : JSON.stringify(permissions);

export function toBatch({ fingerprint: _fingerprint, ...row }: StoredBatch): Batch {
  return {
    ...row,
    permissions: row.permissions === null ? null : JSON.parse(row.permissions),
    estimate: row.estimate === null ? null : JSON.parse(row.estimate),
    barred: row.barred === null ? [] : JSON.parse(row.barred),
  };
}
