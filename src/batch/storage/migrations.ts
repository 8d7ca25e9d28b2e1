import { requestMigrations } from '../../calls/idempotency/migrations';
import { callMigrations } from '../../calls/store/migrations';
import { ledgerMigrations } from '../../ledger/sql/migrations';
import type { Migration } from '../../store/store';
import { answerFunctions, releaseFunction, rowFunctions } from './run-functions';

/**
 * Tables of batches. Personal data is encrypted (`bytea`) with the batch's key, and a question is stored under a name that
 * only this key can compute. A row's subjects are keyed hashes, so that an erasure can find the row. The row of `batch` has
 * the sums. A function that changes what is spent or reserved locks it first.
 */
const batchTables = `
CREATE TABLE batch (
  id text PRIMARY KEY,
  account text NOT NULL, owner text NOT NULL, key_name text, fingerprint text NOT NULL,
  state text NOT NULL, reason text, pause text,
  header bytea, wrapped_key bytea,
  refused bytea, refused_count integer NOT NULL DEFAULT 0,
  sandbox boolean NOT NULL, uses_server_token boolean NOT NULL, permissions text,
  language text NOT NULL, client text, tag text, purpose text, actor text,
  token bytea,
  upload text, pricer text, estimate text, disallowed_endpoints text,
  max_units integer, row_units integer,
  spent integer NOT NULL DEFAULT 0, uncertain integer NOT NULL DEFAULT 0,
  reserved integer NOT NULL DEFAULT 0, saved integer NOT NULL DEFAULT 0,
  total integer NOT NULL DEFAULT 0, done integer NOT NULL DEFAULT 0,
  failed integer NOT NULL DEFAULT 0, retryable integer NOT NULL DEFAULT 0,
  unknown integer NOT NULL DEFAULT 0, canceled integer NOT NULL DEFAULT 0,
  erased integer NOT NULL DEFAULT 0, doubtful integer NOT NULL DEFAULT 0,
  kept_rows integer NOT NULL DEFAULT 0, kept_bytes bigint NOT NULL DEFAULT 0, retention_days integer NOT NULL,
  run integer NOT NULL DEFAULT 0, running_since timestamptz, running_from integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(), started_at timestamptz, finished_at timestamptz,
  waits_until timestamptz NOT NULL DEFAULT now() + interval '1 hour', expires_at timestamptz NOT NULL,
  UNIQUE (account, owner, key_name)
);
CREATE INDEX batch_by_account ON batch (account, created_at DESC, id DESC);
CREATE INDEX batch_by_state ON batch (state);

CREATE TABLE batch_row (
  batch text NOT NULL,
  number integer NOT NULL,
  state text NOT NULL DEFAULT 'WAITING',
  worker text,
  due timestamptz,
  tries integer NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0,
  units integer NOT NULL DEFAULT 0,
  uncertain integer NOT NULL DEFAULT 0,
  uncertain_before integer NOT NULL DEFAULT 0,
  retryable boolean NOT NULL DEFAULT false,
  doubtful boolean NOT NULL DEFAULT false,
  input bytea NOT NULL,
  result bytea,
  PRIMARY KEY (batch, number)
);
CREATE INDEX batch_row_waiting ON batch_row (batch, number) WHERE state = 'WAITING';
CREATE INDEX batch_row_running ON batch_row (worker) WHERE state = 'RUNNING';

-- state: OPEN (being asked), ANSWERED, or UNKNOWN (the service may have charged it).
CREATE TABLE batch_answer (
  batch text NOT NULL,
  name text NOT NULL,
  state text NOT NULL,
  process text NOT NULL,
  call text NOT NULL,
  row_number integer NOT NULL,
  price integer NOT NULL,
  units integer NOT NULL DEFAULT 0,
  failed boolean NOT NULL DEFAULT false,
  asked_at timestamptz NOT NULL DEFAULT now(),
  answer bytea,
  PRIMARY KEY (batch, name)
);
CREATE INDEX batch_answer_open ON batch_answer (process) WHERE state = 'OPEN';

CREATE TABLE batch_subject (
  hash bytea NOT NULL,
  batch text NOT NULL,
  number integer NOT NULL,
  PRIMARY KEY (hash, batch, number)
);
CREATE INDEX batch_subject_by_batch ON batch_subject (batch);
`;

