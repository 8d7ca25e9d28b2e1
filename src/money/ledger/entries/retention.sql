-- SQL functions of the times for which entries and links are kept. The longest time of all live processes counts.

  -- Returns the months that PURPOSES of a process names for a purpose, or null.
  CREATE OR REPLACE FUNCTION ledger_period(p_purposes text, p_purpose text) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
    SELECT substring(n.name FROM ':(\d+)$')::integer FROM unnest(string_to_array(p_purposes, ',')) AS n(name)
    WHERE n.name ~ ':\d+$' AND split_part(n.name, ':', 1) = p_purpose
  $$;

  -- Returns the purposes with months. An erasure blocks their links until these months have passed since the entry.
  CREATE OR REPLACE FUNCTION ledger_periods(p_purposes text) RETURNS TABLE (purpose text, months integer) LANGUAGE sql STABLE AS $$
    SELECT split_part(n.name, ':', 1), max(ledger_period(s.purposes, split_part(n.name, ':', 1)))
    FROM (SELECT p.settings->>'PURPOSES' FROM processes p UNION ALL SELECT p_purposes) AS s(purposes), unnest(string_to_array(s.purposes, ',')) AS n(name)
    WHERE n.name ~ ':\d+$' GROUP BY 1
  $$;

  -- Returns, for each purpose with months and for all others (null), before which time its entries and links have expired, and before which
  -- time they had at the last purge. That time is null if the periods have changed since. The links of an entry do not outlive it.
  CREATE OR REPLACE FUNCTION ledger_retention(p_ledger integer, p_subjects integer, p_purposes text)
  RETURNS TABLE (purpose text, entries timestamptz, links timestamptz, entries_done timestamptz, links_done timestamptz, periods text) LANGUAGE sql STABLE AS $$
    WITH own AS (
      SELECT (p.settings->>'LEDGER_MONTHS')::integer AS ledger, (p.settings->>'SUBJECT_MONTHS')::integer AS subjects, p.settings->>'PURPOSES' AS purposes
      FROM processes p UNION ALL SELECT p_ledger, p_subjects, p_purposes
    ), kept AS (
      SELECT n.purpose, greatest(max(o.ledger), max(n.months)) AS entries, max(coalesce(ledger_period(o.purposes, n.purpose), o.subjects)) AS links
      FROM (SELECT * FROM ledger_periods(p_purposes) UNION ALL SELECT NULL, NULL) n CROSS JOIN own o GROUP BY 1
    ), summary AS (SELECT json_agg(k ORDER BY k.purpose)::text AS periods FROM kept k)
    SELECT k.purpose, now() - make_interval(months => k.entries), now() - make_interval(months => least(k.links, k.entries)),
      d.at - make_interval(months => k.entries), d.at - make_interval(months => least(k.links, k.entries)), s.periods
    FROM kept k CROSS JOIN summary s LEFT JOIN ledger_purged d ON d.periods = s.periods AND d.at <= now()
  $$;
