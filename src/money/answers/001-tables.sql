-- Answers that are kept. `answers` has a row for each name under which somebody may have an answer, by a rule of rules.ts. `answer_contents` has
-- its bytes once, encrypted with a separate key. A name is a keyed hash of the question and of those who may have the answer, under a key of DATA_KEYS
-- or of an operation.
-- Both tables have a part for answers that do not last for days. It is unlogged, so that no answer is written to the log that is gone soon: a
-- crash of the server empties it, and a question may then be paid for again.

  -- rule, rank, is_aged: the rule by which it is kept, its position, and whether `x-max-age` limits the age of the answer.
  -- call: the call that was answered. Its entry proves the answer. asked_at: when it was opened.
  -- failed: a failure, an answer about somebody else or, of an operation, one whose charge is unknown. It is used last.
  -- settled: outcome of an uncertain price: of an early response, or of a call whose process died. Null once a response has reported it.
  -- key: that of the bytes, encrypted for those who may have the answer by this rule. Null if the answer is lost: then there are no bytes.
  -- bytes: counted in the quota of the account, or of the owner of the operation that keeps the answer.
  -- payer: the part of the operation that paid and shows the cost itself, however often it is tried again: the row of a batch.
  CREATE TABLE answers (
    name text COLLATE "C" NOT NULL,
    lasts boolean NOT NULL,
    rule text NOT NULL,
    rank int2 NOT NULL,
    is_aged boolean NOT NULL,
    call text COLLATE "C" NOT NULL,
    asked_at timestamptz NOT NULL,
    failed boolean NOT NULL,
    settled json,
    until timestamptz NOT NULL,
    key bytea,
    account text,
    bytes integer NOT NULL DEFAULT 0,
    operation text COLLATE "C",
    payer text COLLATE "C",
    PRIMARY KEY (name, lasts, call)
  ) PARTITION BY LIST (lasts);
  CREATE UNLOGGED TABLE answers_brief PARTITION OF answers FOR VALUES IN (false);
  CREATE TABLE answers_lasting PARTITION OF answers FOR VALUES IN (true);
  CREATE INDEX answers_by_end ON answers (until);
  CREATE INDEX answers_by_call ON answers (call);
  CREATE INDEX answers_by_operation ON answers_lasting (operation) WHERE operation IS NOT NULL;
  CREATE INDEX answers_by_payer ON answers_lasting (payer) WHERE payer IS NOT NULL;

  -- The bytes live as long as a row of `answers` is of their call.
  CREATE TABLE answer_contents (
    call text COLLATE "C" NOT NULL,
    lasts boolean NOT NULL,
    sealed bytea NOT NULL,
    PRIMARY KEY (call, lasts)
  ) PARTITION BY LIST (lasts);
  CREATE UNLOGGED TABLE answer_contents_brief PARTITION OF answer_contents FOR VALUES IN (false);
  CREATE TABLE answer_contents_lasting PARTITION OF answer_contents FOR VALUES IN (true);

  -- Keyed hashes of the people that lasting answers are about. They live as long as the answers, and as the running calls of operations.
  CREATE TABLE answer_subjects (
    hash bytea NOT NULL,
    call text COLLATE "C" NOT NULL,
    PRIMARY KEY (hash, call)
  );
  CREATE INDEX answer_subjects_by_call ON answer_subjects (call);

  -- Units that the requests of one operation have spent or reserved together. began_at: when its first request began. It ends ten minutes later.
  CREATE UNLOGGED TABLE call_operations (name text PRIMARY KEY, committed integer NOT NULL, expires_at timestamptz NOT NULL, began_at timestamptz NOT NULL);
  CREATE INDEX call_operations_by_expiry ON call_operations (expires_at);

  -- Counts bytes for the quota at the end of the transaction, so that no transaction that holds the row of a quota waits for an answer.
  CREATE FUNCTION answer_count_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    v_bytes integer := coalesce(NEW.bytes, 0) - coalesce(OLD.bytes, 0);
    v_operation text := coalesce(NEW.operation, OLD.operation);
    v_owner text := CASE WHEN v_operation IS NULL THEN 'reuse' ELSE (SELECT o.owner FROM operations o WHERE o.id = v_operation) END;
  BEGIN
    INSERT INTO operation_quotas AS q SELECT coalesce(NEW.account, OLD.account), v_owner, v_bytes WHERE v_owner IS NOT NULL AND v_bytes <> 0
    ON CONFLICT (account, owner) DO UPDATE SET bytes = q.bytes + excluded.bytes;
    RETURN NULL;
  END $$;
  CREATE CONSTRAINT TRIGGER answer_count_bytes AFTER INSERT OR DELETE OR UPDATE OF bytes ON answers_lasting DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION answer_count_bytes();
