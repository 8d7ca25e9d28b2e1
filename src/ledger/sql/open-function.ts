/** Columns of the JSON of an opened call. */
export const openedColumns = `id text, at int8, began int8, account text, client text, tag text, operation text, request text, batch text,
  endpoint text, price int4, subjects json`;

/**
 * SQL function that opens calls before they are sent. If every budget has enough units left for a call, the call gets a row that
 * reserves its price. Otherwise the function returns the ID of the call with the first budget that refuses it, and the units left in that
 * budget. All calls of one statement must be of the same day, and `p_at` is a moment of that day.
 */
export const openFunction = `
  CREATE OR REPLACE FUNCTION ledger_open(p_calls json, p_process text, p_at timestamptz)
  RETURNS TABLE (refused_call text, client text, tag text, period text, units int8, units_left int8)
  LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    v_call record;
    v_budget record;
    v_limiting text[];
    v_id text;
    v_index integer;
    v_opened text[] := '{}';
    v_exhausted text[] := '{}';
    -- IDs of budgets, and at the same positions the units that earlier calls of this statement reserve in them.
    v_ids text[] := '{}';
    v_reserved int8[] := '{}';
  BEGIN
    -- A call may be sent as soon as this commits, so the commit must be on disk, whatever the server's setting.
    PERFORM set_config('synchronous_commit', 'on', true);
    PERFORM ledger_lock();
    FOR v_call IN SELECT DISTINCT c.accounts FROM json_to_recordset(p_calls) AS c(accounts text[]) LOOP
      PERFORM ledger_start_periods(v_call.accounts, p_at);
    END LOOP;
    FOR v_call IN SELECT * FROM json_to_recordset(p_calls) AS c(id text, accounts text[], client text, tag text, price int4) LOOP
      v_limiting := '{}';
      refused_call := NULL;
      FOR v_budget IN
        SELECT b.id, b.client, b.tag, b.period, b.units,
          b.units - b.spent - b.uncertain - b.reserved - coalesce(v_reserved[array_position(v_ids, b.id)], 0) AS units_left
        FROM ledger_budgets b
        WHERE v_call.price > 0 AND b.accounts && v_call.accounts AND (b.client IS NULL OR b.client = v_call.client)
          AND (b.tag IS NULL OR b.tag = v_call.tag)
        ORDER BY b.id LOOP
        IF v_budget.units_left < v_call.price THEN
          refused_call := v_call.id; client := v_budget.client; tag := v_budget.tag; period := v_budget.period;
          units := v_budget.units; units_left := greatest(v_budget.units_left, 0);
          v_exhausted := v_exhausted || v_budget.id;
          RETURN NEXT;
          EXIT;
        END IF;
        v_limiting := v_limiting || v_budget.id;
      END LOOP;
      CONTINUE WHEN refused_call IS NOT NULL;
      v_opened := v_opened || v_call.id;
      FOREACH v_id IN ARRAY v_limiting LOOP
        v_index := array_position(v_ids, v_id);
        IF v_index IS NULL THEN
          v_ids := v_ids || v_id; v_reserved := v_reserved || v_call.price::int8;
        ELSE
          v_reserved[v_index] := v_reserved[v_index] + v_call.price;
        END IF;
      END LOOP;
    END LOOP;
    IF cardinality(v_exhausted) > 0 THEN PERFORM ledger_record_alerts(v_exhausted, true); END IF;
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
    WHERE NOT ledger_is_erased(i.account, i.subjects, i.began)
    ON CONFLICT DO NOTHING;
  END $$;`;
