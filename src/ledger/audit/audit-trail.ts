import type { Store } from '../../store/store';
import { EntryIds, newProcessName } from '../entry-id';
import { readCursor, toCursor } from '../reading/cursor';
import type { PageRequest } from '../reading/ledger-api';
import type {
  AuditActor,
  AuditedAction,
  AuditFilter,
  AuditOutcome,
  AuditPage,
  AuditReceipt,
  AuditRecord,
  AuditResult,
  CallerTrail,
} from './audit-record';
import { type AuditRow, finishRecord, insertRecord, readRecords } from './audit-rows';

/** Receives each action once its result is known, for the log. */
export type AuditObserver = (record: AuditRecord, logAccount: string) => void;

/** The audit trail: a stored record of each action. A record does not identify the person that the action was about. */
export class AuditTrail {
  private readonly ids = new EntryIds(newProcessName());

  constructor(
    private readonly store: Store,
    private readonly now: () => Date,
    private readonly observe: AuditObserver,
  ) {}

  of(actor: AuditActor): CallerTrail {
    return {
      around: (action, change, describe) => this.around(actor, action, change, describe),
      add: async (action) => {
        const row = this.newRow(actor, action, 'DONE');
        await insertRecord(this.store, row);
        this.observe(row, actor.logAccount);
      },
      page: (filter, request) => this.page(actor.accounts, filter, request),
    };
  }

  private async around<Result>(
    actor: AuditActor,
    action: AuditedAction,
    change: (receipt: AuditReceipt) => Promise<Result>,
    describe: (settled: PromiseSettledResult<Result>) => AuditResult,
  ): Promise<Result> {
    const row = this.newRow(actor, action, 'UNFINISHED');
    await insertRecord(this.store, row);
    const [settled] = await Promise.allSettled([change(row)]);
    const { outcome, details } = describe(settled);
    this.observe({ ...row, outcome }, actor.logAccount);
    if (outcome !== 'UNFINISHED') await finishRecord(this.store, row.account, row.id, outcome, details);
    if (settled.status === 'rejected') throw settled.reason;
    return settled.value;
  }

  private newRow({ accounts, client, requestId }: AuditActor, action: AuditedAction, outcome: AuditOutcome): AuditRow {
    const moment = this.now();
    return { id: this.ids.next(moment), at: moment, account: accounts[0] ?? '', client, requestId, outcome, ...action };
  }

  private async page(
    accounts: readonly string[],
    filter: AuditFilter,
    { first, after }: PageRequest,
  ): Promise<AuditPage> {
    const lastId = after === null ? null : readCursor(after);
    const found = await readRecords(this.store, accounts, filter, first + 1, lastId);
    const records = found.slice(0, first);
    const last = records.at(-1);
    return { records, next: found.length > first && last !== undefined ? toCursor(last.id) : null };
  }
}
