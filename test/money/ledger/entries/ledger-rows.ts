import { createHmac } from 'node:crypto';
import { EntryIds } from '../../../../src/money/ledger/entries/entry-json';
import type { LedgerFilter, LedgerView } from '../../../../src/money/ledger/entries/ledger-api';
import type { IndexedText } from '../../../../src/money/ledger/entries/subject-index';
import type { Subject } from '../../../../src/registry/endpoint/endpoint';
import type { Store } from '../../../../src/store/store';

/** Values of an entry. The defaults are those of a charged call with the outcome FOUND. */
export interface RowValues {
  readonly at: string;
  readonly account?: string;
  readonly client?: string | null;
  readonly tag?: string | null;
  readonly purpose?: string | null;
  readonly operation?: string | null;
  readonly endpoint?: string;
  readonly outcome?: string;
  readonly price?: number;
  readonly units?: number;
  readonly billing?: string;
  readonly servedFrom?: string;
  readonly saving?: string | null;
  readonly subjects?: readonly Subject[];
}

const ids = new EntryIds('TESTTEST');
const keys = ['new key', 'old key'];

export const hashUnder = (key: string, { kind, value }: IndexedText): string =>
  createHmac('sha256', key).update(`${kind} ${value}`).digest('hex');

export const hashSubject = (subject: IndexedText): readonly string[] => keys.map((key) => hashUnder(key, subject));

/** Inserts an entry into the store, and returns its ID. */
export async function insertRow(store: Store, values: RowValues): Promise<string> {
  const {
    at,
    account = 'a',
    client = null,
    tag = null,
    purpose = null,
    operation = null,
    endpoint = 'POST /api/x',
    outcome = 'FOUND',
  } = values;
  const { price = 1, units = price, billing = 'CHARGED', servedFrom = 'LIVE', saving = null, subjects = [] } = values;
  const moment = new Date(at);
  const id = ids.next(moment);
  await store.query(
    `INSERT INTO ledger_entries (id, at, account, process, client, tag, operation, endpoint, outcome, units, price, billing, served_from, saving, purpose)
     VALUES ($1, $2, $3, 'test', $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
    [
      id,
      moment,
      account,
      client,
      tag,
      operation,
      endpoint,
      outcome,
      units,
      price,
      billing,
      servedFrom,
      saving,
      purpose,
    ],
  );
  for (const subject of subjects)
    await store.query(
      `INSERT INTO ledger_subjects (hash, entry_id, kind, key_version) VALUES (decode($1, 'hex'), $2, $3, 'k')`,
      [hashUnder('old key', subject), id, subject.kind],
    );
  return id;
}

export const openReference = (): null => null;

export const everything: LedgerFilter = {
  from: null,
  to: null,
  client: null,
  tag: null,
  purpose: null,
  operation: null,
  endpoint: null,
  batch: null,
  actor: null,
  reference: null,
  billing: null,
  unsettled: null,
};

export const viewOf = (account: string, client: string | null = null): LedgerView => ({ accounts: [account], client });
