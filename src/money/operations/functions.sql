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

-- Ends the operation of a batch whose key was destroyed, with the results of requests that show it. Its units stay.
CREATE OR REPLACE FUNCTION operation_destroy(p_id text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE operations SET run = NULL, is_erased = true WHERE id = p_id;
  UPDATE request_results r SET state = 'LOST', result = NULL WHERE NOT r.is_erasure AND r.batches @> ARRAY[p_id];
END $$;

-- Ends an operation for its callers. Its answers are deleted afterwards.
CREATE OR REPLACE FUNCTION operation_end(p_id text) RETURNS void LANGUAGE sql AS $$
  DELETE FROM operation_names WHERE operation = p_id;
  -- It does not count for its own row any more (operation_begin), which the purge deletes.
  UPDATE operations SET run = NULL, key = NULL, expires_at = '-infinity', bytes = bytes - CASE WHEN key IS NULL THEN 0 ELSE 1000 END
  WHERE id = p_id;
$$;

-- Deletes answers with their links.
CREATE OR REPLACE FUNCTION operation_delete(p_id text, p_names text[]) RETURNS integer LANGUAGE sql AS $$
  DELETE FROM operation_subjects s WHERE s.operation = p_id AND s.name = ANY(p_names);
  WITH deleted AS (
    DELETE FROM operation_answers a WHERE a.operation = p_id AND a.name = ANY(p_names) RETURNING octet_length(a.answer) AS bytes
  ), counted AS (SELECT count(*)::integer AS answers, coalesce(sum(d.bytes), 0) AS bytes FROM deleted d), subtracted AS (
    UPDATE operations o SET bytes = o.bytes - c.bytes FROM counted c WHERE o.id = p_id AND c.bytes > 0
  ) SELECT c.answers FROM counted c
$$;

-- Deletes the kept answers that p_payers paid for, or, if it is null, up to p_count of all. Returns their number. The sums stay. An answer that
-- arrives later is not kept.
CREATE OR REPLACE FUNCTION operation_forget(p_id text, p_payers text[], p_count integer DEFAULT NULL) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  v_names text[];
BEGIN
  PERFORM 1 FROM operations o WHERE o.id = p_id FOR UPDATE;
  IF p_payers IS NULL THEN
    UPDATE operation_answers a SET is_forgotten = true WHERE a.operation = p_id AND a.state = 'OPEN' AND NOT a.is_forgotten;
    v_names := ARRAY(SELECT a.name FROM operation_answers a WHERE a.operation = p_id AND a.state <> 'OPEN' LIMIT p_count);
  ELSE
    UPDATE operation_answers a SET is_forgotten = true WHERE a.payer = ANY(p_payers) AND a.operation = p_id AND a.state = 'OPEN';
    v_names := ARRAY(SELECT a.name FROM operation_answers a WHERE a.payer = ANY(p_payers) AND a.operation = p_id AND a.state <> 'OPEN');
  END IF;
  RETURN operation_delete(p_id, v_names);
END $$;

-- Lets the questions be asked again whose charge is unknown. Their price stays uncertain.
CREATE OR REPLACE FUNCTION operation_retry_unknown(p_id text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM operations o WHERE o.id = p_id FOR UPDATE;
  PERFORM operation_delete(p_id, ARRAY(SELECT a.name FROM operation_answers a WHERE a.operation = p_id AND a.state = 'UNKNOWN'));
END $$;

-- Deletes the kept answers about a person: those that are linked to p_hashes, and those of p_calls, which are linked to other identifiers of the
-- person (p_linked). An answer that arrives later is not kept. ledger_erase calls it in its transaction.
CREATE OR REPLACE FUNCTION operation_erase(p_accounts text[], p_hashes bytea[], p_linked bytea[], p_calls text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_hit record;
BEGIN
  FOR v_hit IN
    SELECT s.operation, array_agg(DISTINCT s.name) AS names FROM operation_subjects s
    WHERE s.hash = ANY(p_hashes || p_linked) AND (s.hash = ANY(p_hashes)
      OR EXISTS (SELECT FROM operation_answers a WHERE a.operation = s.operation AND a.name = s.name AND a.call = ANY(p_calls)))
    GROUP BY s.operation ORDER BY s.operation LOOP
    PERFORM 1 FROM operations o WHERE o.id = v_hit.operation AND o.account = ANY(p_accounts) FOR UPDATE;
    CONTINUE WHEN NOT FOUND;
    UPDATE operation_answers a SET is_forgotten = true
    WHERE a.operation = v_hit.operation AND a.name = ANY(v_hit.names) AND a.state = 'OPEN';
    PERFORM operation_delete(v_hit.operation, ARRAY(SELECT a.name FROM operation_answers a
      WHERE a.operation = v_hit.operation AND a.name = ANY(v_hit.names) AND a.state <> 'OPEN'));
  END LOOP;
END $$;

-- Closes the questions of an operation that it has opened (call_open), and keeps their answers. A question whose call was RELEASED may be
-- asked again. Its units are those of its entries (ledger_add_to_sums).
CREATE OR REPLACE FUNCTION operation_settle(p_id text, p_closings json) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_kept record;
  v_answer operation_answers%ROWTYPE;
  v_content bytea;
  v_saved integer := 0;
  v_bytes bigint := 0;
  v_ended text[] := '{}';
BEGIN
  PERFORM set_config('synchronous_commit', 'on', true);
  PERFORM 1 FROM operations o WHERE o.id = p_id FOR UPDATE;
  FOR v_kept IN SELECT c.id AS call, c.saved, c.entry->>'account' AS account, k.* FROM json_to_recordset(p_closings) AS c(id text, saved integer, kept json, entry json),
    json_to_record(c.kept) AS k(name text, under text, state text, answer text) LOOP
    -- A closing that is repeated has its entry already.
    IF v_kept.saved > 0 AND NOT EXISTS (SELECT FROM ledger_entries e WHERE e.account = v_kept.account AND e.id = v_kept.call) THEN
      v_saved := v_saved + v_kept.saved;
    END IF;
    CONTINUE WHEN v_kept.name IS NULL;
    -- The answer of a process that was declared dead also counts, if it arrives later.
    SELECT * INTO v_answer FROM operation_answers a
    WHERE a.operation = p_id AND a.name = v_kept.name AND a.call = v_kept.call
      AND (a.state = 'OPEN' OR (a.state = 'UNKNOWN' AND a.answer IS NULL));
    CONTINUE WHEN NOT FOUND;
    IF v_kept.state = 'RELEASED' OR v_answer.is_forgotten THEN
      v_ended := v_ended || v_kept.name;
      CONTINUE;
    END IF;
    v_content := decode(v_kept.answer, 'base64');
    v_bytes := v_bytes + coalesce(octet_length(v_content), 0);
    IF v_kept.under <> v_kept.name THEN
      -- The answer is for one spelling of the question only.
      PERFORM operation_delete(p_id, ARRAY[v_kept.under]);
      UPDATE operation_subjects s SET name = v_kept.under WHERE s.operation = p_id AND s.name = v_kept.name;
    END IF;
    UPDATE operation_answers a SET name = coalesce(v_kept.under, a.name), state = v_kept.state, answer = v_content
    WHERE a.operation = p_id AND a.name = v_kept.name;
  END LOOP;
  IF v_saved > 0 OR v_bytes > 0 THEN
    UPDATE operations o SET saved = o.saved + v_saved, bytes = o.bytes + v_bytes WHERE o.id = p_id;
  END IF;
  IF cardinality(v_ended) > 0 THEN PERFORM operation_delete(p_id, v_ended); END IF;
END $$;

-- It is unknown whether the open calls of a process that is declared dead were charged. Their questions are not asked again, except those of
-- which the answer would not be kept.
CREATE OR REPLACE FUNCTION operation_lose(p_process text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_hit record;
BEGIN
  PERFORM 1 FROM operations o WHERE o.id IN (SELECT a.operation FROM operation_answers a WHERE a.process = p_process AND a.state = 'OPEN')
  ORDER BY o.id FOR UPDATE;
  FOR v_hit IN WITH lost AS (
    UPDATE operation_answers a SET state = 'UNKNOWN' WHERE a.process = p_process AND a.state = 'OPEN' RETURNING a.operation, a.name, a.is_forgotten
  ) SELECT l.operation, array_agg(l.name) AS names FROM lost l WHERE l.is_forgotten GROUP BY 1 LOOP
    PERFORM operation_delete(v_hit.operation, v_hit.names);
  END LOOP;
END $$;
