-- Begins an operation, or changes it. It lasts for the longest time that a request has named, since the first one, and has the last limit.
-- Returns no row if the quota of the account is full.
CREATE OR REPLACE FUNCTION operation_begin(p_id text, p_accounts text[], p_owner text, p_names text[], p_key bytea, p_keep double precision,
  p_max_units integer, p_quota bigint) RETURNS SETOF operations LANGUAGE plpgsql AS $$
DECLARE
  v_id text;
BEGIN
  PERFORM call_lock(p_accounts);
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
DROP FUNCTION IF EXISTS operation_erase(text[], text[]);
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

-- Answers that the requests of an account keep for later ones are those of an operation of the account, which no caller can name, and which
-- opens no call. It has a quota of its own, because nobody can end it. The names of its answers contain the purpose.

-- Remembers when an operation began, so many milliseconds ago, and adds the units of a call. It ends ten minutes after its first request began.
CREATE OR REPLACE FUNCTION reuse_begin(p_names json, p_ms double precision, p_units integer DEFAULT 0) RETURNS void LANGUAGE sql AS $$
  INSERT INTO call_operations AS o SELECT DISTINCT n.name, p_units, b.at + interval '10 minutes', b.at
  FROM json_array_elements_text(p_names) AS n(name), (SELECT now() - p_ms * interval '1 millisecond' AS at) b WHERE b.at > now() - interval '10 minutes'
  ON CONFLICT (name) DO UPDATE SET committed = excluded.committed + CASE WHEN o.expires_at > now() THEN o.committed ELSE 0 END,
    began_at = CASE WHEN o.expires_at > now() THEN least(o.began_at, excluded.began_at) ELSE excluded.began_at END,
    expires_at = CASE WHEN o.expires_at > now() THEN least(o.expires_at, excluded.expires_at) ELSE excluded.expires_at END
$$;

-- Returns the time since which an answer is not too old. It counts back from the beginning of the request or, if that is earlier, of its operation,
-- but never to before the store was found to be older than a process remembers.
CREATE OR REPLACE FUNCTION reuse_since(p_lookup json) RETURNS timestamptz LANGUAGE sql STABLE
-- The table of one row has no index, and where its scan counts as expensive, PostgreSQL compiles the statement for a second.
SET enable_seqscan = on AS $$
  SELECT greatest(c.kept_since, least(now() - l."elapsedMs" * interval '1 millisecond',
    (SELECT min(o.began_at) FROM call_operations o WHERE o.name = ANY(l.operations) AND o.expires_at > now())) - l."maxAgeMs" * interval '1 millisecond')
  FROM json_to_record(p_lookup) AS l(operations text[], "maxAgeMs" double precision, "elapsedMs" double precision), ledger_erasure_count c
$$;

-- Returns the newest answer that is not too old.
CREATE OR REPLACE FUNCTION reuse_find(p_lookup json, p_replaced text[]) RETURNS SETOF operation_answers LANGUAGE sql STABLE
SET enable_seqscan = off AS $$
  SELECT a.* FROM json_to_record(p_lookup) AS l(accounts text[], names text[]), unnest(l.accounts) AS n(account), unnest(l.names) AS q(name), operation_answers a
  WHERE a.operation = 'reuse ' || n.account AND a.name = q.name AND (a.call = ANY(p_replaced)) IS NOT TRUE AND a.asked_at >= reuse_since(p_lookup) AND a.until > now()
  ORDER BY a.asked_at DESC LIMIT 1
$$;

-- Keeps answers for later requests, instead of older ones. None is kept that would exceed the quota beside the one that it replaces and without
-- the others of its statement, and none about a person who was erased since the request began. Their operations began when they were asked.
-- An answer has its own end, so that no process deletes what another one has kept. Returns the calls whose answers later requests find.
CREATE OR REPLACE FUNCTION reuse_keep(p_process text, p_closings json) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  v_calls text[] := '{}';
  v_kept record;
  v_id text;
  v_content bytea;
  v_asked timestamptz;
  -- A process that was declared dead meanwhile is not listed.
  v_days integer := coalesce((SELECT (p.settings->>'REUSE_DAYS')::integer FROM processes p WHERE p.id = p_process), 1);
