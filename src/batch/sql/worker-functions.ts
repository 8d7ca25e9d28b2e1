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
