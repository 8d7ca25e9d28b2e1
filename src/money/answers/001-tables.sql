-- Answers that are kept. `answers` has a row for each name under which somebody may have an answer, by a rule of rules.ts, and `answer_contents` has
-- its bytes once, encrypted. A name is a keyed hash of the question and of those who may have the answer, under a key of DATA_KEYS.
-- Both tables have a part for answers that do not last for days. It is unlogged, so that no answer is written to the log that is gone soon: a
-- crash of the server empties it, and a question may then be paid for again.

  -- rule, rank, is_aged: the rule by which it is kept, its position, and whether `x-max-age` limits the age of the answer.
  -- call: the call that was answered. Its entry proves the answer. asked_at: when it was opened.
  -- failed: a failure, or an answer about somebody else. It is used last.
  -- settled: outcome of the uncertain price of an early response. Null once a response has reported it.
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
    PRIMARY KEY (name, lasts, call)
  ) PARTITION BY LIST (lasts);
  CREATE UNLOGGED TABLE answers_brief PARTITION OF answers FOR VALUES IN (false);
  CREATE TABLE answers_lasting PARTITION OF answers FOR VALUES IN (true);
  CREATE INDEX answers_by_end ON answers (until);
  CREATE INDEX answers_by_call ON answers (call);

  -- They live as long as a row of `answers` is of their call. account: whose quota the bytes of a lasting answer count in.
  CREATE TABLE answer_contents (
    call text COLLATE "C" NOT NULL,
    lasts boolean NOT NULL,
    account text NOT NULL,
    sealed bytea NOT NULL,
    PRIMARY KEY (call, lasts)
  ) PARTITION BY LIST (lasts);
  CREATE UNLOGGED TABLE answer_contents_brief PARTITION OF answer_contents FOR VALUES IN (false);
  CREATE TABLE answer_contents_lasting PARTITION OF answer_contents FOR VALUES IN (true);

  -- Keyed hashes of the people that lasting answers are about. They live as long as the answers.
  CREATE TABLE answer_subjects (
    hash bytea NOT NULL,
    call text COLLATE "C" NOT NULL,
    PRIMARY KEY (hash, call)
  );
  CREATE INDEX answer_subjects_by_call ON answer_subjects (call);

  -- Counts bytes for the quota at the end of the transaction, so that no transaction that holds the row of a quota waits for an answer.
  CREATE FUNCTION answer_count_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO operation_quotas AS q VALUES (coalesce(NEW.account, OLD.account), 'reuse', coalesce(octet_length(NEW.sealed), 0) - coalesce(octet_length(OLD.sealed), 0))
    ON CONFLICT (account, owner) DO UPDATE SET bytes = q.bytes + excluded.bytes;
    RETURN NULL;
  END $$;
  CREATE CONSTRAINT TRIGGER answer_count_bytes AFTER INSERT OR DELETE ON answer_contents_lasting DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION answer_count_bytes();
