/**
 * SQL functions for questions. A question is stored before it is sent, and a stored question is never sent again. Each
 * function locks the batch's row first, so all workers agree on the spent, reserved and remaining units. Each is
 * idempotent, so a worker can retry it if the connection was lost.
 */
export const questionFunctions = `
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

export const rowFunctions = `
-- Reads rows in the order of the index. With any other plan each lease would sort all waiting rows, which is too slow for a large batch.
CREATE OR REPLACE FUNCTION batch_lease(p_batch text, p_worker text, p_run integer, p_count integer)
RETURNS TABLE (number integer, tries integer, input bytea)
LANGUAGE plpgsql SET enable_sort = off SET enable_bitmapscan = off SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
  PERFORM 1 FROM batch WHERE id = p_batch AND state = 'RUNNING' AND run = p_run;
  IF NOT FOUND THEN RETURN; END IF;
  RETURN QUERY
  WITH free AS MATERIALIZED (
    SELECT f.number FROM batch_row f WHERE f.batch = p_batch AND f.state = 'WAITING' AND (f.due IS NULL OR f.due <= now())
    ORDER BY f.number LIMIT p_count FOR UPDATE SKIP LOCKED
  )
  UPDATE batch_row r SET state = 'RUNNING', worker = p_worker FROM free
  WHERE r.batch = p_batch AND r.number = free.number
  RETURNING r.number, r.tries, r.input;
END $$;

CREATE OR REPLACE FUNCTION batch_finish(p_batch text, p_worker text, p_rows json) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_batch batch%ROWTYPE;
  v_row record;
  v_state text;
  v_done integer := 0;
  v_failed integer := 0;
  v_unknown integer := 0;
  v_canceled integer := 0;
  v_saved integer := 0;
  v_may_succeed boolean;
  v_is_erased boolean;
  v_retryable integer := 0;
BEGIN
  PERFORM set_config('synchronous_commit', 'on', true);
  SELECT * INTO v_batch FROM batch WHERE id = p_batch FOR UPDATE;
  FOR v_row IN SELECT * FROM json_to_recordset(p_rows) AS r(number integer, state text, delay double precision, tries integer,
    units integer, uncertain integer, saved integer, retryable boolean, result text, subjects json) LOOP
    -- The row began before the person was erased, and only its questions show whom it is about.
    IF EXISTS (
      SELECT 1 FROM json_array_elements_text(coalesce(v_row.subjects, '[]')) AS h(value)
      JOIN ledger_erasures x ON x.account = v_batch.account AND x.hash = decode(h.value, 'hex') WHERE x.at >= v_batch.created_at
    ) THEN PERFORM batch_clear_rows(p_batch, ARRAY[v_row.number]); END IF;
    UPDATE batch_row r SET worker = NULL, tries = v_row.tries,
      state = CASE WHEN v_row.state = 'WAITING' AND (v_batch.state = 'CANCELED' OR length(r.input) = 0) THEN 'CANCELED' ELSE v_row.state END,
      due = CASE WHEN v_row.delay IS NULL THEN NULL ELSE now() + v_row.delay * interval '1 millisecond' END,
      attempts = r.attempts + CASE WHEN v_row.state = 'WAITING' AND v_row.delay IS NULL THEN 0 ELSE 1 END,
      units = coalesce(v_row.units, r.units), uncertain = r.uncertain_before + coalesce(v_row.uncertain, 0),
      retryable = v_row.retryable AND length(r.input) > 0,
      result = CASE WHEN length(r.input) = 0 THEN NULL ELSE coalesce(decode(v_row.result, 'base64'), r.result) END
    WHERE r.batch = p_batch AND r.number = v_row.number AND r.worker = p_worker AND r.state = 'RUNNING'
    RETURNING r.state, r.retryable, length(r.input) = 0 INTO v_state, v_may_succeed, v_is_erased;
    CONTINUE WHEN NOT FOUND;
    INSERT INTO batch_subject (hash, batch, number)
    SELECT decode(h.value, 'hex'), p_batch, v_row.number FROM json_array_elements_text(coalesce(v_row.subjects, '[]')) AS h(value)
    WHERE NOT v_is_erased
    ON CONFLICT DO NOTHING;
    v_done := v_done + (v_state = 'DONE')::integer;
    v_failed := v_failed + (v_state = 'FAILED')::integer;
    v_retryable := v_retryable + (v_state = 'FAILED' AND v_may_succeed)::integer;
    v_unknown := v_unknown + (v_state = 'UNKNOWN')::integer;
    v_canceled := v_canceled + (v_state = 'CANCELED')::integer;
    v_saved := v_saved + coalesce(v_row.saved, 0);
  END LOOP;
  UPDATE batch SET done = done + v_done, failed = failed + v_failed, unknown = unknown + v_unknown,
    canceled = canceled + v_canceled, saved = saved + v_saved, retryable = retryable + v_retryable
  WHERE id = p_batch;
  PERFORM batch_end(p_batch);
