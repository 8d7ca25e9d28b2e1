-- SQL functions for the rows of a batch. Each is idempotent.

-- Reads rows in the order of the index. With any other plan each lease would sort all waiting rows, which is too slow for a large batch.
CREATE OR REPLACE FUNCTION batch_lease(p_batch text, p_worker text, p_run integer, p_count integer)
RETURNS TABLE (number integer, tries integer, input bytea)
LANGUAGE plpgsql SET enable_sort = off SET enable_bitmapscan = off SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
  PERFORM 1 FROM batch WHERE id = p_batch AND state = 'RUNNING' AND run = p_run;
  -- The rows of a process that is not registered would be given to others.
  IF NOT FOUND OR NOT process_is_alive(p_worker) THEN RETURN; END IF;
  RETURN QUERY
  WITH free AS MATERIALIZED (
    SELECT f.number FROM batch_row f WHERE f.batch = p_batch AND f.state = 'WAITING' AND (f.due IS NULL OR f.due <= now())
    ORDER BY f.number LIMIT p_count FOR UPDATE SKIP LOCKED
  )
  UPDATE batch_row r SET state = 'RUNNING', worker = p_worker FROM free
  WHERE r.batch = p_batch AND r.number = free.number
  RETURNING r.number, r.tries, r.input;
END $$;

-- A worker that was declared dead too early may finish a row that another one has, or has ended as UNKNOWN because the answer was lost. Its answer
-- has then arrived, so other UNKNOWN rows are read again: they ask what the operation keeps, free of charge.
CREATE OR REPLACE FUNCTION batch_finish(p_batch text, p_worker text, p_rows json) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_batch batch%ROWTYPE;
  v_row record;
  v_state text;
  v_before text;
  v_is_late boolean := false;
  v_done integer := 0;
  v_failed integer := 0;
  v_unknown integer := 0;
  v_canceled integer := 0;
  v_saved integer := 0;
  v_may_succeed boolean;
  v_retryable integer := 0;
  v_erased integer := 0;
  v_is_doubtful boolean;
  v_doubtful integer := 0;
BEGIN
  PERFORM set_config('synchronous_commit', 'on', true);
  SELECT * INTO v_batch FROM batch WHERE id = p_batch FOR UPDATE;
  FOR v_row IN SELECT * FROM json_to_recordset(p_rows) AS r(number integer, state text, delay double precision, tries integer,
    units integer, uncertain integer, saved integer, retryable boolean, doubtful boolean, result text, subjects json) LOOP
    -- The row began before the person was erased, and only its questions show whom it is about.
    IF ledger_is_erased(v_batch.account, (SELECT json_agg(json_build_array('', h.value))
      FROM json_array_elements_text(coalesce(v_row.subjects, '[]')) AS h(value)), (extract(epoch FROM v_batch.created_at) * 1000)::int8)
    THEN PERFORM batch_clear_rows(p_batch, ARRAY[v_row.number]); END IF;
    UPDATE batch_row r SET worker = NULL, tries = v_row.tries,
      state = CASE WHEN length(r.input) = 0 THEN 'ERASED' WHEN v_row.state = 'WAITING' AND v_batch.state = 'CANCELED' THEN 'CANCELED' ELSE v_row.state END,
      due = CASE WHEN v_row.delay IS NULL THEN NULL ELSE now() + v_row.delay * interval '1 millisecond' END,
      attempts = r.attempts + CASE WHEN v_row.state = 'WAITING' AND v_row.delay IS NULL THEN 0 ELSE 1 END,
      units = coalesce(v_row.units, r.units), uncertain = r.uncertain_before + coalesce(v_row.uncertain, 0),
      retryable = v_row.retryable AND length(r.input) > 0, doubtful = coalesce(v_row.doubtful, false) AND length(r.input) > 0,
      result = CASE WHEN length(r.input) = 0 THEN NULL ELSE coalesce(decode(v_row.result, 'base64'), r.result) END
    FROM batch_row was
    WHERE r.batch = p_batch AND r.number = v_row.number AND was.batch = r.batch AND was.number = r.number
      AND ((r.worker = p_worker AND r.state = 'RUNNING') OR (v_row.state IN ('DONE', 'FAILED') AND r.state IN ('RUNNING', 'UNKNOWN'))
        OR (v_row.state = 'WAITING' AND r.state = 'UNKNOWN' AND v_batch.state = 'RUNNING'))
    RETURNING r.state, r.retryable, r.doubtful, was.state INTO v_state, v_may_succeed, v_is_doubtful, v_before;
    CONTINUE WHEN NOT FOUND;
    v_is_late := v_is_late OR v_before = 'UNKNOWN';
    v_unknown := v_unknown - (v_before = 'UNKNOWN')::integer;
    INSERT INTO batch_subject (hash, batch, number)
    SELECT decode(h.value, 'hex'), p_batch, v_row.number FROM json_array_elements_text(coalesce(v_row.subjects, '[]')) AS h(value)
    WHERE v_state <> 'ERASED'
    ON CONFLICT DO NOTHING;
    v_done := v_done + (v_state = 'DONE')::integer;
    v_failed := v_failed + (v_state = 'FAILED')::integer;
    v_retryable := v_retryable + (v_state = 'FAILED' AND v_may_succeed)::integer;
    v_unknown := v_unknown + (v_state = 'UNKNOWN')::integer;
    v_canceled := v_canceled + (v_state = 'CANCELED')::integer;
    v_erased := v_erased + (v_state = 'ERASED')::integer;
    v_doubtful := v_doubtful + v_is_doubtful::integer;
    v_saved := v_saved + coalesce(v_row.saved, 0);
  END LOOP;
  IF v_is_late AND v_batch.state IN ('RUNNING', 'PAUSED') THEN
    UPDATE batch_row SET state = 'WAITING', due = NULL WHERE batch = p_batch AND state = 'UNKNOWN';
    -- All that were UNKNOWN, with those of this statement.
    v_unknown := -v_batch.unknown;
  END IF;
  UPDATE batch SET done = done + v_done, failed = failed + v_failed, unknown = unknown + v_unknown,
    canceled = canceled + v_canceled, erased = erased + v_erased, saved = saved + v_saved, retryable = retryable + v_retryable,
    doubtful = doubtful + v_doubtful
  WHERE id = p_batch;
  PERFORM batch_end(p_batch);
