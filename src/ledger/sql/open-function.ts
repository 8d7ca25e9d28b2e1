/** The columns of a call's opening row, as its JSON has them. */
export const openedColumns = `id text, at int8, account text, client text, tag text, operation text, request text, batch text,
  endpoint text, price int4, subjects json`;

/**
 * Opens calls before they are sent: those that every budget has room for get their row, which reserves their price. The others are
 * returned, each with the first budget that refuses it. All calls are of the day and month of one moment.
 */
export const openFunction = `
  CREATE FUNCTION ledger_open(p_calls json, p_process text, p_at timestamptz)
  RETURNS TABLE (refused text, client text, tag text, period text, units int8, rest int8)
  LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    v_call record;
    v_budget record;
    v_bound text[];
    v_id text;
    v_place integer;
    v_opened text[] := '{}';
    v_exhausted text[] := '{}';
    -- What the calls before have taken, by budget.
    v_ids text[] := '{}';
    v_taken int8[] := '{}';
  BEGIN
    -- Calls are sent on its word: it is written before it is acknowledged, whatever the server's setting.
    PERFORM set_config('synchronous_commit', 'on', true);
    PERFORM ledger_lock();
    FOR v_call IN SELECT DISTINCT c.accounts FROM json_to_recordset(p_calls) AS c(accounts text[]) LOOP
      PERFORM ledger_roll(v_call.accounts, p_at);
    END LOOP;
    FOR v_call IN SELECT * FROM json_to_recordset(p_calls) AS c(id text, accounts text[], client text, tag text, price int4) LOOP
      v_bound := '{}';
      refused := NULL;
      FOR v_budget IN
        SELECT b.id, b.client, b.tag, b.period, b.units,
          b.units - b.spent - b.uncertain - b.reserved - coalesce(v_taken[array_position(v_ids, b.id)], 0) AS rest
        FROM ledger_budgets b
        WHERE v_call.price > 0 AND b.accounts && v_call.accounts AND (b.client IS NULL OR b.client = v_call.client)
          AND (b.tag IS NULL OR b.tag = v_call.tag)
        ORDER BY b.id LOOP
        IF v_budget.rest < v_call.price THEN
          refused := v_call.id; client := v_budget.client; tag := v_budget.tag; period := v_budget.period;
          units := v_budget.units; rest := greatest(v_budget.rest, 0);
          v_exhausted := v_exhausted || v_budget.id;
          RETURN NEXT;
          EXIT;
        END IF;
        v_bound := v_bound || v_budget.id;
      END LOOP;
      CONTINUE WHEN refused IS NOT NULL;
      v_opened := v_opened || v_call.id;
      FOREACH v_id IN ARRAY v_bound LOOP
        v_place := array_position(v_ids, v_id);
        IF v_place IS NULL THEN
          v_ids := v_ids || v_id; v_taken := v_taken || v_call.price::int8;
        ELSE
          v_taken[v_place] := v_taken[v_place] + v_call.price;
        END IF;
      END LOOP;
    END LOOP;
    IF cardinality(v_exhausted) > 0 THEN PERFORM ledger_alert(v_exhausted, true); END IF;
    IF cardinality(v_opened) = 0 THEN RETURN; END IF;
    WITH incoming AS MATERIALIZED (
      SELECT * FROM json_to_recordset(p_calls) AS c(${openedColumns}) WHERE c.id = ANY(v_opened)
    ), stored AS (
      INSERT INTO ledger_entries (id, at, account, process, client, tag, operation, request_id, batch_id, endpoint, outcome,
        units, price, billing, served_from)
      SELECT i.id, to_timestamp(i.at / 1000.0), i.account, p_process, i.client, i.tag, i.operation, i.request, i.batch, i.endpoint,
        'OPEN', 0, i.price, CASE WHEN i.price > 0 THEN 'UNKNOWN' ELSE 'NOT_CHARGED' END, 'LIVE'
      FROM incoming i ON CONFLICT DO NOTHING RETURNING id
    )
    INSERT INTO ledger_subjects (hash, entry_id, kind, key_version)
    SELECT decode(s.value->>1, 'hex'), i.id, s.value->>0, s.value->>2
    FROM stored JOIN incoming i USING (id), json_array_elements(i.subjects) AS s
    ON CONFLICT DO NOTHING;
  END $$;`;
