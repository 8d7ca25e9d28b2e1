import type { Migration } from '../../store/store';
import { eraseFunctions } from './erase-function';
import { openFunction } from './open-function';
import { firstSummedId, sumFunctions } from './sum-functions';
import { writeFunction } from './write-function';

/** Drops the functions of earlier versions and their triggers. `ledger_spend` must exist, because a parameter has its type. */
const dropFunctions = `
      DROP FUNCTION IF EXISTS ledger_lock(), ledger_first_day(text, date), ledger_alert(text[], boolean), ledger_move(ledger_spend[]),
        ledger_roll(text[], timestamptz), ledger_use_zone(text, text), ledger_count_added(), ledger_count_changed(),
        ledger_count_removed(), ledger_open(json, text, timestamptz), ledger_write(json, text) CASCADE;`;

/**
 * Migrations of the ledger, in order. The tables of a released migration never change: a later migration alters them. The functions
 * are created by the last migration, so only the current version of each is here.
 */
export const ledgerMigrations: readonly Migration[] = [
  {
    name: 'ledger-01-entries',
    // An ID begins with its time (`entry-id.ts`), so entries are ordered by time and a range of time is a range of IDs. There are few
    // indexes, because each one slows down every call. Every read of entries names an account, and links to subjects are deleted by time.
    sql: `
      CREATE TABLE ledger_entries (
        id text COLLATE "C" NOT NULL,
        at timestamptz NOT NULL,
        account text NOT NULL,
        process text NOT NULL,
        client text,
        tag text,
        operation text,
        request_id text,
        batch_id text,
        endpoint text NOT NULL,
        outcome text NOT NULL,
        status int4,
        problem text,
        units int4 NOT NULL,
        price int4 NOT NULL,
        billing text NOT NULL,
        served_from text NOT NULL,
        validation_code text,
        checked_at timestamptz,
        settled_billing text,
        settled_units int4,
        settled_at timestamptz,
        settled_note text,
        PRIMARY KEY (account, id)
      );
      CREATE INDEX ledger_entries_unsettled ON ledger_entries (account, id)
        WHERE billing = 'UNKNOWN' AND settled_billing IS NULL;
      CREATE INDEX ledger_entries_by_batch ON ledger_entries (batch_id, id) WHERE batch_id IS NOT NULL;
      CREATE TABLE ledger_subjects (
        hash bytea NOT NULL,
        entry_id text COLLATE "C" NOT NULL,
        kind text NOT NULL,
        key_version text NOT NULL,
        PRIMARY KEY (hash, entry_id)
      );
      CREATE INDEX ledger_subjects_by_entry ON ledger_subjects USING brin (entry_id);
      CREATE TABLE ledger_erasures (
        account text NOT NULL,
        hash bytea NOT NULL,
        at timestamptz NOT NULL,
        PRIMARY KEY (account, hash)
      );
    `,
  },
  {
    name: 'ledger-02-budgets',
    // In this version a budget gave each process an allotment (slice) of its units. `ledger-05-sums` drops these tables.
    sql: `
      CREATE TABLE ledger_budgets (
        id text PRIMARY KEY,
        account text NOT NULL,
        client text,
        tag text,
        period text NOT NULL CHECK (period IN ('DAY', 'MONTH')),
        units int8 NOT NULL CHECK (units >= 0),
        alerts_at int4[] NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE UNIQUE INDEX ledger_budgets_by_scope
        ON ledger_budgets (account, coalesce(client, ''), coalesce(tag, ''), period);
      CREATE TABLE ledger_budget_periods (
        budget_id text NOT NULL,
        starts_at timestamptz NOT NULL,
        granted int8 NOT NULL,
        last_grant int8 NOT NULL DEFAULT 0,
        PRIMARY KEY (budget_id, starts_at)
      );
      CREATE TABLE ledger_budget_slices (
        budget_id text NOT NULL,
        starts_at timestamptz NOT NULL,
        process text NOT NULL,
        account text NOT NULL,
        first_id text COLLATE "C" NOT NULL,
        granted int8 NOT NULL,
        renewed_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (budget_id, starts_at, process)
      );
      CREATE INDEX ledger_entries_settled ON ledger_entries (account, id) WHERE settled_billing IS NOT NULL;
      CREATE TABLE ledger_alerts (
        budget_id text NOT NULL,
        starts_at timestamptz NOT NULL,
        percent int4 NOT NULL,
        claimed_at timestamptz NOT NULL DEFAULT now(),
        delivered_at timestamptz,
        PRIMARY KEY (budget_id, starts_at, percent)
      );
    `,
  },
  {
    name: 'ledger-03-keys',
    // IDs of the DATA_KEYS that entries were written with. An ID does not reveal its key.
    sql: 'CREATE TABLE ledger_keys (id text PRIMARY KEY, used_at timestamptz NOT NULL)',
  },
  {
    name: 'ledger-04-audit',
    // `details` contains only parameters and counts. An ID begins with the time of its record, as in `ledger_entries`.
    sql: `
      CREATE TABLE ledger_audit (
        id text COLLATE "C" NOT NULL,
        at timestamptz NOT NULL,
        account text NOT NULL,
        client text,
        scope text,
        request_id text NOT NULL,
        action text NOT NULL,
        outcome text NOT NULL,
        details jsonb NOT NULL,
        PRIMARY KEY (account, id)
      );
    `,
  },
  {
    name: 'ledger-05-sums',
    // Each budget has the sums of the period that begins on `first_day`. If it is null, the budget's next use calculates them.
    sql: `
      CREATE TABLE ledger_calendar (time_zone text NOT NULL);
      INSERT INTO ledger_calendar VALUES ('');
      CREATE TABLE ledger_spend (
        account text NOT NULL,
        day date NOT NULL,
        client text NOT NULL,
        tag text NOT NULL,
        spent int8 NOT NULL,
        uncertain int8 NOT NULL,
        reserved int8 NOT NULL,
        PRIMARY KEY (account, day, client, tag)
      );
      CREATE TABLE ledger_labels (
        account text NOT NULL,
        client text NOT NULL,
        tag text NOT NULL,
        seen_at timestamptz NOT NULL,
        PRIMARY KEY (account, client, tag)
      );
      ALTER TABLE ledger_budgets ADD accounts text[] NOT NULL DEFAULT '{}', ADD first_day date, ADD spent int8 NOT NULL DEFAULT 0,
        ADD uncertain int8 NOT NULL DEFAULT 0, ADD reserved int8 NOT NULL DEFAULT 0;
      UPDATE ledger_budgets SET accounts = ARRAY[account];
      DROP TABLE ledger_budget_slices, ledger_budget_periods;
      DROP INDEX ledger_entries_settled;
      -- Alerts stay here until they are delivered. Earlier versions did not mark alerts as delivered if ALERT_URL was not set, so the
      -- update below marks all that are older than a day.
      ALTER TABLE ledger_alerts ADD spent int8, ADD attempts int4 NOT NULL DEFAULT 0, ADD next_at timestamptz NOT NULL DEFAULT now();
      UPDATE ledger_alerts SET delivered_at = claimed_at WHERE delivered_at IS NULL AND claimed_at < now() - interval '1 day';
      CREATE INDEX ledger_alerts_due ON ledger_alerts (next_at) WHERE delivered_at IS NULL;
    `,
  },
  {
    name: 'ledger-06-functions',
    // A new ledger has the default time zone until a process sets its TIME_ZONE. An existing ledger keeps its time zone.
    sql: `
      ${dropFunctions}
      ${sumFunctions}
      ${eraseFunctions}
      ${openFunction}
      ${writeFunction}
      SELECT ledger_set_time_zone('America/Mexico_City', '${firstSummedId(new Date())}') FROM ledger_calendar WHERE time_zone = '';
    `,
  },
];