END $$;

CREATE OR REPLACE FUNCTION batch_end(p_batch text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE batch SET state = 'DONE', reason = NULL, finished_at = now(), token = NULL,
    expires_at = now() + retention_days * interval '1 day'
  WHERE id = p_batch AND state = 'RUNNING' AND done + failed + unknown + canceled + erased >= total;
END $$;

-- Frees the rows of a process that stops, or was declared dead. They wait again.
CREATE OR REPLACE FUNCTION batch_release_rows(p_batch text, p_worker text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_state text;
  v_canceled integer;
  v_erased integer;
BEGIN
  SELECT state INTO v_state FROM batch WHERE id = p_batch FOR UPDATE;
  WITH released AS (
    UPDATE batch_row SET worker = NULL, due = NULL, state = CASE WHEN length(input) = 0 THEN 'ERASED' WHEN v_state = 'CANCELED' THEN 'CANCELED' ELSE 'WAITING' END
    WHERE batch = p_batch AND worker = p_worker AND state = 'RUNNING' RETURNING state
  ) SELECT count(*) FILTER (WHERE state = 'CANCELED'), count(*) FILTER (WHERE state = 'ERASED') INTO v_canceled, v_erased FROM released;
  -- Sets `saved`, because the event of a pause waits for its last row.
  UPDATE batch SET saved = saved, canceled = canceled + v_canceled, erased = erased + v_erased WHERE id = p_batch;
  -- If a process ended right after it started the batch, the batch is RUNNING although all of its rows have ended.
  PERFORM batch_end(p_batch);
END $$;

-- Frees the rows and the pricing of processes that were declared dead.
CREATE OR REPLACE FUNCTION batch_release_dead() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_dead record;
BEGIN
  FOR v_dead IN SELECT DISTINCT r.worker, r.batch FROM batch_row r WHERE r.state = 'RUNNING' AND NOT process_is_alive(r.worker) ORDER BY 2, 1 LOOP
    PERFORM batch_release_rows(v_dead.batch, v_dead.worker);
  END LOOP;
  UPDATE batch SET pricer = NULL WHERE state = 'PRICING' AND pricer IS NOT NULL AND NOT process_is_alive(pricer);
END $$;
