-- SQL functions that find, keep and delete answers. rules.ts says who may have an answer, and for how long.

  -- Remembers when an operation began, so many milliseconds ago, and adds the units of a call. It ends ten minutes after its first request began.
  CREATE OR REPLACE FUNCTION call_operation_begin(p_names json, p_ms double precision, p_units integer DEFAULT 0) RETURNS void LANGUAGE sql AS $$
    INSERT INTO call_operations AS o SELECT DISTINCT n.name, p_units, b.at + interval '10 minutes', b.at
    FROM json_array_elements_text(p_names) AS n(name), (SELECT now() - p_ms * interval '1 millisecond' AS at) b WHERE b.at > now() - interval '10 minutes'
    ON CONFLICT (name) DO UPDATE SET committed = excluded.committed + CASE WHEN o.expires_at > now() THEN o.committed ELSE 0 END,
      began_at = CASE WHEN o.expires_at > now() THEN least(o.began_at, excluded.began_at) ELSE excluded.began_at END,
      expires_at = CASE WHEN o.expires_at > now() THEN least(o.expires_at, excluded.expires_at) ELSE excluded.expires_at END
  $$;

  -- Returns the time since which an answer is not too old. It counts back from the beginning of the request or, if that is earlier, of its operation,
  -- but for lasting answers never to before the store was found to be older than a process remembers.
  CREATE OR REPLACE FUNCTION answer_since(p_age json) RETURNS timestamptz LANGUAGE sql STABLE AS $$
    SELECT greatest(c.kept_since, least(now() - l."elapsedMs" * interval '1 millisecond',
      (SELECT min(o.began_at) FROM call_operations o WHERE o.name = ANY(l.operations) AND o.expires_at > now())) - l."maxAgeMs" * interval '1 millisecond')
    FROM json_to_record(p_age) AS l(operations text[], "maxAgeMs" double precision, "elapsedMs" double precision), ledger_erasure_count c WHERE c.is_only
  $$;

  -- Looks for an answer under names. An answer comes before a failure, then the first rule counts, and then the newer one. If its rule limits the
  -- age, an answer that `p_age` finds too old is not used. No brief answer from before the last erasure is used, because any may be about that person,
  -- except by those who wait for it. `sealed` is null if an operation knows that its answer is lost.
  CREATE OR REPLACE FUNCTION answer_find(p_names text[], p_age json, p_replaced text[], OUT call text, OUT sealed bytea, OUT failed boolean, OUT details json)
  LANGUAGE plpgsql STABLE SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
  DECLARE
    v_since timestamptz := CASE WHEN p_age IS NULL THEN '-infinity'::timestamptz ELSE answer_since(p_age) END;
    v_erased timestamptz;
    v_kept answers%ROWTYPE;
  BEGIN
    SELECT e.last_at INTO v_erased FROM ledger_erasure_count e WHERE e.is_only;
    -- Only the names choose the index: a plan that begins with `until` reads all answers that are kept.
    WITH named AS MATERIALIZED (SELECT * FROM answers a WHERE a.name = ANY(p_names))
    SELECT a.* INTO v_kept FROM named a
    WHERE a.until > now() AND (a.call = ANY(p_replaced)) IS NOT TRUE AND (a.asked_at >= v_since OR NOT a.is_aged)
      AND (a.asked_at > v_erased OR a.lasts OR a.rule = 'CALL')
      AND (a.key IS NULL OR EXISTS (SELECT FROM answer_contents c WHERE c.call = a.call))
    ORDER BY a.failed, a.rank, a.asked_at DESC LIMIT 1;
    IF NOT FOUND THEN RETURN; END IF;
    call := v_kept.call; failed := v_kept.failed;
    -- Brief bytes are there beside lasting ones if only an operation has the key of those.
    IF v_kept.key IS NOT NULL THEN SELECT c.sealed INTO sealed FROM answer_contents c WHERE c.call = v_kept.call ORDER BY c.lasts <> v_kept.lasts LIMIT 1; END IF;
    details := json_build_object('rule', v_kept.rule, 'name', v_kept.name, 'call', v_kept.call, 'key', encode(v_kept.key, 'base64'), 'failed', v_kept.failed,
      'payer', v_kept.payer, 'settled', v_kept.settled, 'at', extract(epoch FROM v_kept.asked_at) * 1000, 'age', extract(epoch FROM now() - v_kept.asked_at) * 1000,
      'ms', CASE WHEN v_kept.until < 'infinity' THEN extract(epoch FROM v_kept.until - now()) * 1000 END);
  END $$;

  -- Deletes the bytes of lasting answers that have no row any more, and their links to people unless an operation still makes the call. Bytes that
  -- others may have for seconds move to the brief part. Of two that delete the rows of a call, the second waits for the lock of its bytes, and sees
  -- what the first has deleted.
  CREATE OR REPLACE FUNCTION answer_release(p_calls text[]) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    IF p_calls IS NULL OR p_calls = '{}' THEN RETURN; END IF;
    PERFORM 1 FROM answer_contents_lasting c WHERE c.call = ANY(p_calls) ORDER BY c.call FOR UPDATE;
    WITH gone AS (
      DELETE FROM answer_contents_lasting c WHERE c.call = ANY(p_calls) AND NOT EXISTS (SELECT FROM answers_lasting a WHERE a.call = c.call) RETURNING *
    )
    INSERT INTO answer_contents (call, lasts, sealed) SELECT g.call, false, g.sealed FROM gone g
    WHERE EXISTS (SELECT FROM answers_brief b WHERE b.call = g.call AND b.until > clock_timestamp()) ON CONFLICT (call, lasts) DO NOTHING;
    DELETE FROM answer_subjects s WHERE s.call = ANY(p_calls) AND NOT EXISTS (SELECT FROM answers_lasting a WHERE a.call = s.call)
      AND NOT EXISTS (SELECT FROM operation_calls r WHERE r.call = s.call);
  END $$;

  -- Deletes lasting answers by their names.
  CREATE OR REPLACE FUNCTION answer_delete(p_names text[]) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    v_calls text[];
  BEGIN
    WITH deleted AS (DELETE FROM answers_lasting a WHERE a.name = ANY(p_names) RETURNING a.call, a.rule, a.bytes), counted AS (
      -- The bytes of an answer count once for a rule: from now on with a row that is left.
      UPDATE answers_lasting a SET bytes = d.bytes FROM deleted d WHERE d.bytes > 0 AND a.call = d.call AND a.rule = d.rule
        AND a.name = (SELECT min(b.name) FROM answers_lasting b WHERE b.call = d.call AND b.rule = d.rule AND b.name <> ALL(p_names))
    ) SELECT array_agg(d.call) INTO v_calls FROM deleted d;
    PERFORM answer_release(v_calls);
  END $$;

  -- Makes room for a lasting answer of the account, and links it to its people. False if it may not be kept: if it would exceed the quota beside the one that it
  -- replaces and without the others of its statement, or if a person was erased since the request began. Null if a newer one is kept.
  CREATE OR REPLACE FUNCTION answer_admit(p_call text, p_names text[], p_accounts text[], p_quota bigint, p_bytes integer, p_asked timestamptz, p_entry json)
  RETURNS boolean LANGUAGE plpgsql AS $$
  BEGIN
    -- A closing that is repeated has kept it already.
    IF EXISTS (SELECT FROM answers_lasting a WHERE a.call = p_call AND a.rule = 'PURPOSE') THEN RETURN true; END IF;
    IF ledger_is_erased(p_entry->>'account', p_entry->'subjects', (p_entry->>'began')::int8)
      OR operation_bytes(p_accounts, 'reuse') + p_bytes > p_quota THEN RETURN false; END IF;
    IF EXISTS (SELECT FROM answers_lasting a WHERE a.name = ANY(p_names) AND a.asked_at > p_asked) THEN RETURN NULL; END IF;
    PERFORM answer_delete(p_names);
    INSERT INTO answer_subjects SELECT decode(s.value->>1, 'hex'), p_call
    FROM json_array_elements(p_entry->'subjects') AS s WHERE s.value->>0 <> 'answer' ON CONFLICT DO NOTHING;
    RETURN true;
  END $$;

  -- Keeps an answer by rules, of those that last by p_lasting. Bytes that are there stay, and the rows have their key, unless the call itself has ended
  -- now: it knows the exchange with the service, which every release can read.
  CREATE OR REPLACE FUNCTION answer_keep(p_call text, p_account text, p_operation text, p_keeps json, p_sealed text, p_asked timestamptz,
    p_is_awaited boolean, p_lasting text[], p_has_ended boolean) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    v_sealed bytea := decode(p_sealed, 'base64');
    v_lasts boolean := p_lasting <> '{}';
    v_key bytea;
  BEGIN
    IF NOT p_has_ended THEN
      -- Of bytes that move to the brief part meanwhile, the first statement sees only the old row.
      PERFORM 1 FROM answer_contents c WHERE c.call = p_call FOR UPDATE;
      PERFORM 1 FROM answer_contents c WHERE c.call = p_call FOR UPDATE;
      IF FOUND THEN SELECT a.key INTO v_key FROM answers a WHERE a.call = p_call AND a.operation IS NULL LIMIT 1; END IF;
    END IF;
    INSERT INTO answers AS a (name, lasts, rule, rank, is_aged, call, asked_at, failed, settled, until, key, account, bytes, operation, payer)
    SELECT n.name, k.lasts, k.rule, k.rank, k.aged, p_call, p_asked, k.failed, k.settled, coalesce(now() + k.ms * interval '1 millisecond', 'infinity'),
      coalesce(v_key, decode(k.key, 'base64')), p_account, CASE WHEN k.lasts AND n.position = 1 THEN octet_length(v_sealed) ELSE 0 END,
      CASE WHEN k.rule = 'OPERATION' THEN p_operation END, k.payer
    FROM json_to_recordset(p_keeps) AS k(rule text, rank int2, aged boolean, names text[], lasts boolean, failed boolean, settled json, ms double precision,
      key text, payer text), unnest(k.names) WITH ORDINALITY AS n(name, position)
    WHERE (k.ms > 0) IS NOT FALSE AND (k.rule <> 'CALL' OR p_is_awaited) AND (NOT k.lasts OR k.rule = ANY(p_lasting))
    ON CONFLICT (name, lasts, call) DO UPDATE SET settled = coalesce(excluded.settled, a.settled), until = least(a.until, excluded.until);
    IF NOT FOUND OR v_key IS NOT NULL THEN RETURN; END IF;
    IF p_has_ended THEN
      -- What an early response has kept first leads to the bytes of the service now.
      UPDATE answers_brief a SET key = decode(k.key, 'base64')
      FROM (SELECT k.key FROM json_to_recordset(p_keeps) AS k(rule text, key text) WHERE k.rule <> 'OPERATION' LIMIT 1) k WHERE a.call = p_call;
      IF v_lasts THEN DELETE FROM answer_contents_brief c WHERE c.call = p_call; END IF;
    END IF;
    INSERT INTO answer_contents AS c (call, lasts, sealed) VALUES (p_call, v_lasts, v_sealed)
    ON CONFLICT (call, lasts) DO UPDATE SET sealed = excluded.sealed;
  END $$;

  -- Returns the outcome of the uncertain price of an early response, and forgets it, so that one response reports it. Null if there was no such response.
  CREATE OR REPLACE FUNCTION answer_settle(p_names text[]) RETURNS json LANGUAGE sql SET enable_seqscan = off AS $$
    WITH early AS MATERIALIZED (
      SELECT a.name, a.call, a.settled FROM answers_brief a WHERE a.name = ANY(p_names) AND a.rule = 'HOLDER' AND a.until > now() ORDER BY a.name, a.call FOR UPDATE
    ), chosen AS MATERIALIZED (SELECT * FROM early e ORDER BY e.settled IS NULL LIMIT 1),
    reported AS (UPDATE answers_brief a SET settled = NULL FROM chosen c WHERE a.name = c.name AND a.call = c.call AND c.settled IS NOT NULL)
    SELECT coalesce(c.settled, '{"spent": 0, "uncertain": 0}') FROM chosen c
  $$;

  -- Deletes the lasting answers about a person: those that are linked to p_hashes, and those of p_calls, which are linked to other identifiers of
  -- the person (p_linked), because the kept answer of an entry has the links of its question only. The running calls of operations are forgotten, so
  -- that their answers are not kept. Then answer_forget is called.
  CREATE OR REPLACE FUNCTION answer_erase(p_accounts text[], p_hashes bytea[], p_linked bytea[], p_calls text[]) RETURNS void LANGUAGE plpgsql
  SET enable_seqscan = off AS $$
  DECLARE
    v_calls text[] := ARRAY(SELECT DISTINCT s.call FROM answer_subjects s
      WHERE s.hash = ANY(p_hashes || p_linked) AND (s.hash = ANY(p_hashes) OR s.call = ANY(p_calls)));
    v_operations text[] := ARRAY(SELECT a.operation FROM answers_lasting a WHERE a.call = ANY(v_calls)
      UNION SELECT r.operation FROM operation_calls r WHERE r.call = ANY(v_calls));
  BEGIN
    PERFORM 1 FROM operations o WHERE o.id = ANY(v_operations) AND o.account = ANY(p_accounts) ORDER BY o.id FOR UPDATE;
    DELETE FROM operation_calls r USING operations o WHERE r.call = ANY(v_calls) AND o.id = r.operation AND o.account = ANY(p_accounts);
    DELETE FROM answers_lasting a WHERE a.call = ANY(v_calls) AND a.account = ANY(p_accounts);
    PERFORM answer_release(v_calls);
  END $$;

  DROP FUNCTION IF EXISTS person_erase(text[], text[], timestamptz);

  -- Erases a person from the entries and the lasting answers of an account. p_purposes: PURPOSES of this process, which may have lost its lease.
  -- Returns the number of entries.
  CREATE OR REPLACE FUNCTION person_erase(p_accounts text[], p_hashes text[], p_at timestamptz, p_purposes text DEFAULT NULL) RETURNS integer
  LANGUAGE plpgsql AS $$
  DECLARE
    v_erased record;
  BEGIN
    SELECT * INTO v_erased FROM ledger_erase(p_accounts, p_hashes, p_at, p_purposes);
    PERFORM answer_erase(p_accounts, ARRAY(SELECT decode(h.hash, 'hex') FROM unnest(p_hashes) AS h(hash)), v_erased.p_others, v_erased.p_linked);
    RETURN cardinality(v_erased.p_linked);
  END $$;

  -- Ends the brief answers from before the last erasure, which are not found any more. Those who wait now still get theirs. Rows that are in use are
  -- skipped, so that nothing waits. They end by themselves.
  CREATE OR REPLACE FUNCTION answer_forget() RETURNS void LANGUAGE sql AS $$
    UPDATE answers_brief a SET until = CASE a.rule WHEN 'CALL' THEN least(a.until, now() + interval '3 seconds') ELSE now() END
    WHERE a.ctid = ANY(ARRAY(SELECT b.ctid FROM answers_brief b WHERE b.until > now() AND b.asked_at <= (SELECT e.last_at FROM ledger_erasure_count e WHERE e.is_only)
      FOR UPDATE SKIP LOCKED))
  $$;

  -- Deletes brief answers that have ended. Rows that are in use are skipped, and found a second later. The bytes are locked before their rows are
  -- counted, so that a row which is added meanwhile is seen, or brings its bytes.
  CREATE OR REPLACE FUNCTION answer_expire() RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    v_calls text[];
  BEGIN
    WITH ended AS (
      DELETE FROM answers_brief a WHERE a.ctid = ANY(ARRAY(SELECT b.ctid FROM answers_brief b WHERE b.until <= now() FOR UPDATE SKIP LOCKED)) RETURNING a.call
    ) SELECT array_agg(e.call) INTO v_calls FROM ended e;
    v_calls := ARRAY(SELECT c.call FROM answer_contents_brief c WHERE c.call = ANY(v_calls) FOR UPDATE SKIP LOCKED);
    DELETE FROM answer_contents_brief c WHERE c.call = ANY(v_calls) AND NOT EXISTS (SELECT FROM answers_brief a WHERE a.call = c.call);
  END $$;

  -- Deletes brief bytes that have no row, because they were in use when their last row was deleted. It reads all of the brief part, which has the
  -- answers of REPLAY_SECONDS, by its indexes.
  CREATE OR REPLACE FUNCTION answer_sweep() RETURNS void LANGUAGE plpgsql SET enable_seqscan = off AS $$
  DECLARE
    v_calls text[] := ARRAY(SELECT c.call FROM answer_contents_brief c WHERE NOT EXISTS (SELECT FROM answers_brief a WHERE a.call = c.call) FOR UPDATE SKIP LOCKED);
  BEGIN
    DELETE FROM answer_contents_brief c WHERE c.call = ANY(v_calls) AND NOT EXISTS (SELECT FROM answers_brief a WHERE a.call = c.call);
  END $$;

  -- Deletes up to p_count lasting answers that have ended. Returns their number.
  CREATE OR REPLACE FUNCTION answer_purge(p_count integer) RETURNS integer LANGUAGE plpgsql SET enable_seqscan = off AS $$
  DECLARE
    v_calls text[] := ARRAY(SELECT c.call FROM answer_contents_lasting c WHERE c.call = ANY(ARRAY(
      SELECT a.call FROM answers_lasting a WHERE a.until < now() ORDER BY a.until LIMIT p_count)) FOR UPDATE SKIP LOCKED);
  BEGIN
    DELETE FROM answers_lasting a WHERE a.ctid = ANY(ARRAY(SELECT b.ctid FROM answers_lasting b WHERE b.call = ANY(v_calls) AND b.until < now() FOR UPDATE SKIP LOCKED));
    PERFORM answer_release(v_calls);
    RETURN cardinality(v_calls);
  END $$;
