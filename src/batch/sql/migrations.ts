import type { Migration } from '../../store/store';
import { rowFunctions } from './row-functions';
import { batchTables } from './tables';
import { workerFunctions } from './worker-functions';

/**
 * SQL functions for questions. A question is stored before it is sent, and a stored question is never sent again. Each
 * function locks the batch's row first, so all workers agree on the spent, reserved and remaining units. Each is
 * idempotent, so a worker can retry it if the connection was lost.
 */
const questionFunctions = `
-- Whether the data of a row was erased.
CREATE OR REPLACE FUNCTION batch_is_erased(p_batch text, p_number integer) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM batch_row WHERE batch = p_batch AND number = p_number AND length(input) = 0)
$$;

CREATE OR REPLACE FUNCTION batch_claim(p_batch text, p_worker text, p_run integer, p_claims json)
RETURNS TABLE (name text, verdict text, row_number integer, exchange bytea, asked_at timestamptz)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v_batch batch%ROWTYPE;
  v_claim record;
  v_question batch_question%ROWTYPE;
  v_taken integer := 0;
  v_room integer;
  v_exceeded boolean := false;
BEGIN
  -- A worker sends the call after this transaction. Whatever the server's setting, the claim must be on disk first.
  PERFORM set_config('synchronous_commit', 'on', true);
  SELECT * INTO v_batch FROM batch WHERE id = p_batch FOR UPDATE;
  v_room := v_batch.max_units - v_batch.spent - v_batch.uncertain - v_batch.reserved;
  FOR v_claim IN SELECT * FROM json_to_recordset(p_claims) AS c(name text, claim text, price integer, row_number integer,
    affordable boolean) LOOP
    name := v_claim.name; row_number := v_claim.row_number; exchange := NULL; asked_at := NULL;
    SELECT * INTO v_question FROM batch_question q WHERE q.batch = p_batch AND q.name = v_claim.name;
    IF FOUND AND v_question.state = 'ASKED' AND v_question.claim = v_claim.claim THEN
      verdict := 'CLAIMED';
    ELSIF FOUND THEN
      verdict := v_question.state; row_number := v_question.row_number;
      exchange := v_question.exchange; asked_at := v_question.asked_at;
    ELSIF v_batch.state IS DISTINCT FROM 'RUNNING' OR v_batch.run <> p_run OR batch_is_erased(p_batch, v_claim.row_number) THEN
      verdict := 'STOPPED';
    ELSIF NOT v_claim.affordable THEN
      verdict := 'UNAFFORDABLE';
    ELSIF v_claim.price > v_room THEN
      -- The calls that hold reserved units may turn out to be free.
      IF v_batch.reserved + v_taken > 0 THEN verdict := 'WAIT'; ELSE verdict := 'STOPPED'; v_exceeded := true; END IF;
    ELSE
      INSERT INTO batch_question (batch, name, state, worker, claim, row_number, price)
      VALUES (p_batch, v_claim.name, 'ASKED', p_worker, v_claim.claim, v_claim.row_number, v_claim.price);
      v_taken := v_taken + v_claim.price; v_room := v_room - v_claim.price;
      verdict := 'CLAIMED';
    END IF;
    RETURN NEXT;
  END LOOP;
  IF v_taken > 0 THEN UPDATE batch SET reserved = reserved + v_taken WHERE id = p_batch; END IF;
  IF v_exceeded THEN
    UPDATE batch SET state = 'PAUSED', reason = 'UNIT_BUDGET_EXCEEDED' WHERE id = p_batch AND state = 'RUNNING';
  END IF;
END $$;

CREATE OR REPLACE FUNCTION batch_settle(p_batch text, p_settlements json) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_settlement record;
  v_question batch_question%ROWTYPE;
  v_spent integer := 0;
  v_uncertain integer := 0;
  v_reserved integer := 0;
BEGIN
  PERFORM set_config('synchronous_commit', 'on', true);
  PERFORM 1 FROM batch WHERE id = p_batch FOR UPDATE;
  FOR v_settlement IN SELECT * FROM json_to_recordset(p_settlements)
    AS s(name text, claim text, state text, units integer, failed boolean, exchange text) LOOP
    -- The answer of a worker that was declared dead also counts, if it arrives later.
    SELECT * INTO v_question FROM batch_question q
    WHERE q.batch = p_batch AND q.name = v_settlement.name AND q.claim = v_settlement.claim
      AND (q.state = 'ASKED' OR (q.state = 'UNKNOWN' AND q.exchange IS NULL));
    CONTINUE WHEN NOT FOUND;
    IF v_question.state = 'ASKED' THEN v_reserved := v_reserved - v_question.price;
    ELSE v_uncertain := v_uncertain - v_question.price; END IF;
    IF v_settlement.state = 'RELEASED' THEN
      DELETE FROM batch_question q WHERE q.batch = p_batch AND q.name = v_settlement.name;
      CONTINUE;
    END IF;
    UPDATE batch_question q SET state = v_settlement.state, units = v_settlement.units, failed = v_settlement.failed,
      exchange = CASE WHEN batch_is_erased(p_batch, q.row_number) THEN NULL ELSE decode(v_settlement.exchange, 'base64') END
    WHERE q.batch = p_batch AND q.name = v_settlement.name;
    v_spent := v_spent + v_settlement.units;
    IF v_settlement.state = 'UNKNOWN' THEN v_uncertain := v_uncertain + v_question.price; END IF;
  END LOOP;
  UPDATE batch SET spent = spent + v_spent, uncertain = uncertain + v_uncertain, reserved = reserved + v_reserved
  WHERE id = p_batch AND (v_spent <> 0 OR v_uncertain <> 0 OR v_reserved <> 0);
END $$;
`;

