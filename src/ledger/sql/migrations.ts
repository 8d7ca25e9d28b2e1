import type { Migration } from '../../store/store';
import { sumFunctions } from './sum-functions';

const openedColumns = `id text, at int8, began int8, account text, client text, tag text, operation text, request text, batch text,
  endpoint text, price int4, subjects json`;

/**
 * SQL function that opens calls before they are sent. If every budget has enough units left for a call, the call gets a row that
 * reserves its price. Otherwise the function returns the ID of the call with the first budget that refuses it, and the units left in that
 * budget. All calls of one statement must be of the same day, and `p_at` is a moment of that day.
 */
const openFunction = `
  CREATE OR REPLACE FUNCTION ledger_open(p_calls json, p_process text, p_at timestamptz)
  RETURNS TABLE (refused_call text, client text, tag text, period text, units int8, units_left int8)
  LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    v_call record;
    v_budget record;
    v_limiting text[];
    v_id text;
    v_index integer;
    v_opened text[] := '{}';
    v_exhausted text[] := '{}';
    -- IDs of budgets, and at the same positions the units that earlier calls of this statement reserve in them.
    v_ids text[] := '{}';
    v_reserved int8[] := '{}';
  BEGIN
    -- A call may be sent as soon as this commits, so the commit must be on disk, whatever the server's setting.
    PERFORM set_config('synchronous_commit', 'on', true);
    PERFORM ledger_lock();
    FOR v_call IN SELECT DISTINCT c.accounts FROM json_to_recordset(p_calls) AS c(accounts text[]) LOOP
      PERFORM ledger_start_periods(v_call.accounts, p_at);
    END LOOP;
    FOR v_call IN SELECT * FROM json_to_recordset(p_calls) AS c(id text, accounts text[], client text, tag text, price int4) LOOP
      v_limiting := '{}';
      refused_call := NULL;
      FOR v_budget IN
        SELECT b.id, b.client, b.tag, b.period, b.units,
          b.units - b.spent - b.uncertain - b.reserved - coalesce(v_reserved[array_position(v_ids, b.id)], 0) AS units_left
        FROM ledger_budgets b
        WHERE v_call.price > 0 AND b.accounts && v_call.accounts AND (b.client IS NULL OR b.client = v_call.client)
          AND (b.tag IS NULL OR b.tag = v_call.tag)
        ORDER BY b.id LOOP
        IF v_budget.units_left < v_call.price THEN
          refused_call := v_call.id; client := v_budget.client; tag := v_budget.tag; period := v_budget.period;
          units := v_budget.units; units_left := greatest(v_budget.units_left, 0);
          v_exhausted := v_exhausted || v_budget.id;
          RETURN NEXT;
          EXIT;
        END IF;
        v_limiting := v_limiting || v_budget.id;
      END LOOP;
      CONTINUE WHEN refused_call IS NOT NULL;
      v_opened := v_opened || v_call.id;
      FOREACH v_id IN ARRAY v_limiting LOOP
        v_index := array_position(v_ids, v_id);
        IF v_index IS NULL THEN
          v_ids := v_ids || v_id; v_reserved := v_reserved || v_call.price::int8;
        ELSE
          v_reserved[v_index] := v_reserved[v_index] + v_call.price;
        END IF;
      END LOOP;
    END LOOP;
    IF cardinality(v_exhausted) > 0 THEN PERFORM ledger_record_alerts(v_exhausted, true); END IF;
    IF cardinality(v_opened) = 0 THEN RETURN; END IF;
    WITH incoming AS MATERIALIZED (
      SELECT * FROM json_to_recordset(p_calls) AS c(${openedColumns}) WHERE c.id = ANY(v_opened)
    ), stored AS (
      INSERT INTO ledger_entries (id, at, account, process, client, tag, operation, request_id, batch_id, endpoint, outcome,
        units, price, billing, served_from)
      SELECT i.id, to_timestamp(i.at / 1000.0), i.account, p_process, i.client, i.tag, i.operation, i.request, i.batch, i.endpoint,
        'OPEN', 0, i.price, CASE WHEN i.price > 0 THEN 'UNKNOWN' ELSE 'NOT_CHARGED' END, 'LIVE'
      FROM incoming i ON CONFLICT DO NOTHING RETURNING id
    )
    INSERT INTO ledger_subjects (hash, entry_id, kind, key_version)
    SELECT decode(s.value->>1, 'hex'), i.id, s.value->>0, s.value->>2
    FROM stored JOIN incoming i USING (id), json_array_elements(i.subjects) AS s
    WHERE NOT ledger_is_erased(i.account, i.subjects, i.began)
    ON CONFLICT DO NOTHING;
  END $$;`;

