/**
 * Adds the owner of a batch, the size of its stored rows, and the ceiling of a row. A batch of an earlier version belongs to the
 * client whose JWT created it. If it was created without a JWT, its `permissions` are null and it belongs to its account.
 */
export const owners = `
ALTER TABLE batch ADD COLUMN owner text NOT NULL DEFAULT '', ADD COLUMN kept_rows integer NOT NULL DEFAULT 0,
  ADD COLUMN kept_bytes bigint NOT NULL DEFAULT 0, ADD COLUMN row_units integer;
UPDATE batch SET owner = CASE WHEN client IS NULL THEN 'no client' ELSE 'client ' || client END WHERE permissions IS NOT NULL;
UPDATE batch SET kept_rows = r.rows, kept_bytes = r.bytes
FROM (SELECT batch, count(*) AS rows, sum(octet_length(input)) AS bytes FROM batch_row GROUP BY batch) r WHERE r.batch = batch.id;
ALTER TABLE batch DROP CONSTRAINT batch_account_key_name_key;
CREATE UNIQUE INDEX batch_by_key ON batch (account, owner, key_name);
`;

/** Drops all functions of batches, because those of an earlier version have other parameters. The migration then creates them again. */
export const dropFunctions = `
DO $$
DECLARE
  v_function regprocedure;
BEGIN
  FOR v_function IN SELECT oid::regprocedure FROM pg_proc WHERE proname LIKE 'batch\\_%' AND pronamespace = current_schema()::regnamespace LOOP
    EXECUTE 'DROP FUNCTION ' || v_function;
  END LOOP;
END $$;
`;
