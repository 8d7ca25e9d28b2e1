-- Begins an operation, or changes it. It lasts for the longest time that a request has named, since the first one, and has the last limit.
-- Returns no row if the quota of the account is full.
CREATE OR REPLACE FUNCTION operation_begin(p_id text, p_accounts text[], p_owner text, p_names text[], p_key bytea, p_keep double precision,
  p_max_units integer, p_quota bigint) RETURNS SETOF operations LANGUAGE plpgsql AS $$
DECLARE
  v_id text;
BEGIN
  PERFORM ledger_lock(p_accounts);
  SELECT o.id INTO v_id FROM operation_names n JOIN operations o ON o.id = n.operation
  WHERE n.name = ANY(p_names) AND o.expires_at > now() LIMIT 1;
  IF v_id IS NULL THEN
    IF operation_bytes(p_accounts, p_owner) >= p_quota THEN RETURN; END IF;
    v_id := p_id;
    -- An operation of this name that is over may still be there.
    DELETE FROM operation_names n WHERE n.name = ANY(p_names);
    -- Each operation counts for its own rows, so that an account cannot have any number of them.
    INSERT INTO operations (id, account, owner, key, run, bytes, expires_at) VALUES (p_id, p_accounts[1], p_owner, p_key, 0, 1000, '-infinity');
    INSERT INTO operation_names SELECT DISTINCT n.name, p_id FROM unnest(p_names) AS n(name);
  END IF;
  RETURN QUERY UPDATE operations o SET max_units = coalesce(p_max_units, o.max_units),
    expires_at = greatest(o.expires_at, o.began_at + p_keep * interval '1 millisecond') WHERE o.id = v_id RETURNING *;
END $$;

-- Returns the bytes of the answers that the operations of an owner keep.
CREATE OR REPLACE FUNCTION operation_bytes(p_accounts text[], p_owner text) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(q.bytes), 0)::bigint FROM operation_quotas q WHERE q.account = ANY(p_accounts) AND q.owner = p_owner
$$;

-- Lets the calls of a run of a batch be opened, with a limit. If p_run is null, no call is opened.
CREATE OR REPLACE FUNCTION operation_run(p_id text, p_account text, p_owner text, p_run integer, p_max_units integer) RETURNS void LANGUAGE sql AS $$
  INSERT INTO operations AS o (id, account, owner, run, max_units, expires_at) VALUES (p_id, p_account, p_owner, p_run, p_max_units, 'infinity')
  ON CONFLICT (id) DO UPDATE SET run = excluded.run, max_units = excluded.max_units
$$;

CREATE OR REPLACE FUNCTION operation_units(p_id text, OUT spent integer, OUT uncertain integer, OUT reserved integer) LANGUAGE sql STABLE AS $$
  SELECT o.spent, o.uncertain, o.reserved FROM operations o WHERE o.id = p_id
$$;

-- Ends the operation of a batch whose key was destroyed. Its units stay.
CREATE OR REPLACE FUNCTION operation_destroy(p_id text) RETURNS void LANGUAGE sql AS $$
  UPDATE operations SET run = NULL, is_erased = true WHERE id = p_id
$$;

-- Ends an operation for its callers. Its answers are deleted afterwards.
CREATE OR REPLACE FUNCTION operation_end(p_id text) RETURNS void LANGUAGE sql AS $$
  DELETE FROM operation_names WHERE operation = p_id;
  -- It does not count for its own row any more (operation_begin), which the purge deletes.
  UPDATE operations SET run = NULL, key = NULL, expires_at = '-infinity', bytes = bytes - CASE WHEN key IS NULL THEN 0 ELSE 1000 END
  WHERE id = p_id;
$$;

-- Deletes the kept answers that p_payers paid for, or, if it is null, up to p_count of all. Returns their number. The sums stay. A running call is
-- forgotten, so that its answer is not kept.
CREATE OR REPLACE FUNCTION operation_forget(p_id text, p_payers text[], p_count integer DEFAULT NULL) RETURNS integer LANGUAGE plpgsql
SET enable_seqscan = off AS $$
DECLARE
  v_names text[];
  v_calls text[];
