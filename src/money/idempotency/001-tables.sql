  -- Requests with an idempotency key, and their results. A request has one name under each key of DATA_KEYS. The table is logged, because a
  -- crash of the server must not let a signature be paid twice.
  -- state: OPEN (it runs, or its process has died), KEPT, or LOST (its result was erased or is unknown).
  -- batches: those that a kept result shows.
  CREATE TABLE request_results (
    name text COLLATE "C" PRIMARY KEY,
    id text COLLATE "C" NOT NULL,
    account text NOT NULL,
    digest text NOT NULL,
    process text NOT NULL,
    state text NOT NULL DEFAULT 'OPEN',
    is_erasure boolean NOT NULL,
    result bytea,
    batches text[],
    owner text,
    expires_at timestamptz NOT NULL DEFAULT now() + interval '24 hours'
  );
  CREATE INDEX request_results_by_id ON request_results (id);
  CREATE INDEX request_results_by_expiry ON request_results (expires_at);
  CREATE INDEX request_results_by_owner ON request_results (account, owner);
  CREATE INDEX request_results_by_batch ON request_results USING gin (batches);
