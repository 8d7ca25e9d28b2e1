-- Operations that last: those of callers, which are found by their names, and those of batches. A caller's operation has one name under each
-- key of DATA_KEYS. Their answers are encrypted with a key of the operation.
-- owner: of its quota, within the account. key: sealed with DATA_KEYS and the ID of the operation. Null if the operation belongs to a batch, which has the key.
-- run: calls of another run are refused. Null: no call is opened. is_erased: the batch was erased, and only its units are left.
-- bytes: those of this row, which count in the quota beside the answers that the operation keeps.
CREATE TABLE operations (
  id text COLLATE "C" PRIMARY KEY,
  account text NOT NULL,
  owner text NOT NULL,
  key bytea,
  run integer,
  max_units integer,
  spent integer NOT NULL DEFAULT 0,
  uncertain integer NOT NULL DEFAULT 0,
  reserved integer NOT NULL DEFAULT 0,
  saved integer NOT NULL DEFAULT 0,
  bytes bigint NOT NULL DEFAULT 0,
  is_erased boolean NOT NULL DEFAULT false,
  began_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX operations_by_expiry ON operations (expires_at);
-- Sum of the bytes of an owner's operations.
CREATE TABLE operation_quotas (account text NOT NULL, owner text NOT NULL, bytes bigint NOT NULL, PRIMARY KEY (account, owner));
-- Adds the bytes of an operation to those of its owner. This happens when the transaction ends, so that no transaction that holds the row of an
-- owner waits for an operation. The triggers are created with the tables, because replacing one would make running calls wait.
CREATE FUNCTION operation_count_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO operation_quotas AS q VALUES (coalesce(NEW.account, OLD.account), coalesce(NEW.owner, OLD.owner), coalesce(NEW.bytes, 0) - coalesce(OLD.bytes, 0))
  ON CONFLICT (account, owner) DO UPDATE SET bytes = q.bytes + excluded.bytes;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER operation_count_bytes AFTER INSERT OR DELETE ON operations DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW EXECUTE FUNCTION operation_count_bytes();
CREATE CONSTRAINT TRIGGER operation_count_changed_bytes AFTER UPDATE ON operations DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW WHEN (OLD.bytes <> NEW.bytes) EXECUTE FUNCTION operation_count_bytes();
CREATE TABLE operation_names (name text COLLATE "C" PRIMARY KEY, operation text NOT NULL);
CREATE INDEX operation_names_by_operation ON operation_names (operation);

-- Running calls of operations, by the names of their questions. They survive a crash of the server, so that a call whose process then dies is not
-- made again. payer: the part of the operation that pays: the row of a batch.
CREATE TABLE operation_calls (
  operation text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  process text NOT NULL,
  call text COLLATE "C" NOT NULL,
  payer text,
  price integer NOT NULL,
  asked_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (operation, name)
);
CREATE INDEX operation_calls_by_process ON operation_calls (process);
CREATE INDEX operation_calls_by_call ON operation_calls (call);