/** SQL functions with which callers cancel, retry and erase. */
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
    token_holder = NULL, finished_at = now(), expires_at = now() + retention_days * interval '1 day'
  WHERE id = p_batch;
  RETURN true;
END $$;

CREATE OR REPLACE FUNCTION batch_retry(p_batch text, p_scope text, p_max_units integer, p_row_units integer, p_token bytea,
  p_holder text, p_client text, p_permissions text) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  v_count integer;
BEGIN
  PERFORM 1 FROM batch WHERE id = p_batch AND state IN ('DONE', 'PAUSED') AND wrapped_key IS NOT NULL FOR UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  IF p_scope = 'UNKNOWN' THEN
    -- The price of these questions stays uncertain, because the service may have charged it.
    DELETE FROM batch_question WHERE batch = p_batch AND state = 'UNKNOWN';
  ELSE
    DELETE FROM batch_question WHERE batch = p_batch AND state = 'ANSWERED' AND failed AND units = 0;
  END IF;
  -- A failed row whose data was rejected would fail again.
  WITH again AS (
    UPDATE batch_row SET state = 'WAITING', tries = 0, due = NULL, uncertain_before = uncertain
    WHERE batch = p_batch AND state = p_scope AND (p_scope <> 'FAILED' OR retryable) RETURNING number
  ) SELECT count(*) INTO v_count FROM again;
  UPDATE batch SET state = 'RUNNING', reason = NULL, run = run + 1, max_units = p_max_units, row_units = p_row_units, token = p_token, token_holder = p_holder,
    client = p_client, permissions = p_permissions,
    failed = failed - CASE WHEN p_scope = 'FAILED' THEN v_count ELSE 0 END,
    retryable = retryable - CASE WHEN p_scope = 'FAILED' THEN v_count ELSE 0 END,
    unknown = unknown - CASE WHEN p_scope = 'UNKNOWN' THEN v_count ELSE 0 END,
    running_since = now(), finished_at = NULL
  WHERE id = p_batch;
  UPDATE batch SET running_from = done + failed + unknown + canceled WHERE id = p_batch;
  PERFORM batch_end(p_batch);
  RETURN true;
END $$;

-- Deletes the input and the answers of rows, and the links to their people. The rows stay, with their number, state and cost.
CREATE OR REPLACE FUNCTION batch_clear_rows(p_batch text, p_numbers integer[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE batch_row SET input = '', result = NULL, retryable = false WHERE batch = p_batch AND number = ANY(p_numbers);
  UPDATE batch_question SET exchange = NULL WHERE batch = p_batch AND row_number = ANY(p_numbers);
  DELETE FROM batch_subject WHERE batch = p_batch AND number = ANY(p_numbers);
END $$;

-- Clears all rows about a person. Rows that are running end without a result.
CREATE OR REPLACE FUNCTION batch_erase_subject(p_accounts json, p_hashes json) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  v_hit record;
  v_waiting integer;
  v_retryable integer;
  v_count integer := 0;
BEGIN
  -- A row that is being finished is indexed before this function looks for rows.
  PERFORM 1 FROM batch WHERE account IN (SELECT a.value FROM json_array_elements_text(p_accounts) AS a(value)) ORDER BY id FOR UPDATE;
  FOR v_hit IN
    SELECT s.batch, array_agg(DISTINCT s.number) AS numbers FROM batch_subject s JOIN batch b ON b.id = s.batch
    WHERE s.hash IN (SELECT decode(h.value, 'hex') FROM json_array_elements_text(p_hashes) AS h(value))
      AND b.account IN (SELECT a.value FROM json_array_elements_text(p_accounts) AS a(value))
    GROUP BY s.batch LOOP
    WITH ended AS (
      UPDATE batch_row SET state = 'CANCELED' WHERE batch = v_hit.batch AND number = ANY(v_hit.numbers) AND state = 'WAITING'
      RETURNING number
    ) SELECT count(*) INTO v_waiting FROM ended;
    SELECT count(*) INTO v_retryable FROM batch_row
    WHERE batch = v_hit.batch AND number = ANY(v_hit.numbers) AND state = 'FAILED' AND retryable;
    PERFORM batch_clear_rows(v_hit.batch, v_hit.numbers);
    UPDATE batch SET canceled = canceled + v_waiting, retryable = retryable - v_retryable WHERE id = v_hit.batch;
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
  UPDATE batch_question SET state = 'UNKNOWN' WHERE batch = p_batch AND state = 'ASKED';
  UPDATE batch SET state = 'ERASED', reason = NULL, wrapped_key = NULL, header = NULL, rejected = NULL, token = NULL,
    token_holder = NULL, upload = NULL, uncertain = uncertain + reserved, reserved = 0, retryable = 0,
    -- A batch that never had rows leaves nothing behind, so its key can be used again.
    key_name = CASE WHEN total = 0 THEN NULL ELSE key_name END
  WHERE id = p_batch AND state <> 'ERASED';
  RETURN FOUND;
END $$;
`;

/** Migrations of the batches' tables and functions, in order. */
export const batchMigrations: readonly Migration[] = [
  { name: 'batch-tables', kind: 'tables', sql: batchTables },
  {
    name: 'batch-functions',
    kind: 'functions',
    sql: [questionFunctions, rowFunctions, changeFunctions, workerFunctions].join('\n'),
  },
];
