-- SQL functions that open calls. All calls of one statement are of one day (`p_at` is a moment of it), and of one operation that lasts or of none.
-- `p_accounts` are the names of all their accounts. `p_seen_at` is the last heartbeat of the process by the server's clock, or null if the store belongs to it. `verdict` is
-- - SEND: the caller sends the question. `lost` is the price of the call of a process that died.
-- - ANSWER: there is this `answer`, by the rule in `details`. It comes before WAIT.
-- - WAIT: another process asks the question (`details`: its call, milliseconds since it was opened).
-- - LIMITED: running calls have reserved the rest of the operation's limit. LATER: the account is paused, a process has not registered its
--   running calls yet, or the statement arrives so late that others may have taken over the calls. UNREGISTERED: this process has to register.
-- - AGAIN: there is an answer, but this statement returns enough of them.
-- - UNAFFORDABLE: the store has no answer, and the caller must not pay for one.
-- - REFUSED (`details`): PERIOD: a budget does not cover the price. OPERATION: its limit does not. QUOTA: what it keeps is full. STOPPED: it is
--   over, or its person was erased. UNKNOWN: it lasts, and its request does not know it. POISONED: three processes died while they asked the question.
-- `budgets` are those that limit a call that costs units. If it is sent, its price is not left.
-- Opening a call again, because the reply was lost, has no second effect.

  -- Looks for an answer to a question, and then for a call that asks it. Its verdict is null if the question may be sent.
  CREATE OR REPLACE FUNCTION call_find(p_id text, p_names text[], p_claims text[], p_age json, p_replaced text[],
    OUT verdict text, OUT lost integer, OUT deaths integer, OUT answer bytea, OUT details json) LANGUAGE plpgsql
  SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
  DECLARE
    v_call calls%ROWTYPE; v_found record;
  BEGIN
    lost := 0; deaths := 0;
    SELECT * INTO v_call FROM calls c WHERE c.name = ANY(p_names) ORDER BY c.state = 'OPEN' DESC, c.deaths DESC LIMIT 1 FOR UPDATE;
    IF v_call.state = 'OPEN' AND v_call.id = p_id THEN verdict := 'SEND'; RETURN; END IF;
    SELECT * INTO v_found FROM answer_find(p_claims, p_age, p_replaced);
    IF v_found.call IS NOT NULL THEN
      verdict := 'ANSWER'; answer := v_found.sealed; details := v_found.details;
    ELSIF v_call.state = 'OPEN' THEN
      UPDATE calls SET awaited = true WHERE id = v_call.id AND name = v_call.name;
      verdict := 'WAIT';
      details := json_build_object('call', v_call.id, 'ms', extract(epoch FROM now() - v_call.opened_at) * 1000);
    ELSIF v_call.state = 'POISONED' AND v_call.expires_at > now() THEN
      verdict := 'REFUSED';
      details := json_build_object('kind', 'POISONED', 'ms', extract(epoch FROM v_call.expires_at - now()) * 1000);
    ELSIF v_call.state = 'LOST' THEN
      -- The price is reported once, also if a budget refuses the call.
      lost := v_call.price;
      deaths := v_call.deaths + 1;
      IF deaths < 3 THEN
        UPDATE calls c SET price = 0 WHERE c.id = v_call.id;
      ELSE
        UPDATE calls c SET price = 0, state = 'POISONED', expires_at = now() + interval '1 minute' WHERE c.id = v_call.id;
        verdict := 'REFUSED'; details := json_build_object('kind', 'POISONED', 'ms', 60000);
      END IF;
    END IF;
  END $$;

  CREATE OR REPLACE FUNCTION call_open(p_process text, p_accounts text[], p_operation text, p_run integer, p_quota bigint, p_at timestamptz,
    p_seen_at timestamptz, p_calls json)
  RETURNS TABLE (id text, verdict text, lost integer, pause double precision, answer bytea, details json, budgets json)
  LANGUAGE plpgsql SET lock_timeout = '800ms' SET enable_seqscan = off SET jit = off SET plan_cache_mode = force_generic_plan AS $$
  #variable_conflict use_column
  DECLARE
    v_call record; v_found record; v_budget record;
    v_operation operations%ROWTYPE; v_kept record; v_running operation_calls%ROWTYPE; v_is_full boolean; v_began int8;
    v_is_registered boolean; v_refusal text; v_has_budgets boolean; v_has_pauses boolean; v_has_erasures boolean; v_accounts text[];
    v_room integer; v_taken integer := 0; v_bytes int8 := 0;
    v_id text; v_index integer;
    v_opened text[] := '{}'; v_limiting text[]; v_seen ledger_budgets[]; v_exhausted text[] := '{}';
    -- IDs of budgets, and at the same positions the units that earlier calls of this statement reserve in them.
    v_ids text[] := '{}'; v_reserved int8[] := '{}';
  BEGIN
    -- Locked, so that the process is not declared dead before its calls are in the store. All functions take their locks in this order: process,
    -- account (ledger_lock), operation, calls, answers.
    PERFORM 1 FROM call_processes r WHERE r.id = p_process FOR KEY SHARE;
    v_is_registered := FOUND;
    PERFORM ledger_lock(p_accounts);
    v_refusal := CASE WHEN NOT v_is_registered THEN 'UNREGISTERED'
      WHEN EXISTS (SELECT FROM processes p WHERE NOT EXISTS (SELECT FROM call_processes r WHERE r.id = p.id)) THEN 'LATER'
      WHEN clock_timestamp() - p_seen_at > interval '5 seconds' THEN 'LATER' END;
    IF v_refusal IS NOT NULL THEN
      RETURN QUERY SELECT c.id, v_refusal, 0, NULL::double precision, NULL::bytea, NULL::json, NULL::json FROM json_to_recordset(p_calls) AS c(id text);
      RETURN;
    END IF;
    v_has_budgets := EXISTS (SELECT FROM ledger_budgets b WHERE b.accounts && p_accounts);
    IF v_has_budgets THEN
      FOR v_accounts IN SELECT DISTINCT c.accounts FROM json_to_recordset(p_calls) AS c(accounts text[]) LOOP
        PERFORM ledger_start_periods(v_accounts, p_at);
      END LOOP;
    END IF;
    -- A call is sent as soon as this commits, so its entry must be on disk, whatever the server's setting.
    PERFORM set_config('synchronous_commit', 'on', true);
    IF p_operation IS NOT NULL THEN
      SELECT * INTO v_operation FROM operations o WHERE o.id = p_operation AND o.expires_at > now() FOR UPDATE;
      v_room := v_operation.max_units - v_operation.spent - v_operation.uncertain - v_operation.reserved;
      v_is_full := operation_bytes(p_accounts, v_operation.owner) >= p_quota;
    END IF;
    v_has_pauses := EXISTS (SELECT FROM call_pauses p WHERE p.account = ANY(p_accounts));
    FOR v_call IN SELECT * FROM json_to_recordset(p_calls) AS c(id text, accounts text[], names text[], claims text[], age json, replaced text[], price integer,
      affordable boolean, operations text[], "operationUnits" integer, "lastingNames" text[], "keptAs" text, "keptSpelled" text, payer text, retries boolean,
      asked json, entry json) LOOP
      id := v_call.id; verdict := NULL; lost := 0; pause := NULL; answer := NULL; details := NULL;
      IF v_has_pauses THEN
        SELECT extract(epoch FROM max(p.until) - now()) * 1000 INTO pause FROM call_pauses p WHERE p.account = ANY(v_call.accounts);
      END IF;
      IF p_operation IS NOT NULL THEN
        SELECT * INTO v_kept FROM answer_find(ARRAY[v_call."keptAs", v_call."keptSpelled"], NULL, NULL);
        SELECT * INTO v_running FROM operation_calls r WHERE r.operation = p_operation AND r.name = v_call."keptAs";
        IF v_kept.details->'settled'->>'uncertain' IS NOT NULL THEN
          -- Its process died before it could report the price. It is reported once.
          lost := (v_kept.details->'settled'->>'uncertain')::integer;
          UPDATE answers_lasting a SET settled = NULL WHERE a.name = v_kept.details->>'name' AND a.call = v_kept.call;
        END IF;
        -- A row began with its batch, however often it is tried.
        v_began := CASE WHEN v_call.payer IS NULL THEN (v_call.entry->>'began')::int8 ELSE (extract(epoch FROM v_operation.began_at) * 1000)::int8 END;
        IF v_running.call IS NOT NULL AND v_kept.failed IS NOT false THEN
          verdict := CASE WHEN v_running.call = id THEN 'SEND' ELSE 'WAIT' END;
          details := json_build_object('call', v_running.call, 'ms', extract(epoch FROM now() - v_running.asked_at) * 1000);
        ELSIF v_kept.call IS NOT NULL AND NOT (v_kept.failed AND v_call.retries) THEN
          verdict := 'ANSWER'; answer := v_kept.sealed; details := v_kept.details;
        ELSIF (v_operation.run IS DISTINCT FROM p_run OR ledger_is_erased(v_call.entry->>'account', v_call.asked, v_began))
          -- Its call may be open, and forgotten since.
          AND NOT EXISTS (SELECT FROM calls c WHERE c.name = ANY(v_call.names) AND c.id = v_call.id AND c.state = 'OPEN') THEN
          verdict := 'REFUSED'; details := '{"kind": "STOPPED"}';
        END IF;
      ELSIF cardinality(v_call."lastingNames") > 0 AND EXISTS (SELECT FROM operation_names n JOIN operations o ON o.id = n.operation
        WHERE n.name = ANY(v_call."lastingNames") AND o.expires_at > now()) THEN
        -- Another request has just made the operation last, or the store was unavailable when this one began. It does not have its key.
        verdict := 'REFUSED'; details := '{"kind": "UNKNOWN"}';
      END IF;
      IF verdict IS NULL THEN
        IF v_call.age IS NOT NULL THEN PERFORM call_operation_begin(v_call.age->'operations', (v_call.age->>'elapsedMs')::float8); END IF;
        SELECT * INTO v_found FROM call_find(id, v_call.names, v_call.names || v_call.claims, v_call.age, v_call.replaced);
        -- A batch sums up its own calls. The lost call of another payer is in the ledger.
        lost := lost + CASE WHEN v_call.payer IS NULL THEN v_found.lost ELSE 0 END;
        verdict := v_found.verdict; answer := v_found.answer; details := v_found.details;
      END IF;
      -- A statement returns few large answers, because a process has to hold them all. The others are asked for again at once.
      IF answer IS NOT NULL AND v_bytes + octet_length(answer) > 4000000 AND v_bytes > 0 THEN verdict := 'AGAIN'; answer := NULL; END IF;
      v_bytes := v_bytes + coalesce(octet_length(answer), 0);
      IF verdict = 'ANSWER' THEN
        details := (details::jsonb || jsonb_build_object('settled', answer_settle(v_call.claims)))::json;
      END IF;
      IF verdict IS NULL AND NOT v_call.affordable THEN verdict := 'UNAFFORDABLE'; END IF;
      IF verdict IS NULL AND pause > 0 THEN verdict := 'LATER'; END IF;
      IF verdict IS NULL AND cardinality(v_call.operations) > 0 AND EXISTS (SELECT FROM call_operations o
        WHERE o.name = ANY(v_call.operations) AND o.expires_at > now() AND o.committed + v_call.price > v_call."operationUnits") THEN
        verdict := 'REFUSED'; details := json_build_object('kind', 'OPERATION');
      END IF;
      IF verdict IS NULL AND v_call.price > 0 AND v_call.price > v_room THEN
        -- The calls that hold reserved units may turn out to be free.
        IF v_operation.reserved + v_taken > 0 THEN verdict := 'LIMITED';
        ELSE verdict := 'REFUSED'; details := json_build_object('kind', 'OPERATION'); END IF;
      END IF;
      IF verdict IS NULL AND v_is_full THEN verdict := 'REFUSED'; details := json_build_object('kind', 'QUOTA'); END IF;
      v_limiting := '{}'; v_seen := NULL;
      IF verdict IS NULL AND v_has_budgets AND v_call.price > 0 THEN
        v_seen := '{}';
        FOR v_budget IN
          SELECT b.id, b.client, b.tag, b.period, b.units, b AS budget,
            b.units - b.spent - b.uncertain - b.reserved - coalesce(v_reserved[array_position(v_ids, b.id)], 0) AS units_left
          FROM ledger_budgets b
          WHERE b.accounts && v_call.accounts AND (b.client IS NULL OR b.client = v_call.entry->>'client')
            AND (b.tag IS NULL OR b.tag = v_call.entry->>'tag')
          ORDER BY b.id LOOP
          v_seen := v_seen || v_budget.budget;
          IF verdict IS NULL AND v_budget.units_left < v_call.price THEN
            verdict := 'REFUSED';
            details := json_build_object('kind', 'PERIOD', 'budget', v_budget.id, 'client', v_budget.client, 'tag', v_budget.tag, 'period', v_budget.period,
              'units', v_budget.units, 'left', greatest(v_budget.units_left, 0));
            v_exhausted := v_exhausted || v_budget.id;
          END IF;
          v_limiting := v_limiting || v_budget.id;
        END LOOP;
      END IF;
      IF verdict IS NULL THEN
        verdict := 'SEND';
        v_opened := v_opened || id;
        FOREACH v_id IN ARRAY v_limiting LOOP
          v_index := array_position(v_ids, v_id);
          IF v_index IS NULL THEN v_ids := v_ids || v_id; v_reserved := v_reserved || v_call.price::int8;
          ELSE v_reserved[v_index] := v_reserved[v_index] + v_call.price; END IF;
        END LOOP;
        INSERT INTO calls AS c (name, id, process, state, price, deaths, expires_at)
        SELECT n.name, v_call.id, p_process, 'OPEN', v_call.price, coalesce(v_found.deaths, 0), 'infinity'
        FROM unnest(v_call.names) AS n(name)
        ON CONFLICT (name) DO UPDATE SET id = excluded.id, process = excluded.process, state = 'OPEN', price = excluded.price,
          deaths = excluded.deaths, awaited = false, opened_at = now(), expires_at = excluded.expires_at;
        IF cardinality(v_call.operations) > 0 THEN PERFORM call_operation_begin(to_json(v_call.operations), 0, v_call.price); END IF;
        IF p_operation IS NOT NULL THEN
          v_taken := v_taken + v_call.price; v_room := v_room - v_call.price;
        END IF;
        IF v_call."keptAs" IS NOT NULL THEN
          IF v_kept.call IS NOT NULL THEN PERFORM answer_delete(ARRAY[v_kept.details->>'name']); END IF;
          INSERT INTO operation_calls (operation, name, process, call, payer, price)
          VALUES (p_operation, v_call."keptAs", p_process, id, v_call.payer, v_call.price);
          INSERT INTO answer_subjects SELECT decode(s.value->>1, 'hex'), id FROM json_array_elements(v_call.entry->'subjects') AS s ON CONFLICT DO NOTHING;
        END IF;
      END IF;
      budgets := CASE WHEN v_seen IS NOT NULL THEN
        (SELECT coalesce(json_agg(ledger_budget_left(s, coalesce(v_reserved[array_position(v_ids, s.id)], 0))), '[]') FROM unnest(v_seen) AS s) END;
      RETURN NEXT;
    END LOOP;
    IF cardinality(v_exhausted) > 0 THEN PERFORM ledger_record_alerts(v_exhausted, true); END IF;
    IF cardinality(v_opened) = 0 THEN RETURN; END IF;
    v_has_erasures := EXISTS (SELECT FROM ledger_erasures x WHERE x.account = ANY(p_accounts));
    WITH incoming AS MATERIALIZED (
      SELECT e.* FROM json_to_recordset(p_calls) AS c(id text, entry json), json_to_record(c.entry) AS e(id text, at int8, began int8, account text, client text, tag text, purpose text, actor text,
  operation text, request text, batch text, lasting text, endpoint text, price int4, subjects json)
      WHERE c.id = ANY(v_opened)
    ), stored AS (
      INSERT INTO ledger_entries (id, at, account, process, client, tag, purpose, actor, operation, request_id, batch_id, operation_id, endpoint, outcome,
        units, price, billing, served_from)
      SELECT i.id, to_timestamp(i.at / 1000.0), i.account, p_process, i.client, i.tag, i.purpose, i.actor, i.operation, i.request, i.batch, i.lasting,
        i.endpoint, 'OPEN', 0, i.price, CASE WHEN i.price > 0 THEN 'UNKNOWN' ELSE 'NOT_CHARGED' END, 'LIVE'
      FROM incoming i ON CONFLICT DO NOTHING RETURNING id
    )
    INSERT INTO ledger_subjects (hash, entry_id, kind, key_version, sealed)
    SELECT decode(s.value->>1, 'hex'), i.id, s.value->>0, s.value->>2, decode(s.value->>3, 'base64')
    FROM stored JOIN incoming i USING (id), json_array_elements(i.subjects) AS s
    WHERE NOT (v_has_erasures AND ledger_is_erased(i.account, i.subjects, i.began))
    ON CONFLICT DO NOTHING;
  END $$;