const changeFunctions = `
CREATE OR REPLACE FUNCTION batch_cancel(p_batch text) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  v_canceled integer;
BEGIN
  PERFORM 1 FROM batch WHERE id = p_batch AND state NOT IN ('DONE', 'CANCELED', 'ERASED') FOR UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  WITH ended AS (
    UPDATE batch_row SET state = 'CANCELED' WHERE batch = p_batch AND state = 'WAITING' RETURNING number
  ) SELECT count(*) INTO v_canceled FROM ended;
  UPDATE batch SET state = 'CANCELED', reason = NULL, canceled = canceled + v_canceled, upload = NULL, token = NULL,
    finished_at = now(), expires_at = now() + retention_days * interval '1 day'
  WHERE id = p_batch;
  RETURN true;
END $$;

CREATE OR REPLACE FUNCTION batch_retry(p_batch text, p_scope text, p_max_units integer, p_row_units integer, p_token bytea,
  p_client text, p_permissions text, p_actor text) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  v_count integer;
BEGIN
  PERFORM 1 FROM batch WHERE id = p_batch AND state IN ('DONE', 'PAUSED') AND wrapped_key IS NOT NULL FOR UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  IF p_scope = 'UNKNOWN' THEN
    -- The price of these questions stays uncertain, because the service may have charged it.
    DELETE FROM batch_answer WHERE batch = p_batch AND state = 'UNKNOWN';
  ELSE
    DELETE FROM batch_answer WHERE batch = p_batch AND state = 'ANSWERED' AND failed AND units = 0;
  END IF;
  -- A failed row whose data was rejected would fail again.
  WITH again AS (
    UPDATE batch_row SET state = 'WAITING', tries = 0, due = NULL, uncertain_before = uncertain
    WHERE batch = p_batch AND state = p_scope AND (p_scope <> 'FAILED' OR retryable) RETURNING number
  ) SELECT count(*) INTO v_count FROM again;
  UPDATE batch SET state = 'RUNNING', reason = NULL, pause = NULL, run = run + 1, max_units = p_max_units, row_units = p_row_units, token = p_token,
    client = p_client, permissions = p_permissions, actor = coalesce(p_actor, actor),
    failed = failed - CASE WHEN p_scope = 'FAILED' THEN v_count ELSE 0 END,
    retryable = retryable - CASE WHEN p_scope = 'FAILED' THEN v_count ELSE 0 END,
    unknown = unknown - CASE WHEN p_scope = 'UNKNOWN' THEN v_count ELSE 0 END,
    running_since = now(), finished_at = NULL
  WHERE id = p_batch;
  UPDATE batch SET running_from = done + failed + unknown + canceled + erased WHERE id = p_batch;
  PERFORM batch_end(p_batch);
  RETURN true;
END $$;

-- Deletes the input and the answers of rows, and the links to their people. The rows stay, with their number and cost. A row that is
-- running is ERASED when it ends.
CREATE OR REPLACE FUNCTION batch_clear_rows(p_batch text, p_numbers integer[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  WITH ended AS (
    UPDATE batch_row r SET state = 'ERASED' FROM batch_row was
    WHERE r.batch = p_batch AND r.number = ANY(p_numbers) AND r.state NOT IN ('RUNNING', 'REFUSED', 'ERASED')
      AND was.batch = r.batch AND was.number = r.number
    RETURNING was.state, was.retryable, was.doubtful
  )
  UPDATE batch b SET erased = b.erased + c.erased, done = b.done - c.done, failed = b.failed - c.failed, unknown = b.unknown - c.unknown,
    canceled = b.canceled - c.canceled, retryable = b.retryable - c.retryable, doubtful = b.doubtful - c.doubtful
  FROM (SELECT count(*) AS erased, count(*) FILTER (WHERE e.state = 'DONE') AS done, count(*) FILTER (WHERE e.state = 'FAILED') AS failed,
    count(*) FILTER (WHERE e.state = 'UNKNOWN') AS unknown, count(*) FILTER (WHERE e.state = 'CANCELED') AS canceled,
    count(*) FILTER (WHERE e.state = 'FAILED' AND e.retryable) AS retryable, count(*) FILTER (WHERE e.doubtful) AS doubtful FROM ended e) c
  WHERE b.id = p_batch;
  UPDATE batch_row SET input = '', result = NULL, retryable = false, doubtful = false WHERE batch = p_batch AND number = ANY(p_numbers);
  UPDATE batch_answer SET answer = NULL WHERE batch = p_batch AND row_number = ANY(p_numbers);
  DELETE FROM batch_subject WHERE batch = p_batch AND number = ANY(p_numbers);
END $$;

-- Clears all rows about a person. Rows that are running end without a result.
CREATE OR REPLACE FUNCTION batch_erase_subject(p_accounts json, p_hashes json) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  v_hit record;
  v_count integer := 0;
BEGIN
  -- A row that is being finished is indexed before this function looks for rows.
  PERFORM 1 FROM batch WHERE account IN (SELECT a.value FROM json_array_elements_text(p_accounts) AS a(value)) ORDER BY id FOR UPDATE;
  FOR v_hit IN
    SELECT s.batch, array_agg(DISTINCT s.number) AS numbers FROM batch_subject s JOIN batch b ON b.id = s.batch
    WHERE s.hash IN (SELECT decode(h.value, 'hex') FROM json_array_elements_text(p_hashes) AS h(value))
      AND b.account IN (SELECT a.value FROM json_array_elements_text(p_accounts) AS a(value))
    GROUP BY s.batch LOOP
    PERFORM batch_clear_rows(v_hit.batch, v_hit.numbers);
    PERFORM batch_end(v_hit.batch);
    v_count := v_count + cardinality(v_hit.numbers);
  END LOOP;
  RETURN v_count;
END $$;

CREATE OR REPLACE FUNCTION batch_erase(p_batch text) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM batch WHERE id = p_batch FOR UPDATE;
  -- The questions are deleted later. If an answer arrives before that, batch_settle subtracts the price from the uncertain units.
  UPDATE batch_answer SET state = 'UNKNOWN' WHERE batch = p_batch AND state = 'OPEN';
  UPDATE batch SET state = 'ERASED', reason = NULL, wrapped_key = NULL, header = NULL, refused = NULL, token = NULL,
    upload = NULL, uncertain = uncertain + reserved, reserved = 0, retryable = 0,
    -- A batch that never had rows leaves nothing behind, so its key can be used again.
    key_name = CASE WHEN total = 0 THEN NULL ELSE key_name END
  WHERE id = p_batch AND state <> 'ERASED';
  RETURN FOUND;
END $$;
`;

