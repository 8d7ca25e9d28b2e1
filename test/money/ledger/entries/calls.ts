import { EntryIds } from '../../../../src/money/ledger/entries/entry-json';
import type { Store } from '../../../../src/store/store';

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

/** Returns a call as `call_open` receives its entry. */
export const callOf = ({ account = 'a', client = null, tag = null, price = 1, at = now }: CallValues = {}) => ({
  id: ids.next(at),
  at: at.getTime(),
  began: at.getTime(),
  account,
  client,
  tag,
  purpose: null,
  actor: null,
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

type Entry = Pick<Call, 'id' | 'account'> & Readonly<Record<string, unknown>>;

const accountsOf = (entries: readonly Entry[]): readonly string[] => [
  ...new Set(entries.map(({ account }) => account)),
];

/** Writes entries, as the closer does: those of each account in one statement. */
export async function writeEntries(store: Store, entries: readonly Entry[]): Promise<void> {
  for (const account of accountsOf(entries)) {
    const closings = entries.filter((entry) => entry.account === account).map((entry) => ({ id: entry.id, entry }));
    await store.query('SELECT call_close($1, $2, null, $3::json, null)', ['p', [account], JSON.stringify(closings)]);
  }
}

/** Opens calls. Returns the index of each refused call, and the units left in the budget that refused it. */
export async function openCalls(
  store: Store,
  calls: readonly Call[],
  accounts: readonly string[] = ['a'],
): Promise<readonly (readonly [index: number, unitsLeft: number])[]> {
  await store.query(`SELECT * FROM process_beat('p', 'service', 1, '[]')`);
  const rest = { names: [], claims: [], operations: [], operationUnits: 0, affordable: true };
  const openings = calls.map((entry) => ({ ...rest, id: entry.id, accounts, price: entry.price, entry }));
  const rows = await store.query<{ id: string; verdict: string; details: { left: number } | null }>(
    'SELECT * FROM call_open($1, $2, null, null, null, $3, null, $4::json)',
    ['p', accounts, now, JSON.stringify(openings)],
  );
  return rows
    .filter(({ verdict }) => verdict === 'REFUSED')
    .map(({ id, details }) => [calls.findIndex((call) => call.id === id), details?.left ?? Number.NaN]);
}
