-- SQL function that closes calls of one operation that lasts or of none. `p_accounts` are the names of all their accounts. A closing has
-- - `keeps`: the rules by which its answer is kept (answer_keep), which is at the same position of `p_answers`, sealed, as base64. Null if no call ends. `names`: those of the call. Processes that wait are woken.
--   A notification takes a lock of the whole database, so a call without waiting processes sends none.
-- - `place`: the operations that want to use the answer again, and the quota of what lasts for them.
-- - `kept`: the call of the operation that ends (operation_close). `saved`: the units that an answer of the operation saved.
-- - `entry`: the entry of the ledger with its outcome. If the ledger has the opened entry, it is closed; the outcome RELEASED deletes it. LINKED
--   only adds links. If they are the entry's `own`, and its person was erased since, it loses all of them. Otherwise they have the account and the client that added them, and the problem that they found. Any other entry is inserted. A closed entry does not change, because it may have been settled or its subjects erased.
-- Closing a call again has no second effect. Returns the budgets that limit the calls, if there are any,
-- and the calls whose answers are kept for later requests.

  CREATE OR REPLACE FUNCTION call_close(p_process text, p_accounts text[], p_operation text, p_closings json, p_answers text[],
    OUT budgets json, OUT kept text[]) LANGUAGE plpgsql
  -- A plan that was made for small tables may be used when they have grown. Without scans its cost counts as high, so it would be compiled.
  SET lock_timeout = '4s' SET enable_seqscan = off SET jit = off SET plan_cache_mode = force_generic_plan AS $$
  DECLARE
    v_closing record;
    v_opened timestamptz;
    v_asked timestamptz;
    v_is_awaited boolean;
    v_lasts boolean;
    v_lasting text[];
  BEGIN
    PERFORM ledger_lock(p_accounts);
    IF p_operation IS NOT NULL THEN PERFORM operation_save(p_operation, p_closings); END IF;
    FOR v_closing IN SELECT c.*, p_answers[c.number] AS answer FROM ROWS FROM (json_to_recordset(p_closings) AS (id text, account text, names text[], keeps json,
      "agoMs" double precision, place json, operations text[], unused integer, kept json, entry json)) WITH ORDINALITY
      AS c(id, account, names, keeps, ago, place, operations, unused, kept, entry, number) WHERE c.keeps IS NOT NULL LOOP
      WITH closed AS (
        DELETE FROM calls c WHERE c.name = ANY(v_closing.names) AND c.id = v_closing.id RETURNING c.awaited, c.opened_at
      ) SELECT min(d.opened_at), coalesce(bool_or(d.awaited), false) INTO v_opened, v_is_awaited FROM closed d;
      -- A crash of the server may have emptied the table of calls.
      v_asked := coalesce(v_opened, now() - v_closing.ago * interval '1 millisecond');
      v_lasting := '{}';
      IF v_closing.kept IS NOT NULL AND operation_close(p_operation, v_closing.id, v_closing.kept->>'name', v_closing.kept->>'state') THEN
        v_lasting := '{OPERATION}';
      END IF;
      IF v_closing.place IS NOT NULL AND v_closing.answer IS NOT NULL THEN
        PERFORM call_operation_begin(v_closing.place->'operations', extract(epoch FROM now() - v_asked) * 1000);
        v_lasts := (SELECT CASE WHEN a.names = '{}' THEN false ELSE
            answer_admit(v_closing.id, a.names, a.accounts, a.quota, octet_length(decode(v_closing.answer, 'base64')), v_asked, v_closing.entry) END
          FROM json_to_record(v_closing.place) AS a(names text[], accounts text[], quota bigint));
        IF v_lasts IS NOT false THEN kept := kept || v_closing.id; END IF;
        IF v_lasts THEN v_lasting := v_lasting || 'PURPOSE'::text; END IF;
      END IF;
      IF v_closing.answer IS NOT NULL THEN
        -- Also the answer of a process that was declared dead. A crash of the server has forgotten whether somebody waits.
        PERFORM answer_keep(v_closing.id, v_closing.account, p_operation, v_closing.keeps, v_closing.answer, v_asked, v_is_awaited OR v_opened IS NULL, v_lasting,
          v_closing.entry IS NOT NULL);
      END IF;
      IF v_opened IS NOT NULL AND v_closing.unused <> 0 THEN
        UPDATE call_operations o SET committed = o.committed - v_closing.unused
        WHERE o.name = ANY(v_closing.operations) AND o.began_at <= v_opened;
      END IF;
      IF v_is_awaited THEN PERFORM pg_notify('padron', v_closing.id); END IF;
    END LOOP;
    PERFORM ledger_write(p_process, p_accounts, p_closings);
    budgets := (WITH payers AS MATERIALIZED (
        SELECT DISTINCT e.* FROM json_to_recordset(p_closings) AS c(entry json), json_to_record(c.entry) AS e(account text, client text, tag text)
      ) SELECT json_agg(ledger_budget_left(b, 0)) FROM ledger_budgets b WHERE b.accounts && p_accounts AND EXISTS (SELECT FROM payers p
        WHERE p.account = ANY(b.accounts) AND coalesce(b.client = p.client, b.client IS NULL) AND coalesce(b.tag = p.tag, b.tag IS NULL)));
  END $$;

  CREATE OR REPLACE FUNCTION ledger_write(p_process text, p_accounts text[], p_closings json) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    v_releases boolean;
    v_has_erasures boolean := EXISTS (SELECT FROM ledger_erasures x WHERE x.account = ANY(p_accounts));
    v_blocks boolean := v_has_erasures AND EXISTS (SELECT FROM ledger_periods(NULL));
  BEGIN
    SELECT bool_or(c.entry->>'outcome' = 'RELEASED') INTO v_releases FROM json_to_recordset(p_closings) AS c(entry json) WHERE c.entry IS NOT NULL;
    IF v_releases IS NULL THEN RETURN; END IF;
    IF v_blocks THEN
      -- The statement below deletes the links of these entries.
      PERFORM ledger_block(p_accounts, ARRAY(SELECT i.id FROM json_to_recordset(p_closings) AS c(entry json),
        json_to_record(c.entry) AS i(id text, began int8, account text, subjects json, outcome text, own boolean)
        WHERE i.outcome = 'LINKED' AND i.own AND ledger_is_erased(i.account, i.subjects, i.began)));
    END IF;
    IF v_releases THEN
      -- A question that was not sent does not count, also if its process was declared dead before.
      UPDATE ledger_entries e SET outcome = 'OPEN', problem = NULL FROM json_to_recordset(p_closings) AS c(id text, entry json)
      WHERE c.entry->>'outcome' = 'RELEASED' AND e.account = c.entry->>'account' AND e.id = c.id AND e.problem = 'ANSWER_LOST';
    END IF;
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
    ), unblocked AS (
      DELETE FROM ledger_blocked b USING incoming i WHERE v_has_erasures AND i.outcome = 'RELEASED' AND b.entry_id = i.id
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
    WHERE (i.outcome = 'LINKED' OR i.id IN (SELECT s.id FROM stored s) OR (subject->>0 = 'answer' AND i.outcome <> 'RELEASED')) AND NOT (v_has_erasures AND (ledger_is_erased(i.account, i.subjects, i.began) OR ledger_is_erased(i.account, coalesce(i.unlinked, '[]'), i.began)))
      -- Links that an entry gets later are blocked like those that it had.
      AND NOT (v_blocks AND i.outcome = 'LINKED' AND EXISTS (SELECT FROM ledger_blocked b WHERE b.entry_id = i.id))
    ON CONFLICT DO NOTHING;
    IF v_blocks THEN PERFORM ledger_block_written(p_accounts, p_closings); END IF;
  END $$;
