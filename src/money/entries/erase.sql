-- SQL functions for erasures. `ledger_erase` deletes all links of the entries that are linked to a person, because all links of an entry are
-- to the same person, and records the erasure. An entry that is written later gets no link if its request began before the erasure
-- (`ledger_is_erased`). Returns the number of entries.

  CREATE OR REPLACE FUNCTION ledger_is_erased(p_account text, p_subjects json, p_began int8) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
      SELECT 1 FROM json_array_elements(p_subjects) AS s JOIN ledger_erasures x ON x.hash = decode(s.value->>1, 'hex')
      WHERE x.account = p_account AND x.at >= to_timestamp(p_began / 1000.0))
  $$;

  CREATE OR REPLACE FUNCTION ledger_erase(p_accounts text[], p_hashes text[], p_at timestamptz) RETURNS integer
  LANGUAGE plpgsql AS $$
  DECLARE
    v_entries integer;
  BEGIN
    -- A write that holds the lock commits its links first. A later one finds the erasure.
    PERFORM ledger_lock(p_accounts);
    -- Operations are locked before the results of requests, as everywhere.
    PERFORM operation_erase(p_accounts, p_hashes);
    INSERT INTO ledger_erasures (account, hash, at)
    SELECT a.name, decode(h.hash, 'hex'), p_at FROM unnest(p_accounts) AS a(name), unnest(p_hashes) AS h(hash)
    ON CONFLICT (account, hash) DO UPDATE SET at = greatest(ledger_erasures.at, excluded.at);
    WITH linked AS MATERIALIZED (
      SELECT DISTINCT s.entry_id FROM ledger_subjects s JOIN ledger_entries e ON e.id = s.entry_id
      WHERE s.hash IN (SELECT decode(h.hash, 'hex') FROM unnest(p_hashes) AS h(hash)) AND e.account = ANY(p_accounts)
      -- A link may be written before its entry.
      UNION SELECT s.entry_id FROM ledger_subjects s
      WHERE s.hash IN (SELECT decode(h.hash, 'hex') FROM unnest(p_hashes) AS h(hash)) AND s.account = ANY(p_accounts)
    ), erased AS (
      DELETE FROM ledger_subjects s USING linked WHERE s.entry_id = linked.entry_id
    )
    SELECT count(*) INTO v_entries FROM linked;
    UPDATE ledger_erasure_count SET count = count + 1, last_at = clock_timestamp();
    -- Processes look at once, and not only with their next heartbeat.
    PERFORM pg_notify('padron', '');
    RETURN v_entries;
  END $$;
