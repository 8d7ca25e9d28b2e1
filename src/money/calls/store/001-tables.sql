-- Tables of calls. They are unlogged where a crash of the server may empty them: a question may then be paid for again. `calls` has a row
-- for each name of a question that is being asked. A question has one name under each key of DATA_KEYS.

  -- state: OPEN (being asked), LOST (its process died, and its price is not reported yet) or POISONED (three processes died).
  CREATE UNLOGGED TABLE calls (
    name text COLLATE "C" PRIMARY KEY,
    id text COLLATE "C" NOT NULL,
    process text NOT NULL,
    state text NOT NULL,
    price integer NOT NULL,
    deaths integer NOT NULL DEFAULT 0,
    awaited boolean NOT NULL DEFAULT false,
    opened_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL
  );
  -- Processes whose running calls are in `calls`. A crash of the server empties both. No call is opened until each process of `processes` has
  -- registered its calls again, or is declared dead.
  CREATE UNLOGGED TABLE call_processes (id text PRIMARY KEY);
  CREATE INDEX calls_by_expiry ON calls (expires_at);

  -- Accounts that the service has asked to wait.
  CREATE UNLOGGED TABLE call_pauses (account text PRIMARY KEY, until timestamptz NOT NULL);