END $$;

CREATE OR REPLACE FUNCTION batch_end(p_batch text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE batch SET state = 'DONE', reason = NULL, finished_at = now(), token = NULL, token_holder = NULL,
    expires_at = now() + retention_days * interval '1 day'
  WHERE id = p_batch AND state = 'RUNNING' AND done + failed + unknown + canceled >= total;
END $$;
`;

/**
 * SQL functions for the heartbeat of workers, and for the rows and questions of a worker that stops. A worker that sends no
 * heartbeat for the timeout is declared dead. Its rows wait again, and its questions without an answer become UNKNOWN.
 */
export const workerFunctions = `
CREATE OR REPLACE FUNCTION batch_release_rows(p_batch text, p_worker text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_state text;
  v_price integer;
  v_canceled integer;
BEGIN
  SELECT state INTO v_state FROM batch WHERE id = p_batch FOR UPDATE;
  WITH lost AS (
    UPDATE batch_question SET state = 'UNKNOWN'
    WHERE batch = p_batch AND worker = p_worker AND state = 'ASKED' RETURNING price
  ) SELECT coalesce(sum(price), 0) INTO v_price FROM lost;
  WITH released AS (
    UPDATE batch_row SET worker = NULL, due = NULL, state = CASE WHEN v_state = 'CANCELED' OR length(input) = 0 THEN 'CANCELED' ELSE 'WAITING' END
    WHERE batch = p_batch AND worker = p_worker AND state = 'RUNNING' RETURNING state
  ) SELECT count(*) FILTER (WHERE state = 'CANCELED') INTO v_canceled FROM released;
  UPDATE batch SET reserved = reserved - v_price, uncertain = uncertain + v_price, canceled = canceled + v_canceled
  WHERE id = p_batch AND (v_price <> 0 OR v_canceled <> 0);
  -- If a process ended right after it started the batch, the batch is RUNNING although all of its rows have ended.
  PERFORM batch_end(p_batch);
END $$;

CREATE OR REPLACE FUNCTION batch_expire_worker(p_worker text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_batch text;
BEGIN
  FOR v_batch IN
    SELECT batch FROM batch_question WHERE worker = p_worker AND state = 'ASKED'
    UNION SELECT batch FROM batch_row WHERE worker = p_worker AND state = 'RUNNING' ORDER BY 1 LOOP
    PERFORM batch_release_rows(v_batch, p_worker);
  END LOOP;
  UPDATE batch SET state = 'PAUSED', reason = 'TOKEN_NEEDED' WHERE state = 'RUNNING' AND token_holder = p_worker;
  UPDATE batch SET pricer = NULL WHERE pricer = p_worker AND state = 'PRICING';
  DELETE FROM batch_worker WHERE id = p_worker;
END $$;

CREATE OR REPLACE FUNCTION batch_heartbeat(p_worker text, p_timeout double precision) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_worker text;
BEGIN
  INSERT INTO batch_worker (id, seen_at) VALUES (p_worker, now())
  ON CONFLICT (id) DO UPDATE SET seen_at = now();
  -- A worker passes no timeout while it has been connected for a shorter time: during an outage, live workers could not send heartbeats either.
  IF p_timeout IS NULL THEN RETURN; END IF;
  FOR v_worker IN SELECT id FROM batch_worker
    WHERE id <> p_worker AND seen_at < now() - p_timeout * interval '1 millisecond' FOR UPDATE SKIP LOCKED LOOP
    PERFORM batch_expire_worker(v_worker);
  END LOOP;
END $$;
`;