const outcomeColumns = `outcome text, status int4, problem text, units int4, billing text, served text, code text, checked int8,
  opened boolean`;

/**
 * SQL function that writes the results of calls. If the store has the opening row of an entry, the result closes that row; the result
 * RELEASED deletes it, because the call was never sent. Any other entry is inserted. An entry that is already stored does not change,
 * because it may have been settled or its subjects erased. Writing an entry twice has the same effect as writing it once.
 */
const writeFunction = `
  CREATE OR REPLACE FUNCTION ledger_write(p_entries json, p_process text) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM ledger_lock();
    WITH incoming AS MATERIALIZED (
      SELECT * FROM json_to_recordset(p_entries) AS entry(${openedColumns}, ${outcomeColumns})
    ), released AS (
      DELETE FROM ledger_entries e USING incoming i
      WHERE i.outcome = 'RELEASED' AND e.account = i.account AND e.id = i.id AND e.outcome = 'OPEN'
    ), unlinked AS (
      DELETE FROM ledger_subjects s USING incoming i, json_array_elements(i.subjects) AS subject
      WHERE i.outcome = 'RELEASED' AND s.hash = decode(subject->>1, 'hex') AND s.entry_id = i.id
    ), closed AS (
      -- A reported billing overrides an earlier manual settlement.
      UPDATE ledger_entries e SET outcome = i.outcome, status = i.status, problem = i.problem, units = i.units, billing = i.billing,
        served_from = i.served, validation_code = i.code, checked_at = to_timestamp(i.checked / 1000.0),
        settled_billing = CASE WHEN i.billing = 'UNKNOWN' THEN e.settled_billing END,
        settled_units = CASE WHEN i.billing = 'UNKNOWN' THEN e.settled_units END,
        settled_at = CASE WHEN i.billing = 'UNKNOWN' THEN e.settled_at END,
        settled_note = CASE WHEN i.billing = 'UNKNOWN' THEN e.settled_note END
      FROM incoming i
      WHERE i.opened AND i.outcome <> 'RELEASED' AND e.account = i.account AND e.id = i.id AND e.outcome = 'OPEN'
    ), stored AS (
      INSERT INTO ledger_entries (id, at, account, process, client, tag, operation, request_id, batch_id, endpoint, outcome,
        status, problem, units, price, billing, served_from, validation_code, checked_at)
      SELECT id, to_timestamp(at / 1000.0), account, p_process, client, tag, operation, request, batch, endpoint, outcome,
        status, problem, units, price, billing, served, code, to_timestamp(checked / 1000.0)
      FROM incoming WHERE outcome <> 'RELEASED'
      ON CONFLICT (account, id) DO NOTHING
      RETURNING id
    )
    INSERT INTO ledger_subjects (hash, entry_id, kind, key_version)
    SELECT decode(subject->>1, 'hex'), id, subject->>0, subject->>2
    FROM stored JOIN incoming i USING (id), json_array_elements(subjects) AS subject
    WHERE NOT ledger_is_erased(i.account, i.subjects, i.began)
    ON CONFLICT DO NOTHING;
  END $$;`;

/**
 * Tables of the ledger. An ID begins with its time (`entry-id.ts`), so entries are ordered by time and a range of time is a range of IDs.
 * There are few indexes, because each one slows down every call. Every read of entries names an account, and links to subjects are deleted
 * by time.
 */
