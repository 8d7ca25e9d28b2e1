import { EntryIds } from '../../../src/ledger/entry-id';
import type { Store } from '../../../src/store/store';

/** Time of all calls that do not name another one. */
export const now = new Date();

const ids = new EntryIds('TESTTEST');
export const subject = ['nss', 'ab'.repeat(16), 'key'] as const;

interface CallValues {
  readonly account?: string;
  readonly client?: string | null;
  readonly tag?: string | null;
  readonly price?: number;
  readonly at?: Date;
}

/** Returns a new ID of an entry. */
export const newId = (): string => ids.next(now);

/** Returns a call as `ledger_open` receives it. */
export const callOf = ({ account = 'a', client = null, tag = null, price = 1, at = now }: CallValues = {}) => ({
  id: ids.next(at),
  at: at.getTime(),
  began: at.getTime(),
  account,
  client,
  tag,
  operation: null,
  request: null,
  batch: null,
  endpoint: 'POST /x',
  price,
  subjects: [subject],
});
export type Call = ReturnType<typeof callOf>;

const result = { status: 200, problem: null, served: 'LIVE', code: null, checked: null };
export const charged = (call: Call) => ({
  ...call,
  ...result,
  outcome: 'FOUND',
  units: call.price,
  billing: 'CHARGED',
});
export const unknown = (call: Call) => ({ ...call, ...result, outcome: 'UNAVAILABLE', units: 0, billing: 'UNKNOWN' });
export const free = (call: Call) => ({ ...call, ...result, outcome: 'UNAVAILABLE', units: 0, billing: 'NOT_CHARGED' });

/** Writes entries, as JSON that `ledger_write` receives. */
export const writeEntries = (store: Store, entries: readonly object[]) =>
  store.query('SELECT ledger_write($1::json, $2)', [JSON.stringify(entries), 'p']);

/** Opens calls. Returns the index of each refused call, and the units left in the budget that refused it. */
export async function openCalls(
  store: Store,
  calls: readonly Call[],
  accounts: readonly string[] = ['a'],
): Promise<readonly (readonly [index: number, unitsLeft: number])[]> {
  const rows = await store.query<{ readonly id: string; readonly left: number }>(
    'SELECT r.* FROM ledger_open($1::json, $2, $3) AS r(id, client, tag, period, units, "left")',
    [JSON.stringify(calls.map((call) => ({ ...call, accounts }))), 'p', now],
  );
  return rows.map((refused) => [calls.findIndex(({ id }) => id === refused.id), refused.left]);
}