BEGIN
  -- Closings change the same bytes in another order. Those who forget a row have the lock, or hold the batch, which is locked after the account.
  IF p_payers IS NULL THEN PERFORM ledger_lock(ARRAY(SELECT o.account FROM operations o WHERE o.id = p_id)); END IF;
  PERFORM 1 FROM operations o WHERE o.id = p_id FOR UPDATE;
  IF p_payers IS NULL THEN
    v_names := ARRAY(SELECT a.name FROM answers_lasting a WHERE a.operation = p_id LIMIT p_count);
  ELSE
    v_names := ARRAY(SELECT a.name FROM answers_lasting a WHERE a.payer = ANY(p_payers) AND a.operation = p_id);
  END IF;
  WITH forgotten AS (
    DELETE FROM operation_calls r WHERE r.operation = p_id AND (p_payers IS NULL OR r.payer = ANY(p_payers)) RETURNING r.call
  ) SELECT array_agg(f.call) INTO v_calls FROM forgotten f;
  PERFORM answer_release(v_calls);
  PERFORM answer_delete(v_names);
  RETURN cardinality(v_names);
END $$;

-- Lets the questions be asked again whose charge is unknown. Their price stays uncertain.
CREATE OR REPLACE FUNCTION operation_retry_unknown(p_id text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM operations o WHERE o.id = p_id FOR UPDATE;
  PERFORM answer_delete(ARRAY(SELECT a.name FROM answers_lasting a WHERE a.operation = p_id AND a.failed));
END $$;

-- Adds the units that answers of an operation have saved, and holds its row while its calls are closed. Its other units are those of its entries
-- (ledger_add_to_sums).
CREATE OR REPLACE FUNCTION operation_save(p_id text, p_closings json) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('synchronous_commit', 'on', true);
  PERFORM 1 FROM operations o WHERE o.id = p_id FOR UPDATE;
  UPDATE operations o SET saved = o.saved + s.saved FROM (
    -- A closing that is repeated has its entry already.
    SELECT sum(c.saved) AS saved FROM json_to_recordset(p_closings) AS c(id text, saved integer, entry json)
    WHERE c.saved > 0 AND NOT EXISTS (SELECT FROM ledger_entries e WHERE e.account = c.entry->>'account' AND e.id = c.id)
  ) s WHERE o.id = p_id AND s.saved > 0;
END $$;

-- Ends a call that the operation has opened (call_open): its answer is KEPT or LOST, or it was RELEASED and its question may be asked again. Returns
-- whether the answer is to be kept. It is not if the call was forgotten.
CREATE OR REPLACE FUNCTION operation_close(p_id text, p_call text, p_name text, p_state text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_call operation_calls%ROWTYPE;
BEGIN
  DELETE FROM operation_calls r WHERE r.operation = p_id AND r.name = p_name AND r.call = p_call RETURNING * INTO v_call;
  IF NOT FOUND THEN
    -- The answer of a process that was declared dead also counts, if it arrives later.
    IF p_state <> 'LOST' THEN DELETE FROM answers_lasting a WHERE a.name = p_name AND a.call = p_call AND a.key IS NULL; END IF;
    -- A closing that is repeated has kept it already.
    IF NOT FOUND THEN RETURN EXISTS (SELECT FROM answers_lasting a WHERE a.call = p_call AND a.operation = p_id); END IF;
  ELSIF p_state = 'LOST' THEN
    v_call.price := 0;
    PERFORM operation_keep_lost(v_call);
  END IF;
  IF p_state = 'RELEASED' THEN PERFORM answer_release(ARRAY[p_call]); END IF;
  RETURN p_state = 'KEPT';
END $$;

-- Keeps that the answer to a question is lost, so that it is not asked again. A row of a batch has reported the price of its call.
CREATE OR REPLACE FUNCTION operation_keep_lost(p_call operation_calls) RETURNS void LANGUAGE sql AS $$
  INSERT INTO answers (name, lasts, rule, rank, is_aged, call, asked_at, failed, settled, until, account, operation, payer)
  SELECT p_call.name, true, 'OPERATION', 0, false, p_call.call, p_call.asked_at, true,
    CASE WHEN p_call.payer IS NULL AND p_call.price > 0 THEN json_build_object('spent', 0, 'uncertain', p_call.price) END, 'infinity', o.account, o.id, p_call.payer
  FROM operations o WHERE o.id = p_call.operation
$$;

-- It is unknown whether the open calls of a process that is declared dead were charged. Their questions are not asked again.
CREATE OR REPLACE FUNCTION operation_lose(p_process text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_call operation_calls%ROWTYPE;
BEGIN
  PERFORM 1 FROM operations o WHERE o.id IN (SELECT r.operation FROM operation_calls r WHERE r.process = p_process) ORDER BY o.id FOR UPDATE;
  FOR v_call IN DELETE FROM operation_calls r WHERE r.process = p_process RETURNING * LOOP
    PERFORM operation_keep_lost(v_call);
  END LOOP;
END $$;
