-- Tables of batches. Personal data is encrypted (`bytea`) with the batch's key. A row's subjects are keyed hashes, so that an erasure can find
-- the row. A batch is an operation that lasts, with the same ID: the room of money has its answers and its units.

CREATE TABLE batch (
  id text PRIMARY KEY,
  account text NOT NULL, owner text NOT NULL, key_name text, fingerprint text NOT NULL,
  state text NOT NULL, reason text, pause text,
  header bytea, wrapped_key bytea,
  refused bytea, refused_count integer NOT NULL DEFAULT 0,
  sandbox boolean NOT NULL, uses_server_token boolean NOT NULL, permissions text,
  language text NOT NULL, client text, tag text, purpose text, actor text,
  token bytea,
  upload text, pricer text, estimate text, disallowed_endpoints text, uses_earlier boolean,
  max_units integer, row_units integer,
  saved integer NOT NULL DEFAULT 0, total integer NOT NULL DEFAULT 0, done integer NOT NULL DEFAULT 0,
  failed integer NOT NULL DEFAULT 0, retryable integer NOT NULL DEFAULT 0,
  unknown integer NOT NULL DEFAULT 0, canceled integer NOT NULL DEFAULT 0,
  erased integer NOT NULL DEFAULT 0, doubtful integer NOT NULL DEFAULT 0,
  kept_rows integer NOT NULL DEFAULT 0, kept_bytes bigint NOT NULL DEFAULT 0, retention_days integer NOT NULL,
  run integer NOT NULL DEFAULT 0, running_since timestamptz, running_from integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(), started_at timestamptz, finished_at timestamptz,
  waits_until timestamptz NOT NULL DEFAULT now() + interval '1 hour', expires_at timestamptz NOT NULL,
  UNIQUE (account, owner, key_name)
);
CREATE INDEX batch_by_account ON batch (account, created_at DESC, id DESC);
CREATE INDEX batch_by_state ON batch (state);

CREATE TABLE batch_row (
  batch text NOT NULL,
  number integer NOT NULL,
  state text NOT NULL DEFAULT 'WAITING',
  worker text,
  due timestamptz,
  tries integer NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0,
  units integer NOT NULL DEFAULT 0,
  uncertain integer NOT NULL DEFAULT 0,
  uncertain_before integer NOT NULL DEFAULT 0,
  retryable boolean NOT NULL DEFAULT false,
  doubtful boolean NOT NULL DEFAULT false,
  input bytea NOT NULL,
  result bytea,
  PRIMARY KEY (batch, number)
);
CREATE INDEX batch_row_waiting ON batch_row (batch, number) WHERE state = 'WAITING';
CREATE INDEX batch_row_running ON batch_row (worker, batch) WHERE state = 'RUNNING';

CREATE TABLE batch_subject (
  hash bytea NOT NULL,
  batch text NOT NULL,
  number integer NOT NULL,
  PRIMARY KEY (hash, batch, number)
);
CREATE INDEX batch_subject_by_batch ON batch_subject (batch, number);
