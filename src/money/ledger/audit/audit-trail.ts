import type { Store } from '../../../store/store';
import { Conditions, readCursor, toCursor } from '../entries/conditions';
import { EntryIds, firstIdOf, newProcessName } from '../entries/entry-json';
import type { PageRequest } from '../entries/ledger-api';
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

export type AuditObserver = (record: AuditRecord, logAccount: string) => void;

const priceKeptAnswers = { action: 'PRICE_KEPT_ANSWERS', scope: null, details: {} } as const;

/** The audit trail: a stored record of each action. A record does not identify the person that the action was about. */
export class AuditTrail {
  private readonly ids = new EntryIds(newProcessName());

  constructor(
    private readonly store: Store,
    private readonly now: () => Date,
    private readonly observe: AuditObserver,
  ) {}

  of(actor: AuditActor): CallerTrail {
    const added = new Map<string, Promise<void>>();
    return {
      around: (action, change, describe) => this.around(actor, action, change, describe),
      add: (action, kind) => {
        const record = added.get(kind ?? '') ?? this.add(actor, action);
        if (kind !== undefined) added.set(kind, record);
        return record;
      },
      addPrice: (entries) => this.add(actor, priceKeptAnswers, entries),
      page: (filter, request) => this.page(actor.accounts, filter, request),
    };
  }

  private async add(actor: AuditActor, action: AuditedAction, foreign: readonly string[] | null = null): Promise<void> {
    const row = this.newRow(actor, action, 'DONE');
    if (await this.insert(row, actor.accounts, foreign)) this.observe(row, actor.logAccount);
  }

  private async around<Result>(
    actor: AuditActor,
    action: AuditedAction,
    change: (receipt: AuditReceipt) => Promise<Result>,
    describe: (settled: PromiseSettledResult<Result>) => AuditResult,
  ): Promise<Result> {
    const row = this.newRow(actor, action, 'UNFINISHED');
    await this.insert(row, actor.accounts);
    const [settled] = await Promise.allSettled([change(row)]);
    const { outcome, details } = describe(settled);
    this.observe({ ...row, outcome }, actor.logAccount);
    // A result, once written, never changes.
    if (outcome !== 'UNFINISHED')
      await this.store.query(
        `UPDATE ledger_audit SET outcome = $3, details = details || $4::jsonb
         WHERE account = $1 AND id = $2 AND outcome = 'UNFINISHED'`,
        [row.account, row.id, outcome, JSON.stringify(details)],
      );
    if (settled.status === 'rejected') throw settled.reason;
    return settled.value;
  }

  /** Returns whether the record was inserted. With `foreign`, it is only if one of these entries is of another client, and once a day. */
  private async insert(
    row: AuditRow,
    accounts: readonly string[],
    foreign: readonly string[] | null = null,
  ): Promise<boolean> {
    const { id, at, account, client, actor, scope, requestId, action, outcome, details } = row;
    const inserted = await this.store.query(
      `INSERT INTO ledger_audit (id, at, account, client, actor, scope, request_id, action, outcome, details)
       SELECT $1, $2::timestamptz, $3, $4, $5, $6, $7, $8, $9, $10::jsonb WHERE $11::text[] IS NULL OR EXISTS (
         SELECT FROM ledger_entries e WHERE e.account = ANY($12) AND e.id = ANY($11) AND e.client IS DISTINCT FROM $4)
       ON CONFLICT (account, coalesce(client, ''), coalesce(actor, ''), ((at AT TIME ZONE 'UTC')::date)) WHERE action = 'PRICE_KEPT_ANSWERS'
         DO NOTHING RETURNING id`,
      [id, at, account, client, actor, scope, requestId, action, outcome, JSON.stringify(details), foreign, accounts],
    );
    return inserted.length > 0;
  }

  private newRow(caller: AuditActor, action: AuditedAction, outcome: AuditOutcome): AuditRow {
    const { accounts, client, actor, requestId } = caller;
    const moment = this.now();
    const account = accounts[0] ?? '';
    return { id: this.ids.next(moment), at: moment, account, client, actor, requestId, outcome, ...action };
  }

  private async page(
    accounts: readonly string[],
    filter: AuditFilter,
    { first, after }: PageRequest,
  ): Promise<AuditPage> {
    const lastId = after === null ? null : readCursor(after);
    const conditions = new Conditions();
    conditions.add(`account = ANY(${conditions.parameter(accounts)})`);
    addFilter(conditions, filter);
    if (lastId !== null) conditions.add(`id < ${conditions.parameter(lastId)}`);
    const found = await this.store.query<AuditRecord>(
      `SELECT id, at, client, scope, request_id AS "requestId", action, outcome, details FROM ledger_audit
       WHERE ${conditions.sql} ORDER BY id DESC LIMIT ${first + 1}`,
      conditions.parameters,
    );
    const records = found.slice(0, first);
    const last = records.at(-1);
    return { records, next: found.length > first && last !== undefined ? toCursor(last.id) : null };
  }
}

interface AuditRow extends AuditRecord {
  readonly account: string;
  readonly actor: string | null;
}

function addFilter(conditions: Conditions, { from, to, action, client, actor, batch, id }: AuditFilter): void {
  // An ID begins with the time of its record, so an interval is a range of IDs.
  if (from !== null) conditions.add(`id >= ${conditions.parameter(firstIdOf(from))}`);
  if (to !== null) conditions.add(`id < ${conditions.parameter(firstIdOf(to))}`);
  if (action !== null) conditions.add(`action = ${conditions.parameter(action)}`);
  if (client !== null) conditions.add(`client = ${conditions.parameter(client)}`);
  if (actor !== null) conditions.add(`actor = ANY(${conditions.parameter(actor)})`);
  if (batch !== null) conditions.add(`details ->> 'batch' = ${conditions.parameter(batch)}`);
  if (id !== null) conditions.add(`id = ${conditions.parameter(id)}`);
}
