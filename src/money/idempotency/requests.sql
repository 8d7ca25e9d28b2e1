  -- Opening a request again, because the reply was lost, has no second effect.
  CREATE OR REPLACE FUNCTION request_open(p_id text, p_process text, p_account text, p_names json, p_is_erasure boolean,
    OUT verdict text, OUT first text, OUT result bytea) LANGUAGE plpgsql AS $$
  DECLARE
    v_names text[] := ARRAY(SELECT n.name FROM json_to_recordset(p_names) AS n(name text));
    v_first request_results%ROWTYPE;
  BEGIN
    -- The request runs as soon as this commits.
    PERFORM set_config('synchronous_commit', 'on', true);
    DELETE FROM request_results r WHERE r.name = ANY(v_names) AND r.expires_at <= now();
    INSERT INTO request_results (name, id, account, digest, process, is_erasure)
    SELECT n.name, p_id, p_account, n.digest, p_process, p_is_erasure FROM json_to_recordset(p_names) AS n(name text, digest text)
    WHERE NOT EXISTS (SELECT FROM request_results r WHERE r.name = ANY(v_names) AND r.id <> p_id)
    ORDER BY n.name ON CONFLICT (name) DO NOTHING;
    SELECT * INTO v_first FROM request_results r WHERE r.name = ANY(v_names) AND r.id <> p_id LIMIT 1;
    IF NOT FOUND THEN verdict := 'RUN'; RETURN; END IF;
    -- A process with other keys may have taken one of the names meanwhile.
    DELETE FROM request_results r WHERE r.id = p_id;
    IF NOT EXISTS (SELECT FROM json_to_recordset(p_names) AS n(name text, digest text)
      WHERE n.name = v_first.name AND n.digest = v_first.digest) THEN verdict := 'REUSED';
    ELSIF v_first.state = 'KEPT' THEN verdict := 'KEPT'; first := v_first.id; result := v_first.result;
    -- Requests end within ten minutes, so an older one is taken as lost.
    ELSIF v_first.state = 'OPEN' AND v_first.expires_at > now() + interval '23 hours 50 minutes'
      AND (v_first.process = p_process OR EXISTS (SELECT FROM processes p WHERE p.id = v_first.process)) THEN verdict := 'WAIT';
    ELSE verdict := 'LOST';
    END IF;
  END $$;

  -- Returns the bytes of the results that are stored for an owner of batches, or for all.
  CREATE OR REPLACE FUNCTION request_bytes(p_account text, p_owner text) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
  BEGIN
    IF p_account IS NULL THEN RETURN (SELECT coalesce(sum(octet_length(r.result)), 0) FROM request_results r WHERE r.result IS NOT NULL); END IF;
    RETURN (SELECT coalesce(sum(octet_length(r.result)), 0) FROM request_results r
      WHERE r.result IS NOT NULL AND r.account = p_account AND r.owner = p_owner);
  END $$;

  -- Returns whether the result is kept. Without a result the request is forgotten, and with an empty one only its result is lost.
  CREATE OR REPLACE FUNCTION request_close(p_id text, p_result bytea, p_batches json, p_owner text,
    p_account_bytes bigint, p_total_bytes bigint) RETURNS boolean LANGUAGE plpgsql AS $$
  DECLARE
    v_bytes integer := octet_length(p_result);
    v_batches text[] := ARRAY(SELECT json_array_elements_text(p_batches));
    v_first request_results%ROWTYPE;
  BEGIN
    -- If one of the batches is erased at the same time, its erasure finds this result, or this result finds the erasure.
    PERFORM 1 FROM operations o WHERE o.id = ANY(v_batches) ORDER BY o.id FOR SHARE;
    SELECT * INTO v_first FROM request_results r WHERE r.id = p_id ORDER BY r.name LIMIT 1 FOR UPDATE;
    IF p_result IS NULL THEN DELETE FROM request_results r WHERE r.id = p_id; END IF;
    -- Closing again, because the reply was lost, has no second effect.
    IF p_result IS NULL OR v_first.state IS DISTINCT FROM 'OPEN' THEN RETURN p_result IS NOT NULL AND v_first.state = 'KEPT'; END IF;
    IF v_bytes = 0
      OR (NOT v_first.is_erasure AND EXISTS (SELECT FROM unnest(v_batches) AS s(id) LEFT JOIN operations o USING (id) WHERE o.is_erased IS NOT false))
      -- The results of payments are small and show no batch. They need no room in the quotas, although they count in them.
      OR ((v_bytes > 4000 OR cardinality(v_batches) > 0) AND (
        p_account_bytes < v_bytes + request_bytes(v_first.account, p_owner) OR p_total_bytes < v_bytes + request_bytes(NULL, NULL)))
    THEN
      UPDATE request_results r SET state = 'LOST' WHERE r.id = p_id;
      RETURN false;
    END IF;
    UPDATE request_results r SET state = 'KEPT', result = p_result, batches = v_batches, owner = p_owner WHERE r.id = p_id;
    RETURN true;
  END $$;

  -- A kept result may name the erased person, and it is encrypted, so all results of the account are deleted. Their requests still do not
  -- run again.
  CREATE OR REPLACE FUNCTION request_results_erase() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE request_results r SET state = 'LOST', result = NULL WHERE NOT r.is_erasure AND r.state <> 'LOST' AND r.account = NEW.account;
    RETURN NULL;
  END $$;
  CREATE OR REPLACE TRIGGER erase_request_results AFTER INSERT OR UPDATE ON ledger_erasures FOR EACH ROW EXECUTE FUNCTION request_results_erase();

  -- Forgets the results of requests that show a batch whose key was destroyed.
  CREATE OR REPLACE FUNCTION request_forget_batch(p_batch text) RETURNS void LANGUAGE sql AS $$
    UPDATE request_results r SET state = 'LOST', result = NULL WHERE NOT r.is_erasure AND r.batches @> ARRAY[p_batch]
  $$;
