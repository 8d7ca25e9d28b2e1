import type { Batch } from '../batch';

/** Columns of a batch for statements that return a `StoredBatch`. */
export const batchColumns = `id, account, owner, state, reason, header, wrapped_key AS "wrappedKey", rejected, rejected_count AS "rejectedCount", sandbox, uses_server_token AS "usesServerToken",
permissions, language, client, tag, token, token_holder AS "tokenHolder", estimate, disallowed_endpoints AS "disallowedEndpoints", max_units AS "maxUnits", row_units AS "rowUnits", spent, uncertain, reserved, saved,
total, done, failed, retryable, unknown, canceled, run, running_since AS "runningSince", running_from AS "runningFrom", created_at AS "createdAt",
started_at AS "startedAt", finished_at AS "finishedAt", CASE WHEN state = 'WAITING_FOR_ROWS' THEN least(waits_until, expires_at) ELSE expires_at END AS "expiresAt", fingerprint`;

/** A batch as the store returns it: lists and objects are JSON text. */
export type StoredBatch = Omit<Batch, 'permissions' | 'estimate' | 'disallowedEndpoints'> & {
  readonly permissions: string | null;
  readonly estimate: string | null;
  readonly disallowedEndpoints: string | null;
  readonly fingerprint: string;
};

export const permissionsText = (permissions: readonly string[] | null): string | null =>
  permissions === null ? null : JSON.stringify(permissions);

export function parseBatch({ fingerprint: _fingerprint, ...row }: StoredBatch): Batch {
  return {
    ...row,
    permissions: row.permissions === null ? null : JSON.parse(row.permissions),
    estimate: row.estimate === null ? null : JSON.parse(row.estimate),
    disallowedEndpoints: row.disallowedEndpoints === null ? [] : JSON.parse(row.disallowedEndpoints),
  };
}
