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
  IF p_scope = 'UNKNOWN' THEN PERFORM operation_retry_unknown(p_batch); END IF;
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
  PERFORM operation_forget(p_batch, ARRAY(SELECT p_batch || ' ' || n.number FROM unnest(p_numbers) AS n(number)));
  DELETE FROM batch_subject WHERE batch = p_batch AND number = ANY(p_numbers);
END $$;

-- Clears all rows about a person. Rows that are running end without a result.
CREATE OR REPLACE FUNCTION batch_erase_subject(p_accounts json, p_hashes json) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  v_hit record;
  v_count integer := 0;
BEGIN
  -- Erasures of an account follow one another, because each changes several operations and their quotas.
  PERFORM ledger_lock(ARRAY(SELECT json_array_elements_text(p_accounts)));
  -- A row that is being finished is indexed before this function looks for rows.
  PERFORM 1 FROM batch WHERE account IN (SELECT a.value FROM json_array_elements_text(p_accounts) AS a(value)) ORDER BY id FOR UPDATE;
  FOR v_hit IN
    SELECT s.batch, array_agg(DISTINCT s.number) AS numbers FROM batch_subject s JOIN batch b ON b.id = s.batch
    WHERE s.hash IN (SELECT decode(h.value, 'hex') FROM json_array_elements_text(p_hashes) AS h(value))
      AND b.account IN (SELECT a.value FROM json_array_elements_text(p_accounts) AS a(value))
    GROUP BY s.batch ORDER BY s.batch LOOP
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
  UPDATE batch SET state = 'ERASED', reason = NULL, wrapped_key = NULL, header = NULL, refused = NULL, token = NULL,
    upload = NULL, retryable = 0,
    -- A batch that never had rows leaves nothing behind, so its key can be used again.
    key_name = CASE WHEN total = 0 THEN NULL ELSE key_name END
  WHERE id = p_batch AND state <> 'ERASED';
  RETURN FOUND;
END $$;

-- Adds an event in the transaction that changes the state of a batch. The event of a pause waits until no row runs, so that its units are
-- final: a row that ends sets `saved`. There is none if a caller pauses a batch, which has no reason, and none if the pricing fails, after
-- which the batch has no estimate and cannot be started.
CREATE OR REPLACE FUNCTION batch_add_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.state = 'PAUSED' AND EXISTS (SELECT FROM batch_row r WHERE r.batch = NEW.id AND r.state = 'RUNNING') THEN RETURN NULL; END IF;
  PERFORM ledger_add_event('batch:' || NEW.id || ':' || NEW.state || ':' || NEW.run, ARRAY[NEW.account], 'batch.' || lower(NEW.state), 'batch:' || NEW.id,
    json_build_object('batch', NEW.id, 'rows', NEW.total, 'units', o.spent, 'uncertainUnits', o.uncertain, 'reason', NEW.reason,
      'pausedUntil', NEW.pause::json->>'until', 'budget', NEW.pause::json#>>'{budget,id}'))
  FROM operation_units(NEW.id) o;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER batch_add_event AFTER UPDATE OF state, saved ON batch FOR EACH ROW
WHEN ((OLD.state <> NEW.state AND (NEW.state = 'DONE' OR (NEW.state = 'READY' AND NEW.estimate IS NOT NULL)))
  OR (NEW.state = 'PAUSED' AND NEW.reason IS NOT NULL))
EXECUTE FUNCTION batch_add_event();

-- A batch is an operation that lasts. Its calls are opened while it is RUNNING, and only those of its current run.
CREATE OR REPLACE FUNCTION batch_run_operation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM operation_run(NEW.id, NEW.account, NEW.owner, CASE WHEN NEW.state = 'RUNNING' THEN NEW.run END, NEW.max_units);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER batch_insert_operation AFTER INSERT ON batch FOR EACH ROW EXECUTE FUNCTION batch_run_operation();
CREATE OR REPLACE TRIGGER batch_run_operation AFTER UPDATE OF state, run, max_units ON batch FOR EACH ROW
WHEN (NEW.state = 'RUNNING' OR OLD.state = 'RUNNING') EXECUTE FUNCTION batch_run_operation();

-- What was kept for an erased batch elsewhere is erased with it.
CREATE OR REPLACE FUNCTION batch_erase_operation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM operation_destroy(NEW.id);
  PERFORM request_forget_batch(NEW.id);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER batch_erase_operation AFTER UPDATE OF wrapped_key ON batch FOR EACH ROW
WHEN (OLD.wrapped_key IS NOT NULL AND NEW.wrapped_key IS NULL) EXECUTE FUNCTION batch_erase_operation();
