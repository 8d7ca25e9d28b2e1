-- SQL functions for erasures. `ledger_erase` deletes all links of the entries that are linked to a person, because all links of an entry are
-- to the same person, and records the erasure. An entry that is written later gets no link if its request began before the erasure
-- (`ledger_is_erased`). Returns the entries (`p_linked`) and the hashes of the person's other identifiers (`p_others`). person_erase calls it.

  CREATE OR REPLACE FUNCTION ledger_is_erased(p_account text, p_subjects json, p_began int8) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
      SELECT 1 FROM json_array_elements(p_subjects) AS s JOIN ledger_erasures x ON x.hash = decode(s.value->>1, 'hex')
      WHERE x.account = p_account AND x.at >= to_timestamp(p_began / 1000.0))
  $$;

  CREATE OR REPLACE FUNCTION ledger_erase(p_accounts text[], p_hashes text[], p_at timestamptz, OUT p_linked text[], OUT p_others bytea[])
  LANGUAGE plpgsql AS $$
  DECLARE
    v_hashes bytea[] := ARRAY(SELECT decode(h.hash, 'hex') FROM unnest(p_hashes) AS h(hash));
  BEGIN
    -- A write that holds the lock commits its links first. A later one finds the erasure.
    PERFORM ledger_lock(p_accounts);
    INSERT INTO ledger_erasures (account, hash, at)
    SELECT a.name, decode(h.hash, 'hex'), p_at FROM unnest(p_accounts) AS a(name), unnest(p_hashes) AS h(hash)
    ON CONFLICT (account, hash) DO UPDATE SET at = greatest(ledger_erasures.at, excluded.at);
    -- Arrays, because calls wait meanwhile: a plan that joins the tables could scan them.
    p_linked := ARRAY(SELECT s.entry_id FROM ledger_subjects s WHERE s.hash = ANY(v_hashes));
    p_linked := ARRAY(SELECT e.id FROM ledger_entries e WHERE e.account = ANY(p_accounts) AND e.id = ANY(p_linked)
      -- A link may be written before its entry.
      UNION SELECT s.entry_id FROM ledger_subjects s WHERE s.hash = ANY(v_hashes) AND s.account = ANY(p_accounts));
    p_others := ARRAY(SELECT DISTINCT s.hash FROM ledger_subjects s WHERE s.entry_id = ANY(p_linked) AND s.kind IN ('nss', 'curp', 'name'));
    DELETE FROM ledger_subjects s WHERE s.entry_id = ANY(p_linked);
    UPDATE ledger_erasure_count SET count = count + 1, last_at = clock_timestamp();
    -- Processes look at once, and not only with their next heartbeat.
    PERFORM pg_notify('padron', '');
  END $$;
