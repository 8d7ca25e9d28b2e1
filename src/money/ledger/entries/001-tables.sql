-- Tables of the ledger. An ID begins with its time (`entry-json.ts`), so entries are ordered by time and a range of time is a range of IDs.
-- There are few indexes, because each one slows down every call. But no statement of a call, an erasure or a purge reads a whole table that grows.

  -- Processes that share the store. One heartbeat decides what becomes of the calls and rows of a process.
  -- settings: those that all processes of a store should share, by name. The longest times count for what is deleted.
  CREATE TABLE processes (id text PRIMARY KEY, service text NOT NULL, seen_at timestamptz NOT NULL, settings json NOT NULL);

  CREATE TABLE ledger_entries (
    id text COLLATE "C" NOT NULL,
    at timestamptz NOT NULL,
    account text NOT NULL,
    process text NOT NULL,
    client text,
    tag text,
    purpose text,
    -- Keyed hash of the person who asked, as in ledger_audit.
    actor text,
    operation text,
    request_id text,
    batch_id text,
    -- The operation that lasts which the call belongs to. That of a batch has its ID.
    operation_id text,
    endpoint text NOT NULL,
    outcome text NOT NULL,
    status int4,
    problem text,
    units int4 NOT NULL,
    price int4 NOT NULL,
    billing text NOT NULL,
    served_from text NOT NULL,
    -- Why the price was saved, if a question was answered without a call: REQUEST, REPLAY, KEPT or JOB. A follow-up of an early response saves nothing.
    saving text,
    validation_code text,
    checked_at timestamptz,
    settled_billing text,
    settled_units int4,
    settled_at timestamptz,
    settled_note text,
    PRIMARY KEY (account, id)
  );
  CREATE INDEX ledger_entries_unsettled ON ledger_entries (account, id) WHERE billing = 'UNKNOWN' AND settled_billing IS NULL;
  CREATE INDEX ledger_entries_open ON ledger_entries (process) WHERE outcome = 'OPEN';
  CREATE INDEX ledger_entries_by_batch ON ledger_entries (batch_id, id) WHERE batch_id IS NOT NULL;

  -- sealed: the encrypted reference, if the link is one. account, client, problem: those of another question that got the answer of this entry,
  -- and what it found. They are null if the link is of the entry's own question.
  CREATE TABLE ledger_subjects (
    hash bytea NOT NULL,
    entry_id text COLLATE "C" NOT NULL,
    kind text NOT NULL,
    key_version text NOT NULL,
    sealed bytea,
    account text,
    client text,
    problem text
  );
  CREATE UNIQUE INDEX ledger_subjects_by_hash ON ledger_subjects
    (hash, entry_id, coalesce(account, ''), coalesce(client, ''), coalesce(problem, ''));
  CREATE INDEX ledger_subjects_by_entry ON ledger_subjects (entry_id);
  CREATE INDEX ledger_subjects_by_key ON ledger_subjects (key_version);

  CREATE TABLE ledger_erasures (
    account text NOT NULL,
    hash bytea NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (account, hash)
  );
  CREATE INDEX ledger_erasures_by_time ON ledger_erasures (at);
  -- Processes compare the number with the one that they know, and forget the answers that they keep.
  -- kept_since: when a process last noticed that the store is older than it remembers. A person whose answers were kept before may have been erased.
  CREATE TABLE ledger_erasure_count (count int8 NOT NULL, last_at timestamptz NOT NULL, kept_since timestamptz NOT NULL DEFAULT '-infinity',
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only));
  INSERT INTO ledger_erasure_count VALUES (0, now());

  -- Each budget has the sums of the period that begins on first_day. If it is null, the budget's next use calculates them.
  CREATE TABLE ledger_budgets (
    id text PRIMARY KEY,
    account text NOT NULL,
    accounts text[] NOT NULL DEFAULT '{}',
    client text,
    tag text,
    period text NOT NULL CHECK (period IN ('DAY', 'MONTH')),
    units int8 NOT NULL CHECK (units >= 0),
    alerts_at int4[] NOT NULL,
    -- Whether it refuses an operation as a whole that costs more than what is left.
    whole_operations boolean NOT NULL DEFAULT false,
    first_day date,
    spent int8 NOT NULL DEFAULT 0,
    uncertain int8 NOT NULL DEFAULT 0,
    reserved int8 NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE UNIQUE INDEX ledger_budgets_by_scope ON ledger_budgets (account, coalesce(client, ''), coalesce(tag, ''), period);

  -- Events and their delivery. An event with an existing key is not added again. If accounts is null, it concerns all accounts. The events of
  -- a subject are delivered in the order of their numbers. Without a receiver, the state is LOGGED.
  CREATE TABLE ledger_events (
    number int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL UNIQUE DEFAULT 'evt_' || replace(gen_random_uuid()::text, '-', ''),
    key text NOT NULL UNIQUE,
    accounts text[],
    type text NOT NULL,
    subject text NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    data json NOT NULL,
    state text NOT NULL DEFAULT 'PENDING',
    attempts int4 NOT NULL DEFAULT 0,
    last_status int4,
    queued_at timestamptz NOT NULL DEFAULT now(),
    next_at timestamptz NOT NULL DEFAULT now(),
    pause interval NOT NULL DEFAULT '5 seconds'
  );
  CREATE INDEX ledger_events_by_time ON ledger_events (at);
  CREATE INDEX ledger_events_by_subject ON ledger_events (subject, number);
  CREATE INDEX ledger_events_pending ON ledger_events (subject, number) WHERE state = 'PENDING';
  CREATE INDEX ledger_events_failed ON ledger_events (number) WHERE state = 'FAILED';

  -- IDs of the DATA_KEYS that entries were written with. An ID does not reveal its key.
  CREATE TABLE ledger_keys (id text PRIMARY KEY, used_at timestamptz NOT NULL);

  -- The details contain only parameters and counts. An ID begins with the time of its record, as in ledger_entries.
  CREATE TABLE ledger_audit (
    id text COLLATE "C" NOT NULL,
    at timestamptz NOT NULL,
    account text NOT NULL,
    client text,
    actor text,
    scope text,
    request_id text NOT NULL,
    action text NOT NULL,
    outcome text NOT NULL,
    details jsonb NOT NULL,
    PRIMARY KEY (account, id)
  );
  CREATE INDEX ledger_audit_by_time ON ledger_audit (id);
  -- A caller may ask for any number of prices. The first record of a day says enough.
  CREATE UNIQUE INDEX ledger_audit_prices
    ON ledger_audit (account, coalesce(client, ''), coalesce(actor, ''), ((at AT TIME ZONE 'UTC')::date)) WHERE action = 'PRICE_KEPT_ANSWERS';

  -- The ledger has the default time zone until a process sets its TIME_ZONE.
  CREATE TABLE ledger_calendar (time_zone text NOT NULL);
  INSERT INTO ledger_calendar VALUES ('America/Mexico_City');

  CREATE TABLE ledger_spend (
    account text NOT NULL,
    day date NOT NULL,
    client text NOT NULL,
    tag text NOT NULL,
    spent int8 NOT NULL,
    uncertain int8 NOT NULL,
    reserved int8 NOT NULL,
    PRIMARY KEY (account, day, client, tag)
  );

  -- Change of the sums. operation: the operation that lasts, or null.
  CREATE TYPE ledger_change AS (account text, day date, client text, tag text, operation text, spent int8, uncertain int8, reserved int8);

  -- Calls that were answered or that failed, by endpoint and minute, for the figures of the last day. failed_from: the first that failed after
  -- the last answer. failed_to: the last that failed.
  CREATE TABLE ledger_minutes (
    name text NOT NULL,
    minute timestamptz NOT NULL,
    answered int4 NOT NULL,
    failed int4 NOT NULL,
    failed_from timestamptz,
    failed_to timestamptz,
    PRIMARY KEY (name, minute)
  );

  CREATE TABLE ledger_labels (
    account text NOT NULL,
    client text NOT NULL,
    tag text NOT NULL,
    seen_at timestamptz NOT NULL,
    PRIMARY KEY (account, client, tag)
  );

  -- Calls and whole operations that a budget or a limit refused: one row for each client and day, as an entry of its first moment.
  CREATE TABLE ledger_refusals (LIKE ledger_entries, refused int8 NOT NULL, PRIMARY KEY (account, id));