/**
 * Adds an event in the transaction that changes the state of a batch. The event of a pause waits until no row runs and no call is open, so
 * that its units are final: a row that ends sets `saved`, and a call that ends changes `reserved`. There is none if a caller pauses a
 * batch, which has no reason, and none if the pricing fails, after which the batch has no estimate and cannot be started.
 */
const eventTrigger = `
CREATE OR REPLACE FUNCTION batch_add_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.state = 'PAUSED' AND EXISTS (SELECT FROM batch_row r WHERE r.batch = NEW.id AND r.state = 'RUNNING') THEN RETURN NULL; END IF;
  INSERT INTO ledger_events (key, accounts, type, subject, data)
  SELECT s.subject || ':' || NEW.state || ':' || NEW.run, ARRAY[NEW.account], 'batch.' || lower(NEW.state), s.subject,
    json_build_object('batch', NEW.id, 'rows', NEW.total, 'units', NEW.spent, 'uncertainUnits', NEW.uncertain, 'reason', NEW.reason,
      'pausedUntil', NEW.pause::json->>'until', 'budget', NEW.pause::json#>>'{budget,id}')
  FROM (SELECT 'batch:' || NEW.id AS subject) s
  ON CONFLICT (key) DO NOTHING;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER batch_add_event AFTER UPDATE OF state, reserved, saved ON batch FOR EACH ROW
WHEN ((OLD.state <> NEW.state AND (NEW.state = 'DONE' OR (NEW.state = 'READY' AND NEW.estimate IS NOT NULL)))
  OR (NEW.state = 'PAUSED' AND NEW.reason IS NOT NULL AND NEW.reserved = 0))
EXECUTE FUNCTION batch_add_event();
`;

/** Changes the sums of a batch with those of the ledger, if a call is settled, or if the service reports its billing after that. */
const settlementTrigger = `
CREATE OR REPLACE FUNCTION batch_add_settlement() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE batch SET spent = spent + coalesce(NEW.settled_units, 0) - coalesce(OLD.settled_units, 0),
    uncertain = uncertain + NEW.price * ((NEW.settled_billing IS NULL)::integer - (OLD.settled_billing IS NULL)::integer)
  WHERE id = NEW.batch_id;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER batch_add_settlement AFTER UPDATE ON ledger_entries FOR EACH ROW
WHEN (NEW.batch_id IS NOT NULL AND OLD.settled_billing IS DISTINCT FROM NEW.settled_billing)
EXECUTE FUNCTION batch_add_settlement();
`;

const batchMigrations: readonly Migration[] = [
  { name: 'batch-tables', kind: 'tables', sql: batchTables },
  {
    name: 'batch-functions',
    kind: 'functions',
    sql: [answerFunctions, rowFunctions, changeFunctions, releaseFunction, eventTrigger, settlementTrigger].join('\n'),
  },
];

/** The whole schema of a store. The functions of calls use the tables of the ledger and of batches. */
export const storeMigrations: readonly Migration[] = [
  ...ledgerMigrations,
  ...batchMigrations,
  ...callMigrations,
  ...requestMigrations,
];
