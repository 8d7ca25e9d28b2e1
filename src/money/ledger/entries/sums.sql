-- SQL functions and triggers that maintain the sums of units. `ledger_spend` has a sum for each account, day, client and tag, each budget has
-- the sums of its current period, and each operation that lasts has those of its entries. Every change takes the lock of its accounts before it touches a row.

  -- Locks the sums of accounts until the end of the transaction, always in the same order. A lock is one of 4,096, because a purge changes
  -- entries of many accounts, and each lock takes memory of the server.
  CREATE OR REPLACE FUNCTION ledger_lock(p_accounts text[]) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_advisory_xact_lock(7221907, b.bucket)
    FROM (SELECT DISTINCT hashtext(a.name) & 4095 AS bucket FROM unnest(p_accounts) AS a(name) ORDER BY 1) b;
  END $$;

  CREATE OR REPLACE FUNCTION ledger_first_day(p_period text, p_day date) RETURNS date LANGUAGE sql IMMUTABLE
  AS $$ SELECT CASE p_period WHEN 'DAY' THEN p_day ELSE date_trunc('month', p_day::timestamp)::date END $$;

  -- Adds an event for the highest percentage that each budget has reached. If p_counts_reserved is true, reserved units count too.
  -- It replaces events of the same period for lower percentages that no process has begun to deliver.
  CREATE OR REPLACE FUNCTION ledger_record_alerts(p_budgets text[], p_counts_reserved boolean) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO ledger_events (key, accounts, type, subject, data)
    SELECT used.period || reached.percent, b.accounts, 'budget.reached', used.subject,
      json_build_object('budget', b.id, 'percent', reached.percent, 'units', b.units, 'spentUnits', used.units)
    FROM ledger_budgets b,
      LATERAL (SELECT 'budget:' || b.id AS subject, 'budget:' || b.id || ':' || b.first_day || ':' AS period,
        b.spent + b.uncertain + CASE WHEN p_counts_reserved THEN b.reserved ELSE 0 END AS units) used,
      LATERAL (SELECT max(a.percent) AS percent FROM unnest(b.alerts_at) AS a(percent) WHERE used.units * 100 >= a.percent * b.units) reached
    WHERE b.id = ANY(p_budgets) AND reached.percent IS NOT NULL AND NOT EXISTS (
      SELECT FROM unnest(b.alerts_at) AS a(percent) JOIN ledger_events e ON e.key = used.period || a.percent
      WHERE a.percent >= reached.percent);
    IF NOT FOUND THEN RETURN; END IF;
    DELETE FROM ledger_events lower USING ledger_budgets b, ledger_events higher
    WHERE b.id = ANY(p_budgets) AND lower.subject = 'budget:' || b.id AND lower.state = 'PENDING' AND lower.attempts = 0
      AND higher.subject = lower.subject AND higher.number > lower.number
      AND split_part(higher.key, ':', 3) = split_part(lower.key, ':', 3);
  END $$;

  -- Returns the units of an entry as a change that adds them to the sums, or takes them away (p_sign = -1). `uncertain` is the price of an entry
  -- that may have been charged and is not settled. `reserved` is the price of one whose call is still running, or was running when its process was killed.
  CREATE OR REPLACE FUNCTION ledger_units(e ledger_entries, p_sign integer, p_zone text) RETURNS ledger_change LANGUAGE sql IMMUTABLE AS $$
    SELECT ROW(e.account, (e.at AT TIME ZONE p_zone)::date, coalesce(e.client, ''), coalesce(e.tag, ''), e.operation_id, p_sign * coalesce(e.settled_units, e.units),
      p_sign * CASE WHEN e.billing = 'UNKNOWN' AND e.outcome <> 'OPEN' AND e.settled_billing IS NULL THEN e.price ELSE 0 END,
      p_sign * CASE WHEN e.outcome = 'OPEN' AND e.settled_billing IS NULL THEN e.price ELSE 0 END)::ledger_change
  $$;

  -- Returns the accounts that have entries. It finds one after another, because the index orders entries only within an account.
  CREATE OR REPLACE FUNCTION ledger_accounts() RETURNS SETOF text LANGUAGE sql STABLE AS $$
    WITH RECURSIVE accounts AS (
      (SELECT e.account FROM ledger_entries e ORDER BY e.account LIMIT 1)
      UNION ALL
      SELECT (SELECT e.account FROM ledger_entries e WHERE e.account > a.account ORDER BY e.account LIMIT 1)
      FROM accounts a WHERE a.account IS NOT NULL
    ) SELECT a.account FROM accounts a WHERE a.account IS NOT NULL
  $$;

  -- Adds changes to the sums of their days, to the budgets whose current period includes these days, and to operations that last.
  CREATE OR REPLACE FUNCTION ledger_add_to_sums(p_changes ledger_change[]) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    v_budgets text[];
    v_change record;
  BEGIN
    -- Triggers of statements also run if no row has changed.
    IF cardinality(p_changes) = 0 THEN RETURN; END IF;
    PERFORM ledger_lock(ARRAY(SELECT DISTINCT c.account FROM unnest(p_changes) c));
    p_changes := ARRAY(
      SELECT ROW(c.account, c.day, c.client, c.tag, c.operation, sum(c.spent)::int8, sum(c.uncertain)::int8, sum(c.reserved)::int8)::ledger_change
      FROM unnest(p_changes) c GROUP BY c.account, c.day, c.client, c.tag, c.operation
      HAVING sum(c.spent) <> 0 OR sum(c.uncertain) <> 0 OR sum(c.reserved) <> 0);
    IF cardinality(p_changes) = 0 THEN RETURN; END IF;
    INSERT INTO ledger_spend AS s
    SELECT c.account, c.day, c.client, c.tag, sum(c.spent)::int8, sum(c.uncertain)::int8, sum(c.reserved)::int8 FROM unnest(p_changes) c GROUP BY 1, 2, 3, 4
    ON CONFLICT (account, day, client, tag) DO UPDATE SET spent = s.spent + excluded.spent, uncertain = s.uncertain + excluded.uncertain, reserved = s.reserved + excluded.reserved;
    WITH changed AS (
      UPDATE ledger_budgets b SET spent = b.spent + m.spent, uncertain = b.uncertain + m.uncertain, reserved = b.reserved + m.reserved
      FROM (
        SELECT b.id, sum(c.spent)::int8 AS spent, sum(c.uncertain)::int8 AS uncertain, sum(c.reserved)::int8 AS reserved
        FROM ledger_budgets b CROSS JOIN unnest(b.accounts) AS own(account) JOIN unnest(p_changes) c ON c.account = own.account
        WHERE (b.client IS NULL OR b.client = c.client) AND (b.tag IS NULL OR b.tag = c.tag)
          AND b.first_day = ledger_first_day(b.period, c.day)
        GROUP BY b.id) m
      WHERE b.id = m.id
      RETURNING b.id
    ) SELECT array_agg(id) INTO v_budgets FROM changed;
    IF v_budgets IS NOT NULL THEN PERFORM ledger_record_alerts(v_budgets, false); END IF;
    FOR v_change IN SELECT c.operation AS id, sum(c.spent) AS spent, sum(c.uncertain) AS uncertain, sum(c.reserved) AS reserved
      FROM unnest(p_changes) c WHERE c.operation IS NOT NULL GROUP BY 1 ORDER BY 1 LOOP
      UPDATE operations o SET spent = o.spent + v_change.spent, uncertain = o.uncertain + v_change.uncertain, reserved = o.reserved + v_change.reserved
      WHERE o.id = v_change.id;
    END LOOP;
  END $$;

  -- Starts the period of p_at in an account's budgets, with the sums of the days so far. Also adds account names that a budget lacks.
  CREATE OR REPLACE FUNCTION ledger_start_periods(p_accounts text[], p_at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM ledger_lock(p_accounts);
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

  -- Returns a budget as responses show it, with times by the server's clock. Uncertain and reserved units are not left, nor are `p_taken`.
  CREATE OR REPLACE FUNCTION ledger_budget_left(b ledger_budgets, p_taken int8) RETURNS json LANGUAGE sql AS $$
    SELECT json_build_object('id', b.id, 'client', b.client, 'tag', b.tag, 'period', b.period, 'units', b.units, 'wholeOperations', b.whole_operations,
      'left', greatest(0, b.units - b.spent - b.uncertain - b.reserved - p_taken),
      'resetsAt', to_char((d.first_day + CASE b.period WHEN 'DAY' THEN interval '1 day' ELSE interval '1 month' END)
        AT TIME ZONE z.time_zone AT TIME ZONE 'UTC', f.format), 'asOf', to_char(clock_timestamp() AT TIME ZONE 'UTC', f.format))
    FROM ledger_calendar z, (VALUES ('YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS f(format),
      -- The first period of a new budget may not have been started.
      LATERAL (SELECT coalesce(b.first_day, ledger_first_day(b.period, (now() AT TIME ZONE z.time_zone)::date)) AS first_day) d
  $$;

  -- Returns the budgets of an account. The lock orders their times as those of calls. An account without budgets, such as that of an invented
  -- token, waits for no lock.
  CREATE OR REPLACE FUNCTION ledger_budgets_left(p_accounts text[], p_at timestamptz) RETURNS SETOF json LANGUAGE plpgsql SET lock_timeout = '800ms' AS $$
  BEGIN
    IF NOT EXISTS (SELECT FROM ledger_budgets b WHERE b.accounts && p_accounts) THEN RETURN; END IF;
    PERFORM ledger_start_periods(p_accounts, p_at);
    RETURN QUERY SELECT ledger_budget_left(b, 0) FROM ledger_budgets b WHERE b.accounts && p_accounts;
  END $$;

  -- Sets the time zone of days and months. If it changes, which is rare, the sums are calculated again from the entries.
  CREATE OR REPLACE FUNCTION ledger_set_time_zone(p_zone text, p_first_id text) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM 1 FROM ledger_calendar WHERE time_zone = p_zone;
    IF FOUND THEN RETURN; END IF;
    -- Statements that change entries wait, and then use the new zone.
    LOCK TABLE ledger_budgets, ledger_entries IN SHARE ROW EXCLUSIVE MODE;
    UPDATE ledger_calendar SET time_zone = p_zone;
    DELETE FROM ledger_spend;
    INSERT INTO ledger_spend
    SELECT u.account, u.day, u.client, u.tag, sum(u.spent)::int8, sum(u.uncertain)::int8, sum(u.reserved)::int8
    FROM ledger_accounts() AS a(account) JOIN ledger_entries e ON e.account = a.account AND e.id >= p_first_id
      CROSS JOIN LATERAL ledger_units(e, 1, p_zone) AS u
    GROUP BY u.account, u.day, u.client, u.tag HAVING sum(u.spent) <> 0 OR sum(u.uncertain) <> 0 OR sum(u.reserved) <> 0;
    UPDATE ledger_budgets SET first_day = NULL;
  END $$;

  -- These triggers add changed entries to the sums, in the transaction that changes them.
  CREATE OR REPLACE FUNCTION ledger_count_added() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM ledger_add_to_sums(ARRAY(SELECT ledger_units(e, 1, z.time_zone) FROM added e, ledger_calendar z));
    -- Remembers, to a minute, when each client and tag last made a call. Without it, a misspelt client of a budget would take a search of all entries.
    INSERT INTO ledger_labels AS l
    SELECT e.account, coalesce(e.client, ''), coalesce(e.tag, ''), max(e.at) FROM added e
    WHERE NOT EXISTS (SELECT FROM ledger_labels k WHERE k.account = e.account AND k.client = coalesce(e.client, '') AND k.tag = coalesce(e.tag, '')
      AND k.seen_at > e.at - interval '1 minute')
    GROUP BY 1, 2, 3
    ON CONFLICT (account, client, tag) DO UPDATE SET seen_at = greatest(l.seen_at, excluded.seen_at);
    RETURN NULL;
  END $$;
  CREATE OR REPLACE TRIGGER ledger_count_added AFTER INSERT ON ledger_entries REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_count_added();

  CREATE OR REPLACE FUNCTION ledger_count_changed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM ledger_add_to_sums(ARRAY(
      SELECT ledger_units(e, -1, z.time_zone) FROM old e, ledger_calendar z UNION ALL SELECT ledger_units(e, 1, z.time_zone) FROM new e, ledger_calendar z));
    RETURN NULL;
  END $$;
  CREATE OR REPLACE TRIGGER ledger_count_changed AFTER UPDATE ON ledger_entries REFERENCING OLD TABLE AS old NEW TABLE AS new
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_count_changed();

  -- Only deleting an open call changes the sums. Expired entries are deleted when no budget needs the sums of their days.
  CREATE OR REPLACE FUNCTION ledger_count_removed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM ledger_add_to_sums(ARRAY(SELECT ledger_units(e, -1, z.time_zone) FROM removed e, ledger_calendar z WHERE e.outcome = 'OPEN'));
    RETURN NULL;
  END $$;
  CREATE OR REPLACE TRIGGER ledger_count_removed AFTER DELETE ON ledger_entries REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_count_removed();

  -- Adds an event. One with an existing key is not added again.
  CREATE OR REPLACE FUNCTION ledger_add_event(p_key text, p_accounts text[], p_type text, p_subject text, p_data json) RETURNS void LANGUAGE sql AS $$
    INSERT INTO ledger_events (key, accounts, type, subject, data) VALUES (p_key, p_accounts, p_type, p_subject, p_data) ON CONFLICT (key) DO NOTHING
  $$;
