/** SQL functions for the end of rows, and for the rows and questions of dead workers. */
export const rowFunctions = `
-- Takes rows from the index in its order, whatever is known of the table: sorted each time, a large batch would hardly move.
CREATE FUNCTION batch_lease(p_batch text, p_worker text, p_run integer, p_count integer)
RETURNS TABLE (number integer, tries integer, input bytea)
LANGUAGE plpgsql SET enable_sort = off SET enable_bitmapscan = off SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
  PERFORM 1 FROM batch WHERE id = p_batch AND state = 'RUNNING' AND runs = p_run;
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

CREATE FUNCTION batch_finish(p_batch text, p_worker text, p_rows json) RETURNS void
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
BEGIN
  PERFORM set_config('synchronous_commit', 'on', true);
  SELECT * INTO v_batch FROM batch WHERE id = p_batch FOR UPDATE;
  FOR v_row IN SELECT * FROM json_to_recordset(p_rows) AS r(number integer, state text, delay double precision, tries integer,
    units integer, uncertain integer, saved integer, result text, subjects json) LOOP
    v_state := CASE WHEN v_row.state = 'WAITING' AND v_batch.state = 'CANCELED' THEN 'CANCELED' ELSE v_row.state END;
    UPDATE batch_row r SET state = v_state, worker = NULL, tries = v_row.tries,
      due = CASE WHEN v_row.delay IS NULL THEN NULL ELSE now() + v_row.delay * interval '1 millisecond' END,
      attempts = r.attempts + CASE WHEN v_row.state = 'WAITING' AND v_row.delay IS NULL THEN 0 ELSE 1 END,
      units = coalesce(v_row.units, r.units), uncertain = r.uncertain_before + coalesce(v_row.uncertain, 0),
      saved = coalesce(v_row.saved, r.saved), 
      result = CASE WHEN length(r.input) = 0 THEN NULL ELSE coalesce(decode(v_row.result, 'base64'), r.result) END
    WHERE r.batch = p_batch AND r.number = v_row.number AND r.worker = p_worker AND r.state = 'RUNNING';
    CONTINUE WHEN NOT FOUND;
    INSERT INTO batch_subject (hash, batch, number)
    SELECT decode(h.value, 'hex'), p_batch, v_row.number FROM json_array_elements_text(coalesce(v_row.subjects, '[]')) AS h(value)
    ON CONFLICT DO NOTHING;
    v_done := v_done + (v_state = 'DONE')::integer;
    v_failed := v_failed + (v_state = 'FAILED')::integer;
    v_unknown := v_unknown + (v_state = 'UNKNOWN')::integer;
    v_canceled := v_canceled + (v_state = 'CANCELED')::integer;
    v_saved := v_saved + coalesce(v_row.saved, 0);
  END LOOP;
  UPDATE batch SET done = done + v_done, failed = failed + v_failed, unknown = unknown + v_unknown,
    canceled = canceled + v_canceled, saved = saved + v_saved
  WHERE id = p_batch;
  PERFORM batch_end(p_batch);
END $$;

CREATE FUNCTION batch_end(p_batch text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE batch SET state = 'DONE', reason = NULL, finished_at = now(), token = NULL, token_holder = NULL,
    expires_at = now() + retention_days * interval '1 day'
  WHERE id = p_batch AND state = 'RUNNING' AND done + failed + unknown + canceled >= total;
END $$;

CREATE FUNCTION batch_drop(p_batch text, p_worker text) RETURNS void
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
  WITH dropped AS (
    UPDATE batch_row SET worker = NULL, due = NULL, state = CASE WHEN v_state = 'CANCELED' THEN 'CANCELED' ELSE 'WAITING' END
    WHERE batch = p_batch AND worker = p_worker AND state = 'RUNNING' RETURNING state
  ) SELECT count(*) FILTER (WHERE state = 'CANCELED') INTO v_canceled FROM dropped;
  UPDATE batch SET reserved = reserved - v_price, uncertain = uncertain + v_price, canceled = canceled + v_canceled
  WHERE id = p_batch AND (v_price <> 0 OR v_canceled <> 0);
  -- A process that ended between starting the batch and ending it leaves one that runs and has no rows left.
  PERFORM batch_end(p_batch);
END $$;

CREATE FUNCTION batch_bury(p_worker text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_batch text;
BEGIN
  FOR v_batch IN
    SELECT batch FROM batch_question WHERE worker = p_worker AND state = 'ASKED'
    UNION SELECT batch FROM batch_row WHERE worker = p_worker AND state = 'RUNNING' LOOP
    PERFORM batch_drop(v_batch, p_worker);
  END LOOP;
  UPDATE batch SET state = 'PAUSED', reason = 'TOKEN_NEEDED' WHERE state = 'RUNNING' AND token_holder = p_worker;
  UPDATE batch SET pricer = NULL WHERE pricer = p_worker AND state = 'PRICING';
  DELETE FROM batch_worker WHERE id = p_worker;
END $$;

CREATE FUNCTION batch_tick(p_worker text, p_bury_after double precision) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_worker text;
BEGIN
  INSERT INTO batch_worker (id, seen_at) VALUES (p_worker, now())
  ON CONFLICT (id) DO UPDATE SET seen_at = now();
  -- Who came to the store only now cannot tell a worker that is no more from one that could not reach it either.
  IF p_bury_after IS NULL THEN RETURN; END IF;
  FOR v_worker IN SELECT id FROM batch_worker
    WHERE id <> p_worker AND seen_at < now() - p_bury_after * interval '1 millisecond' FOR UPDATE SKIP LOCKED LOOP
    PERFORM batch_bury(v_worker);
  END LOOP;
END $$;
`;