const ledgerTables = `
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
  CREATE INDEX ledger_entries_unsettled ON ledger_entries (account, id) WHERE billing = 'UNKNOWN' AND settled_billing IS NULL;
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

  -- Each budget has the sums of the period that begins on first_day. If it is null, the budget's next use calculates them.
  CREATE TABLE ledger_budgets (
    id text PRIMARY KEY,
    account text NOT NULL,
    accounts text[] NOT NULL DEFAULT '{}',
    client text,
    tag text,
    period text NOT NULL CHECK (period IN ('DAY', 'MONTH')),
    units int8 NOT NULL CHECK (units >= 0),
    alerts_at int4[] NOT NULL,
    first_day date,
    spent int8 NOT NULL DEFAULT 0,
    uncertain int8 NOT NULL DEFAULT 0,
    reserved int8 NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE UNIQUE INDEX ledger_budgets_by_scope ON ledger_budgets (account, coalesce(client, ''), coalesce(tag, ''), period);

  -- Alerts stay here until they are delivered.
  CREATE TABLE ledger_alerts (
    budget_id text NOT NULL,
    starts_at timestamptz NOT NULL,
    percent int4 NOT NULL,
    spent int8 NOT NULL,
    attempts int4 NOT NULL DEFAULT 0,
    next_at timestamptz NOT NULL DEFAULT now(),
    delivered_at timestamptz,
    PRIMARY KEY (budget_id, starts_at, percent)
  );
  CREATE INDEX ledger_alerts_due ON ledger_alerts (next_at) WHERE delivered_at IS NULL;

  -- IDs of the DATA_KEYS that entries were written with. An ID does not reveal its key.
  CREATE TABLE ledger_keys (id text PRIMARY KEY, used_at timestamptz NOT NULL);

  -- The details contain only parameters and counts. An ID begins with the time of its record, as in ledger_entries.
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

  -- The ledger has the default time zone until a process sets its TIME_ZONE.
  CREATE TABLE ledger_calendar (time_zone text NOT NULL);
  INSERT INTO ledger_calendar VALUES ('America/Mexico_City');

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
`;

/**
 * SQL functions for erasures. `ledger_erase` deletes all links of the entries that are linked to a person, because all links of an entry are
 * to the same person, and records the erasure. `p_running` has the IDs of calls under way, whose entries are written later: such an entry
 * gets no link if its request began before the erasure (`ledger_is_erased`). Returns the number of these entries and calls.
 */
const eraseFunctions = `
  CREATE OR REPLACE FUNCTION ledger_is_erased(p_account text, p_subjects json, p_began int8) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
      SELECT 1 FROM json_array_elements(p_subjects) AS s JOIN ledger_erasures x ON x.hash = decode(s.value->>1, 'hex')
      WHERE x.account = p_account AND x.at >= to_timestamp(p_began / 1000.0))
  $$;

  CREATE OR REPLACE FUNCTION ledger_erase(p_accounts text[], p_hashes text[], p_running text[], p_at timestamptz) RETURNS integer
  LANGUAGE plpgsql AS $$
  DECLARE
    v_entries integer;
  BEGIN
    -- A write that holds the lock commits its links first. A later one finds the erasure.
    PERFORM ledger_lock();
    INSERT INTO ledger_erasures (account, hash, at)
    SELECT a.name, decode(h.hash, 'hex'), p_at FROM unnest(p_accounts) AS a(name), unnest(p_hashes) AS h(hash)
    ON CONFLICT (account, hash) DO UPDATE SET at = greatest(ledger_erasures.at, excluded.at);
    WITH linked AS MATERIALIZED (
      SELECT DISTINCT s.entry_id FROM ledger_subjects s JOIN ledger_entries e ON e.id = s.entry_id
      WHERE s.hash IN (SELECT decode(h.hash, 'hex') FROM unnest(p_hashes) AS h(hash)) AND e.account = ANY(p_accounts)
    ), erased AS (
      DELETE FROM ledger_subjects s USING linked WHERE s.entry_id = linked.entry_id
    )
    SELECT count(*) INTO v_entries FROM (SELECT entry_id FROM linked UNION SELECT unnest(p_running)) AS found;
    RETURN v_entries;
  END $$;`;

export const ledgerMigrations: readonly Migration[] = [
  { name: 'ledger-tables', kind: 'tables', sql: ledgerTables },
  {
    name: 'ledger-functions',
    kind: 'functions',
    sql: [sumFunctions, eraseFunctions, openFunction, writeFunction].join('\n'),
  },
];
