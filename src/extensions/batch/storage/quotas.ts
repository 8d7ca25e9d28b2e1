import { type Problem, problem } from '../../../registry/answer/problem';
import { accountOwner } from '../../../registry/caller';
import type { Store } from '../../../store/store';
import type { BatchOwner } from '../batch';
import { batchCodes } from '../codes';
import { isAbandoned } from './batch-store';

const kinds = ['batches', 'rows', 'bytes'] as const;

type QuotaKind = (typeof kinds)[number];

export type BatchSizes = Readonly<Record<QuotaKind, number>>;

/** Maximum sizes: for one owner of batches (`account`), and for all accounts together. */
export interface BatchQuotaLimits {
  readonly account: BatchSizes;
  readonly total: BatchSizes;
}

type Usage = Readonly<Record<keyof BatchQuotaLimits, BatchSizes>>;

/**
 * Compares the stored batches, and the results of idempotency keys, with the quotas. A batch or its rows must be written first and counted
 * afterwards. Then two requests at the same time cannot exceed a quota together.
 */
export class BatchQuotas {
  constructor(
    private readonly store: Store,
    private readonly limits: BatchQuotaLimits,
  ) {}

  /**
   * Returns a problem that names the exceeded quota, or null. `added` is what this request has written. If there is a
   * problem, the caller must remove it again.
   */
  async findExcess(owner: Pick<BatchOwner, 'account' | 'owner'>, added: BatchSizes): Promise<Problem | null> {
    const usage = await this.usage(owner);
    for (const scope of ['account', 'total'] as const)
      for (const kind of kinds) {
        const limit = this.limits[scope][kind];
        const stored = usage[scope][kind];
        if (added[kind] > 0 && stored > limit) return exceeded(scope, kind, stored - added[kind], limit, owner.owner);
      }
    return null;
  }

  /** Returns the bytes that the quotas have left beside the stored batches, for the results of requests. */
  async bytesLeft(
    owner: Pick<BatchOwner, 'account' | 'owner'>,
  ): Promise<{ readonly account: number; readonly total: number }> {
    const { account, total } = await this.usage(owner, '0', '0');
    return { account: this.limits.account.bytes - account.bytes, total: this.limits.total.bytes - total.bytes };
  }

  private async usage(
    { account, owner }: Pick<BatchOwner, 'account' | 'owner'>,
    ofAccount = 'request_bytes($1, $2)',
    ofAll = 'request_bytes(NULL, NULL)',
  ): Promise<Usage> {
    const sizes = (filter: string, results: string): string =>
      `json_build_object('batches', count(*)${filter}, 'rows', coalesce(sum(kept_rows)${filter}, 0), 'bytes', coalesce(sum(kept_bytes)${filter}, 0) + ${results})::text`;
    const [row] = await this.store.query<Record<keyof BatchQuotaLimits, string>>(
      `SELECT ${sizes('', ofAll)} AS total, ${sizes(' FILTER (WHERE account = $1 AND owner = $2)', ofAccount)} AS account
      FROM batch WHERE state <> 'ERASED' AND NOT ${isAbandoned}`,
      [account, owner],
    );
    return { account: JSON.parse(row?.account ?? '{}'), total: JSON.parse(row?.total ?? '{}') };
  }
}

const spanishKinds: Readonly<Record<QuotaKind, string>> = { batches: 'lotes', rows: 'filas', bytes: 'bytes' };

/** Returns the problem. `stored` does not include what the request would have added. */
function exceeded(scope: keyof Usage, kind: QuotaKind, stored: number, limit: number, owner: string): Problem {
  const setting = `BATCH_${scope.toUpperCase()}_${kind.toUpperCase()}`;
  const [english, spanish] =
    scope === 'total'
      ? [
          `The accounts together store ${stored} of at most ${limit} ${kind}`,
          `Las cuentas juntas guardan ${stored} de ${limit} ${spanishKinds[kind]} como máximo`,
        ]
      : [
          `This ${owner === accountOwner ? 'account' : 'client'} stores ${stored} of at most ${limit} ${kind}`,
          `${owner === accountOwner ? 'Esta cuenta' : 'Este cliente'} guarda ${stored} de ${limit} ${spanishKinds[kind]} como máximo`,
        ];
  return problem(batchCodes.BATCH_QUOTA_EXCEEDED, {
    message: `${english} (${setting}). Erase batches that you no longer need, or ask the operator to raise the limit.`,
    spanish: `${spanish} (${setting}). Borre los lotes que ya no necesite, o pida a quien opera el servicio que suba el límite.`,
  });
}
