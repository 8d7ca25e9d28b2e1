import type { StoreParameter } from '../../store/store';
import { firstIdOf } from '../entry-id';
import type { LedgerFilter, LedgerView } from './port';

/** Conditions of a statement, and the values of its parameters. */
export class Conditions {
  readonly parameters: StoreParameter[] = [];
  private readonly clauses: string[] = [];

  /** Adds a value and returns its parameter, such as `$1`. */
  parameter(value: StoreParameter): string {
    this.parameters.push(value);
    return `$${this.parameters.length}`;
  }

  add(clause: string): void {
    this.clauses.push(clause);
  }

  get sql(): string {
    return this.clauses.length === 0 ? 'true' : this.clauses.join(' AND ');
  }
}

/** Entries of the view, and no other's: every statement of the reading side begins with this. The account's names are `$1`. */
export function withinView({ accounts, client }: LedgerView, account = 'ANY($1)'): Conditions {
  const conditions = new Conditions();
  conditions.parameter(accounts);
  conditions.add(`e.account = ${account}`);
  // The row of a call that was taken back before it was sent.
  conditions.add("e.served_from <> 'NOT_SENT'");
  if (client !== null) conditions.add(`e.client = ${conditions.parameter(client)}`);
  return conditions;
}

const unsettled = "e.billing = 'UNKNOWN' AND e.settled_billing IS NULL";

/** An answer that cost nothing, since it was paid for before. */
export const isShared = "e.served_from = 'REPLAY'";

/** Price that a shared answer saved. */
export const savedUnits = `CASE WHEN ${isShared} AND e.outcome IN ('FOUND', 'NOT_FOUND') THEN e.price ELSE 0 END`;

/** Price of a call whose billing is unknown and not settled. */
export const uncertainUnits = `CASE WHEN ${unsettled} THEN e.price ELSE 0 END`;

/** Ids begin in 1970. */
export const firstId = (moment: Date): string => firstIdOf(new Date(Math.max(0, moment.getTime())));

export function addFilter(conditions: Conditions, filter: LedgerFilter): void {
  const { from, to, billing } = filter;
  // An id begins with its time.
  if (from !== null) conditions.add(`e.id >= ${conditions.parameter(firstId(from))}`);
  if (to !== null) conditions.add(`e.id < ${conditions.parameter(firstId(to))}`);
  for (const name of ['client', 'tag', 'operation', 'endpoint'] as const) {
    const value = filter[name];
    if (value !== null) conditions.add(`e.${name} = ${conditions.parameter(value)}`);
  }
  if (filter.batch !== null) conditions.add(`e.batch_id = ${conditions.parameter(filter.batch)}`);
  if (billing !== null) conditions.add(`e.billing = ${conditions.parameter(billing)}`);
  if (filter.unsettled !== null) conditions.add(`(${unsettled}) = ${filter.unsettled}`);
}