BEGIN
  FOR v_kept IN SELECT c.id AS call, c.names AS questions, c.answer, r.*, e.account, e.began, e.at, e.price, e.subjects
    FROM json_to_recordset(p_closings) AS c(id text, names text[], answer text, reuse json, entry json),
      json_to_record(c.reuse) AS r(accounts text[], names text[], operations json, quota bigint),
      json_to_record(c.entry) AS e(account text, began int8, at int8, price integer, subjects json)
    WHERE c.reuse IS NOT NULL AND c.answer IS NOT NULL ORDER BY e.account LOOP
    CONTINUE WHEN ledger_is_erased(v_kept.account, v_kept.subjects, v_kept.began);
    v_id := 'reuse ' || v_kept.account;
    v_content := decode(v_kept.answer, 'base64');
    -- If a crash of the server has emptied the table of calls, whichever clock says that it is older.
    SELECT coalesce(min(c.opened_at), least(now(), to_timestamp(v_kept.at / 1000.0))) INTO v_asked FROM calls c
    WHERE c.name = ANY(v_kept.questions) AND c.id = v_kept.call;
    PERFORM reuse_begin(v_kept.operations, extract(epoch FROM now() - v_asked) * 1000);
    CONTINUE WHEN v_kept.names = '{}' OR operation_bytes(v_kept.accounts, 'reuse') + octet_length(v_content) > v_kept.quota;
    INSERT INTO operations AS o (id, account, owner, expires_at) VALUES (v_id, v_kept.account, 'reuse', 'infinity')
    ON CONFLICT (id) DO UPDATE SET expires_at = o.expires_at;
    v_calls := v_calls || v_kept.call;
    CONTINUE WHEN EXISTS (SELECT FROM operation_answers a WHERE a.operation = v_id AND a.name = v_kept.names[1] AND a.asked_at > v_asked);
    PERFORM operation_delete('reuse ' || n.name, v_kept.names) FROM unnest(v_kept.accounts) AS n(name);
    INSERT INTO operation_answers (operation, name, state, process, call, price, asked_at, answer, until)
    VALUES (v_id, v_kept.names[1], 'ANSWERED', p_process, v_kept.call, v_kept.price, v_asked, v_content, v_asked + v_days * interval '1 day');
    INSERT INTO operation_subjects SELECT decode(s.value->>1, 'hex'), v_id, v_kept.names[1]
    FROM json_array_elements(v_kept.subjects) AS s WHERE s.value->>0 <> 'answer' ON CONFLICT DO NOTHING;
    UPDATE operations SET bytes = bytes + octet_length(v_content) WHERE id = v_id;
  END LOOP;
  RETURN v_calls;
END $$;

-- Deletes up to p_count answers that have ended. Returns their number. They are looked for before the locks, for which calls wait.
CREATE OR REPLACE FUNCTION reuse_purge(p_count integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  v_old record;
  v_count integer := 0;
BEGIN
  FOR v_old IN SELECT o.operation, array_agg(o.name) AS names
    FROM (SELECT a.operation, a.name FROM operation_answers a WHERE a.until < now() ORDER BY a.until LIMIT p_count) o GROUP BY 1 ORDER BY 1 LOOP
    PERFORM 1 FROM operations o WHERE o.id = v_old.operation FOR UPDATE;
    v_count := v_count + operation_delete(v_old.operation, ARRAY(SELECT a.name FROM operation_answers a
      WHERE a.operation = v_old.operation AND a.name = ANY(v_old.names) AND a.until < now()));
  END LOOP;
  RETURN v_count;
END $$;
