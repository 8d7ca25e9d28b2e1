-- The functions of the migration ledger-05-sums as padron released them, for tests that begin with such a store.

  CREATE FUNCTION ledger_lock() RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_advisory_xact_lock(7221907);
  END $$;

  CREATE FUNCTION ledger_first_day(p_period text, p_day date) RETURNS date LANGUAGE sql IMMUTABLE
  AS $$ SELECT CASE p_period WHEN 'DAY' THEN p_day ELSE date_trunc('month', p_day::timestamp)::date END $$;

  -- Notes the percentages that budgets have come to. They are delivered from there.
  CREATE FUNCTION ledger_alert(p_budgets text[], p_counts_reserved boolean) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO ledger_alerts (budget_id, starts_at, percent, spent)
    SELECT b.id, b.first_day::timestamp AT TIME ZONE z.time_zone, a.percent, used.units
    FROM ledger_budgets b, ledger_calendar z, unnest(b.alerts_at) AS a(percent),
      LATERAL (SELECT b.spent + b.uncertain + CASE WHEN p_counts_reserved THEN b.reserved ELSE 0 END AS units) used
    WHERE b.id = ANY(p_budgets) AND used.units * 100 >= a.percent * b.units
    ON CONFLICT DO NOTHING;
  END $$;

  CREATE FUNCTION ledger_move(p_changes ledger_spend[]) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    v_moved text[];
  BEGIN
    IF cardinality(p_changes) = 0 THEN RETURN; END IF;
    INSERT INTO ledger_spend AS s SELECT * FROM unnest(p_changes)
    ON CONFLICT (account, day, client, tag) DO UPDATE SET spent = s.spent + excluded.spent, uncertain = s.uncertain + excluded.uncertain, reserved = s.reserved + excluded.reserved;
    WITH moved AS (
      UPDATE ledger_budgets b SET spent = b.spent + m.spent, uncertain = b.uncertain + m.uncertain, reserved = b.reserved + m.reserved
      FROM (
        SELECT b.id, sum(c.spent)::int8 AS spent, sum(c.uncertain)::int8 AS uncertain, sum(c.reserved)::int8 AS reserved
        FROM ledger_budgets b CROSS JOIN unnest(b.accounts) AS own(account) JOIN unnest(p_changes) c ON c.account = own.account
        WHERE (b.client IS NULL OR b.client = c.client) AND (b.tag IS NULL OR b.tag = c.tag)
          AND b.first_day = ledger_first_day(b.period, c.day)
        GROUP BY b.id) m
      WHERE b.id = m.id
      RETURNING b.id
    ) SELECT array_agg(id) INTO v_moved FROM moved;
    IF v_moved IS NOT NULL THEN PERFORM ledger_alert(v_moved, false); END IF;
  END $$;

  -- Brings the budgets of an account, which goes by these names, to the periods of a moment: their sums are those of its days.
  CREATE FUNCTION ledger_roll(p_accounts text[], p_at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM ledger_lock();
    UPDATE ledger_budgets b SET accounts = n.accounts, first_day = n.first_day, spent = n.spent, uncertain = n.uncertain, reserved = n.reserved
    FROM (
      SELECT w.id, w.accounts, w.first_day, coalesce(sum(s.spent), 0)::int8 AS spent, coalesce(sum(s.uncertain), 0)::int8 AS uncertain, coalesce(sum(s.reserved), 0)::int8 AS reserved
      FROM (
        SELECT b.id, b.client, b.tag, b.period, d.first_day, ARRAY(SELECT DISTINCT unnest(b.accounts || p_accounts)) AS accounts
        FROM ledger_budgets b, ledger_calendar z,
          LATERAL (SELECT ledger_first_day(b.period, (p_at AT TIME ZONE z.time_zone)::date) AS first_day) d
        WHERE b.accounts && p_accounts AND (b.first_day IS DISTINCT FROM d.first_day OR NOT b.accounts @> p_accounts)
      ) w LEFT JOIN ledger_spend s ON s.account = ANY(w.accounts) AND s.day >= w.first_day
        AND s.day < w.first_day + CASE w.period WHEN 'DAY' THEN interval '1 day' ELSE interval '1 month' END
        AND (w.client IS NULL OR s.client = w.client) AND (w.tag IS NULL OR s.tag = w.tag)
      GROUP BY w.id, w.accounts, w.first_day) n
    WHERE b.id = n.id;
  END $$;

  -- Takes the days of another time zone from now on, which is rare: the sums of this month are then taken from the entries.
  CREATE FUNCTION ledger_use_zone(p_zone text, p_first_id text) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM 1 FROM ledger_calendar WHERE time_zone = p_zone;
    IF FOUND THEN RETURN; END IF;
    PERFORM ledger_lock();
    UPDATE ledger_calendar SET time_zone = p_zone;
    DELETE FROM ledger_spend;
    WITH RECURSIVE accounts AS (
      (SELECT e.account FROM ledger_entries e ORDER BY e.account LIMIT 1)
      UNION ALL
      SELECT (SELECT e.account FROM ledger_entries e WHERE e.account > a.account ORDER BY e.account LIMIT 1)
      FROM accounts a WHERE a.account IS NOT NULL
    ), recent AS (
      SELECT r.* FROM accounts a CROSS JOIN LATERAL
        (SELECT e.* FROM ledger_entries e WHERE e.account = a.account AND e.id >= p_first_id) r
    ), units AS (
  SELECT e.account, (e.at AT TIME ZONE z.time_zone)::date AS day, coalesce(e.client, '') AS client, coalesce(e.tag, '') AS tag,
    (coalesce(e.settled_units, e.units)) AS spent, (CASE WHEN e.billing = 'UNKNOWN' AND e.outcome <> 'OPEN' AND NOT e.settled_billing IS NOT NULL THEN e.price ELSE 0 END) AS uncertain, (CASE WHEN e.outcome = 'OPEN' AND NOT e.settled_billing IS NOT NULL THEN e.price ELSE 0 END) AS reserved
  FROM recent e, ledger_calendar z)
    INSERT INTO ledger_spend SELECT u.account, u.day, u.client, u.tag, sum(u.spent)::int8, sum(u.uncertain)::int8, sum(u.reserved)::int8 FROM units u GROUP BY u.account, u.day, u.client, u.tag HAVING sum(u.spent) <> 0 OR sum(u.uncertain) <> 0 OR sum(u.reserved) <> 0;
    UPDATE ledger_budgets SET first_day = NULL;
  END $$;
  
  CREATE FUNCTION ledger_count_added() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM ledger_lock();
    PERFORM ledger_move(ARRAY(
      WITH units AS (
  SELECT e.account, (e.at AT TIME ZONE z.time_zone)::date AS day, coalesce(e.client, '') AS client, coalesce(e.tag, '') AS tag,
    (coalesce(e.settled_units, e.units)) AS spent, (CASE WHEN e.billing = 'UNKNOWN' AND e.outcome <> 'OPEN' AND NOT e.settled_billing IS NOT NULL THEN e.price ELSE 0 END) AS uncertain, (CASE WHEN e.outcome = 'OPEN' AND NOT e.settled_billing IS NOT NULL THEN e.price ELSE 0 END) AS reserved
  FROM added e, ledger_calendar z)
      SELECT ROW(u.account, u.day, u.client, u.tag, sum(u.spent)::int8, sum(u.uncertain)::int8, sum(u.reserved)::int8)::ledger_spend FROM units u GROUP BY u.account, u.day, u.client, u.tag HAVING sum(u.spent) <> 0 OR sum(u.uncertain) <> 0 OR sum(u.reserved) <> 0));
    RETURN NULL;
  END $$;
  CREATE TRIGGER ledger_count_added AFTER INSERT ON ledger_entries REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ledger_count_added();
  
  CREATE FUNCTION ledger_count_changed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM ledger_lock();
    PERFORM ledger_move(ARRAY(
      WITH units AS (
  SELECT e.account, (e.at AT TIME ZONE z.time_zone)::date AS day, coalesce(e.client, '') AS client, coalesce(e.tag, '') AS tag,
    -(coalesce(e.settled_units, e.units)) AS spent, -(CASE WHEN e.billing = 'UNKNOWN' AND e.outcome <> 'OPEN' AND NOT e.settled_billing IS NOT NULL THEN e.price ELSE 0 END) AS uncertain, -(CASE WHEN e.outcome = 'OPEN' AND NOT e.settled_billing IS NOT NULL THEN e.price ELSE 0 END) AS reserved
  FROM old e, ledger_calendar z UNION ALL 
  SELECT e.account, (e.at AT TIME ZONE z.time_zone)::date AS day, coalesce(e.client, '') AS client, coalesce(e.tag, '') AS tag,
    (coalesce(e.settled_units, e.units)) AS spent, (CASE WHEN e.billing = 'UNKNOWN' AND e.outcome <> 'OPEN' AND NOT e.settled_billing IS NOT NULL THEN e.price ELSE 0 END) AS uncertain, (CASE WHEN e.outcome = 'OPEN' AND NOT e.settled_billing IS NOT NULL THEN e.price ELSE 0 END) AS reserved
  FROM new e, ledger_calendar z)
      SELECT ROW(u.account, u.day, u.client, u.tag, sum(u.spent)::int8, sum(u.uncertain)::int8, sum(u.reserved)::int8)::ledger_spend FROM units u GROUP BY u.account, u.day, u.client, u.tag HAVING sum(u.spent) <> 0 OR sum(u.uncertain) <> 0 OR sum(u.reserved) <> 0));
    RETURN NULL;
  END $$;
  CREATE TRIGGER ledger_count_changed AFTER UPDATE ON ledger_entries REFERENCING OLD TABLE AS old NEW TABLE AS new FOR EACH STATEMENT EXECUTE FUNCTION ledger_count_changed();
  
  CREATE FUNCTION ledger_count_removed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM ledger_lock();
    PERFORM ledger_move(ARRAY(
      WITH units AS (
  SELECT e.account, (e.at AT TIME ZONE z.time_zone)::date AS day, coalesce(e.client, '') AS client, coalesce(e.tag, '') AS tag,
    -(coalesce(e.settled_units, e.units)) AS spent, -(CASE WHEN e.billing = 'UNKNOWN' AND e.outcome <> 'OPEN' AND NOT e.settled_billing IS NOT NULL THEN e.price ELSE 0 END) AS uncertain, -(CASE WHEN e.outcome = 'OPEN' AND NOT e.settled_billing IS NOT NULL THEN e.price ELSE 0 END) AS reserved
  FROM removed e, ledger_calendar z WHERE e.outcome = 'OPEN')
      SELECT ROW(u.account, u.day, u.client, u.tag, sum(u.spent)::int8, sum(u.uncertain)::int8, sum(u.reserved)::int8)::ledger_spend FROM units u GROUP BY u.account, u.day, u.client, u.tag HAVING sum(u.spent) <> 0 OR sum(u.uncertain) <> 0 OR sum(u.reserved) <> 0));
    RETURN NULL;
  END $$;
  CREATE TRIGGER ledger_count_removed AFTER DELETE ON ledger_entries REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION ledger_count_removed();

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
      SELECT * FROM json_to_recordset(p_calls) AS c(id text, at int8, account text, client text, tag text, operation text, request text, batch text,
  endpoint text, price int4, subjects json) WHERE c.id = ANY(v_opened)
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
  END $$;

  CREATE FUNCTION ledger_write(p_entries json, p_process text) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM ledger_lock();
    WITH incoming AS MATERIALIZED (
      SELECT * FROM json_to_recordset(p_entries) AS entry(id text, at int8, account text, client text, tag text, operation text, request text, batch text,
  endpoint text, price int4, subjects json, outcome text, status int4, problem text, units int4, billing text, served text, code text, checked int8,
  opened boolean)
    ), released AS (
      DELETE FROM ledger_entries e USING incoming i
      WHERE i.outcome = 'RELEASED' AND e.account = i.account AND e.id = i.id AND e.outcome = 'OPEN'
    ), unlinked AS (
      DELETE FROM ledger_subjects s USING incoming i, json_array_elements(i.subjects) AS subject
      WHERE i.outcome = 'RELEASED' AND s.hash = decode(subject->>1, 'hex') AND s.entry_id = i.id
    ), closed AS (
      -- What the service said itself is worth more than a settlement that was faster.
      UPDATE ledger_entries e SET outcome = i.outcome, status = i.status, problem = i.problem, units = i.units, billing = i.billing,
        served_from = i.served, validation_code = i.code, checked_at = to_timestamp(i.checked / 1000.0),
        settled_billing = CASE WHEN i.billing = 'UNKNOWN' THEN e.settled_billing END,
        settled_units = CASE WHEN i.billing = 'UNKNOWN' THEN e.settled_units END,
        settled_at = CASE WHEN i.billing = 'UNKNOWN' THEN e.settled_at END,
        settled_note = CASE WHEN i.billing = 'UNKNOWN' THEN e.settled_note END
      FROM incoming i
      WHERE i.opened AND i.outcome <> 'RELEASED' AND e.account = i.account AND e.id = i.id AND e.outcome = 'OPEN'
    ), stored AS (
      INSERT INTO ledger_entries (id, at, account, process, client, tag, operation, request_id, batch_id, endpoint, outcome,
        status, problem, units, price, billing, served_from, validation_code, checked_at)
      SELECT id, to_timestamp(at / 1000.0), account, p_process, client, tag, operation, request, batch, endpoint, outcome,
        status, problem, units, price, billing, served, code, to_timestamp(checked / 1000.0)
      FROM incoming WHERE outcome <> 'RELEASED'
      ON CONFLICT (account, id) DO NOTHING
      RETURNING id
    )
    INSERT INTO ledger_subjects (hash, entry_id, kind, key_version)
    SELECT decode(subject->>1, 'hex'), id, subject->>0, subject->>2
    FROM stored JOIN incoming USING (id), json_array_elements(subjects) AS subject
    ON CONFLICT DO NOTHING;
  END $$;
SELECT ledger_use_zone('America/Mexico_City', '');
