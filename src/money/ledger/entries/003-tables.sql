-- Links of erased people, until the period of the purpose (PURPOSES) ends. They are in a separate table, so that a statement finds them
-- only if it names the table. `months`: the period when the person was erased.
CREATE TABLE ledger_blocked (LIKE ledger_subjects, purpose text NOT NULL, months int4 NOT NULL, until timestamptz NOT NULL);
CREATE UNIQUE INDEX ledger_blocked_by_hash ON ledger_blocked
  (hash, entry_id, coalesce(account, ''), coalesce(client, ''), coalesce(problem, ''));
CREATE INDEX ledger_blocked_by_entry ON ledger_blocked (entry_id);
CREATE INDEX ledger_blocked_by_key ON ledger_blocked (key_version);
CREATE INDEX ledger_blocked_by_time ON ledger_blocked (until);

-- Everything that had expired by these periods at that time is deleted. If the periods change, the purge looks at all entries once.
CREATE TABLE ledger_purged (periods text NOT NULL, at timestamptz NOT NULL, is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only));
