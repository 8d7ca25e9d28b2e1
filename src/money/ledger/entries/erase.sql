-- SQL functions for erasures. `ledger_erase` deletes all links of the entries that are linked to a person, because all links of an entry are
-- to the same person, and records the erasure. Links of a purpose whose period runs are not deleted but blocked (`ledger_block`). An entry that
-- is written later gets no link if its request began before the erasure (`ledger_is_erased`), or a blocked one (`ledger_block_written`).
-- Returns the entries (`p_linked`) and the hashes of the person's other identifiers (`p_others`). person_erase calls it.

  DROP FUNCTION IF EXISTS ledger_erase(text[], text[], timestamptz);

  CREATE OR REPLACE FUNCTION ledger_is_erased(p_account text, p_subjects json, p_began int8) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
      SELECT 1 FROM json_array_elements(p_subjects) AS s JOIN ledger_erasures x ON x.hash = decode(s.value->>1, 'hex')
      WHERE x.account = p_account AND x.at >= to_timestamp(p_began / 1000.0))
  $$;

  -- Copies the links of entries whose period runs to the blocked ones. The caller deletes the links.
  CREATE OR REPLACE FUNCTION ledger_block(p_accounts text[], p_entries text[], p_purposes text DEFAULT NULL) RETURNS void LANGUAGE plpgsql
  -- Without scans the cost of a plan counts as high, so it would be compiled.
  SET enable_seqscan = off SET jit = off AS $$
  BEGIN
    IF NOT EXISTS (SELECT FROM ledger_periods(p_purposes)) THEN RETURN; END IF;
    INSERT INTO ledger_blocked
    SELECT s.*, e.purpose, b.months, e.at + make_interval(months => b.months)
    FROM ledger_entries e JOIN ledger_periods(p_purposes) b ON b.purpose = e.purpose JOIN ledger_subjects s ON s.entry_id = e.id
    WHERE e.account = ANY(p_accounts) AND e.id = ANY(p_entries) AND s.entry_id = ANY(p_entries) AND e.at + make_interval(months => b.months) > now()
    ON CONFLICT DO NOTHING;
  END $$;

  -- Adds the links that written entries do not get, because their person was erased or the entry has blocked links, to the blocked ones.
  CREATE OR REPLACE FUNCTION ledger_block_written(p_accounts text[], p_closings json) RETURNS void LANGUAGE plpgsql
  SET enable_seqscan = off SET jit = off AS $$
  BEGIN
    INSERT INTO ledger_blocked
    SELECT decode(s.value->>1, 'hex'), e.id, s.value->>0, s.value->>2, decode(s.value->>3, 'base64'),
      CASE WHEN l.is_shared THEN i.account END, CASE WHEN l.is_shared THEN i.client END, CASE WHEN i.outcome = 'LINKED' THEN i.problem END,
      e.purpose, b.months, e.at + make_interval(months => b.months)
    FROM json_to_recordset(p_closings) AS c(entry json), json_to_record(c.entry) AS i(id text, began int8, account text, client text, subjects json, outcome text,
        problem text, unlinked json, own boolean), LATERAL (SELECT i.outcome = 'LINKED' AND i.own IS NOT TRUE AS is_shared) l,
      ledger_entries e, ledger_periods(NULL) b, json_array_elements(i.subjects) AS s
    WHERE i.outcome <> 'RELEASED' AND e.account = ANY(p_accounts) AND e.id = i.id AND b.purpose = e.purpose AND e.at + make_interval(months => b.months) > now()
      AND (ledger_is_erased(i.account, i.subjects, i.began) OR ledger_is_erased(i.account, coalesce(i.unlinked, '[]'), i.began)
        OR i.outcome = 'LINKED' AND EXISTS (SELECT FROM ledger_blocked o WHERE o.entry_id = i.id))
    ON CONFLICT DO NOTHING;
  END $$;

  CREATE OR REPLACE FUNCTION ledger_erase(p_accounts text[], p_hashes text[], p_at timestamptz, p_purposes text DEFAULT NULL,
    OUT p_linked text[], OUT p_others bytea[]) LANGUAGE plpgsql AS $$
  DECLARE
    v_hashes bytea[] := ARRAY(SELECT decode(h.hash, 'hex') FROM unnest(p_hashes) AS h(hash));
  BEGIN
    -- A write that holds the lock commits its links first. A later one finds the erasure.
    PERFORM ledger_lock(p_accounts);
    INSERT INTO ledger_erasures (account, hash, at)
    SELECT a.name, decode(h.hash, 'hex'), p_at FROM unnest(p_accounts) AS a(name), unnest(p_hashes) AS h(hash)
    ON CONFLICT (account, hash) DO UPDATE SET at = greatest(ledger_erasures.at, excluded.at);
    -- Arrays, because calls wait meanwhile: a plan that joins the tables could scan them.
    p_linked := ARRAY(SELECT s.entry_id FROM ledger_subjects s WHERE s.hash = ANY(v_hashes)
      UNION ALL SELECT s.entry_id FROM ledger_blocked s WHERE s.hash = ANY(v_hashes));
    p_linked := ARRAY(SELECT e.id FROM ledger_entries e WHERE e.account = ANY(p_accounts) AND e.id = ANY(p_linked)
      -- A link may be written before its entry.
      UNION SELECT s.entry_id FROM ledger_subjects s WHERE s.hash = ANY(v_hashes) AND s.account = ANY(p_accounts));
    p_others := ARRAY(SELECT DISTINCT s.hash FROM ledger_subjects s WHERE s.entry_id = ANY(p_linked) AND s.kind IN ('nss', 'curp', 'name'));
    PERFORM ledger_block(p_accounts, p_linked, p_purposes);
    DELETE FROM ledger_subjects s WHERE s.entry_id = ANY(p_linked);
    UPDATE ledger_erasure_count SET count = count + 1, last_at = clock_timestamp();
    -- Processes look at once, and not only with their next heartbeat.
    PERFORM pg_notify('padron', '');
  END $$;
