-- SQL function that closes calls of one operation that lasts or of none. `p_accounts` are the names of all their accounts. A closing has
-- - `state`: ANSWERED, FAILED (the answer is only for those who wait) or RELEASED (the question was not sent), with the sealed `answer` and
--   the milliseconds for which it is `valid`. Only a newer answer replaces an answer. Processes that wait are woken. A notification takes a lock of the whole database, so a call without
--   waiting processes sends none.
-- - `reuse`: where the answer is kept for later requests. `p_has_reuse`: whether a closing has it.
-- - `kept`: what the operation keeps. `saved`: the units that an answer of the operation saved.
-- - `entry`: the entry of the ledger with its outcome. If the ledger has the opened entry, it is closed; the outcome RELEASED deletes it. LINKED
--   only adds links. If they are the entry's `own`, and its person was erased since, it loses all of them. Otherwise they have the account and the client that added them, and the problem that they found. Any other entry is inserted. A closed entry does not change, because it may have been settled or its subjects erased.
-- Closing a call again has no second effect. Returns the budgets that limit the calls, if there are any,
-- and the calls whose answers are kept for later requests.

  CREATE OR REPLACE FUNCTION call_close(p_process text, p_accounts text[], p_operation text, p_closings json, p_has_reuse boolean DEFAULT true,
    OUT budgets json, OUT kept text[]) LANGUAGE plpgsql SET lock_timeout = '4s' AS $$
  DECLARE
    v_closing record;
    v_opened timestamptz;
    v_is_awaited boolean;
  BEGIN
    PERFORM ledger_lock(p_accounts);
    IF p_operation IS NOT NULL THEN PERFORM operation_settle(p_operation, p_closings); END IF;
    IF p_has_reuse THEN kept := reuse_keep(p_process, p_closings); END IF;
    FOR v_closing IN SELECT c.*, e.at FROM json_to_recordset(p_closings) AS c(id text, names text[], state text, answer text, valid double precision,
      operations text[], unused integer, settled json, entry json), json_to_record(coalesce(c.entry, '{}')) AS e(at int8) WHERE c.state IS NOT NULL LOOP
      WITH closed AS (
        DELETE FROM calls c WHERE c.name = ANY(v_closing.names) AND c.id = v_closing.id AND NOT c.is_answer RETURNING c.awaited, c.opened_at
      ) SELECT min(d.opened_at), coalesce(bool_or(d.awaited), false) INTO v_opened, v_is_awaited FROM closed d;
      IF v_closing.answer IS NOT NULL AND (v_closing.state = 'ANSWERED' OR (v_closing.state = 'FAILED' AND (v_is_awaited OR v_opened IS NULL))) THEN
        -- Also the answer of a process that was declared dead, and that of an early response, which has no call. Those who wait find a
        -- failure under the ID of the call, because the question may be asked again before they look. A crash of
        -- the server has forgotten whether somebody waits.
        INSERT INTO calls AS c (name, is_answer, id, process, state, price, awaited, opened_at, answer, settled, expires_at)
        SELECT n.name, true, v_closing.id, p_process, v_closing.state, 0, v_is_awaited,
          coalesce(v_opened, least(now(), to_timestamp(v_closing.at / 1000.0))), decode(v_closing.answer, 'base64'), v_closing.settled, now() + v_closing.valid * interval '1 millisecond'
        FROM unnest(CASE v_closing.state WHEN 'FAILED' THEN ARRAY[v_closing.id] ELSE v_closing.names END) AS n(name)
        ON CONFLICT (name, is_answer) DO UPDATE SET id = excluded.id, state = excluded.state, awaited = excluded.awaited, opened_at = excluded.opened_at,
          answer = excluded.answer, settled = coalesce(excluded.settled, c.settled), expires_at = excluded.expires_at
        WHERE c.opened_at <= excluded.opened_at;
      END IF;
      IF v_opened IS NOT NULL AND v_closing.unused <> 0 THEN
        UPDATE call_operations o SET committed = o.committed - v_closing.unused
        WHERE o.name = ANY(v_closing.operations) AND o.began_at <= v_opened;
      END IF;
      IF v_is_awaited THEN PERFORM pg_notify('padron', v_closing.id); END IF;
    END LOOP;
    PERFORM ledger_write(p_process, p_closings);
    budgets := (WITH payers AS MATERIALIZED (
        SELECT DISTINCT e.* FROM json_to_recordset(p_closings) AS c(entry json), json_to_record(c.entry) AS e(account text, client text, tag text)
      ) SELECT json_agg(ledger_budget_left(b, 0)) FROM ledger_budgets b WHERE b.accounts && p_accounts AND EXISTS (SELECT FROM payers p
        WHERE p.account = ANY(b.accounts) AND coalesce(b.client = p.client, b.client IS NULL) AND coalesce(b.tag = p.tag, b.tag IS NULL)));
  END $$;

  CREATE OR REPLACE FUNCTION ledger_write(p_process text, p_closings json) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    IF NOT EXISTS (SELECT FROM json_to_recordset(p_closings) AS c(entry json) WHERE c.entry IS NOT NULL) THEN RETURN; END IF;
    -- A question that was not sent does not count, also if its process was declared dead before.
    UPDATE ledger_entries e SET outcome = 'OPEN', problem = NULL FROM json_to_recordset(p_closings) AS c(id text, entry json)
    WHERE c.entry->>'outcome' = 'RELEASED' AND e.account = c.entry->>'account' AND e.id = c.id AND e.problem = 'ANSWER_LOST';
    WITH incoming AS MATERIALIZED (
      SELECT e.* FROM json_to_recordset(p_closings) AS c(entry json), json_to_record(c.entry) AS e(id text, at int8, began int8, account text, client text, tag text, purpose text, actor text,
  operation text, request text, batch text, lasting text, endpoint text, price int4, subjects json, outcome text, status int4, problem text, units int4, billing text, served text, code text, checked int8, saving text, unlinked json, own boolean)
      WHERE c.entry IS NOT NULL
    ), released AS (
      DELETE FROM ledger_entries e USING incoming i
      WHERE i.outcome = 'RELEASED' AND e.account = i.account AND e.id = i.id AND e.outcome = 'OPEN'
    ), unlinked AS (
      DELETE FROM ledger_subjects s USING incoming i, json_array_elements(i.subjects) AS subject
      WHERE i.outcome = 'RELEASED' AND s.hash = decode(subject->>1, 'hex') AND s.entry_id = i.id
    ), erased AS (
      -- The erasure did not find the entry, because it was not linked to this identifier of the person yet.
      DELETE FROM ledger_subjects s USING incoming i
      WHERE i.outcome = 'LINKED' AND i.own AND s.entry_id = i.id AND ledger_is_erased(i.account, i.subjects, i.began)
    ), closed AS (
      -- A reported billing overrides an earlier manual settlement. A process that was declared dead may still report it.
      UPDATE ledger_entries e SET outcome = i.outcome, status = i.status, problem = i.problem, units = i.units, billing = i.billing,
        served_from = i.served, validation_code = i.code, checked_at = to_timestamp(i.checked / 1000.0),
        settled_billing = CASE WHEN i.billing = 'UNKNOWN' THEN e.settled_billing END,
        settled_units = CASE WHEN i.billing = 'UNKNOWN' THEN e.settled_units END,
        settled_at = CASE WHEN i.billing = 'UNKNOWN' THEN e.settled_at END,
        settled_note = CASE WHEN i.billing = 'UNKNOWN' THEN e.settled_note END
      FROM incoming i
      WHERE i.outcome NOT IN ('RELEASED', 'LINKED') AND e.account = i.account AND e.id = i.id AND (e.outcome = 'OPEN' OR e.problem = 'ANSWER_LOST')
    ), stored AS (
      INSERT INTO ledger_entries (id, at, account, process, client, tag, purpose, actor, operation, request_id, batch_id, operation_id, endpoint, outcome,
        status, problem, units, price, billing, served_from, validation_code, checked_at, saving)
      SELECT id, to_timestamp(at / 1000.0), account, p_process, client, tag, purpose, actor, operation, request, batch, lasting, endpoint, outcome,
        status, problem, units, price, billing, served, code, to_timestamp(checked / 1000.0), saving
      FROM incoming WHERE outcome NOT IN ('RELEASED', 'LINKED')
      ON CONFLICT (account, id) DO NOTHING
      RETURNING id
    )
    INSERT INTO ledger_subjects (hash, entry_id, kind, key_version, sealed, account, client, problem)
    SELECT decode(subject->>1, 'hex'), i.id, subject->>0, subject->>2, decode(subject->>3, 'base64'),
      CASE WHEN i.outcome = 'LINKED' AND i.own IS NOT TRUE THEN i.account END, CASE WHEN i.outcome = 'LINKED' AND i.own IS NOT TRUE THEN i.client END,
      CASE WHEN i.outcome = 'LINKED' THEN i.problem END
    FROM incoming i, json_array_elements(i.subjects) AS subject
    WHERE (i.outcome = 'LINKED' OR i.id IN (SELECT s.id FROM stored s) OR (subject->>0 = 'answer' AND i.outcome <> 'RELEASED')) AND NOT ledger_is_erased(i.account, i.subjects, i.began)
      AND NOT ledger_is_erased(i.account, coalesce(i.unlinked, '[]'), i.began)
    ON CONFLICT DO NOTHING;
  END $$;
