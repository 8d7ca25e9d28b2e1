import type { Migration } from '../../store/store';
import { closeFunction } from './close-function';
import { openFunction } from './open-function';

/**
 * Tables of calls. They are unlogged where a crash of the server may empty them: a question may then be paid for again. `calls` has a row
 * for each name of a question that is being asked, or whose answer is kept. A question has one name under each key of DATA_KEYS.
 */
const callTables = `
  -- Processes that share the store. One heartbeat decides what becomes of the calls and rows of a process.
  CREATE TABLE processes (id text PRIMARY KEY, service text NOT NULL, seen_at timestamptz NOT NULL);

  -- state: OPEN (being asked), ANSWERED, FAILED (kept for those who waited), LOST (its process died, and its price is not reported yet) or POISONED (three processes died).
  CREATE UNLOGGED TABLE calls (
    name text COLLATE "C" PRIMARY KEY,
    id text COLLATE "C" NOT NULL,
    process text NOT NULL,
    state text NOT NULL,
    price integer NOT NULL,
    deaths integer NOT NULL DEFAULT 0,
    awaited boolean NOT NULL DEFAULT false,
    opened_at timestamptz NOT NULL DEFAULT now(),
    answer bytea,
    expires_at timestamptz NOT NULL
  );
  -- Processes whose running calls are in \`calls\`. A crash of the server empties both. No call is opened until each process of \`processes\` has
  -- registered its calls again, or is declared dead.
  CREATE UNLOGGED TABLE call_processes (id text PRIMARY KEY);
  CREATE INDEX calls_by_expiry ON calls (expires_at);

  -- Units that the requests of one operation have spent or reserved together.
  CREATE UNLOGGED TABLE call_operations (name text PRIMARY KEY, committed integer NOT NULL, expires_at timestamptz NOT NULL);

  -- Accounts that the service has asked to wait.
  CREATE UNLOGGED TABLE call_pauses (account text PRIMARY KEY, until timestamptz NOT NULL);
`;

/**
 * SQL functions for the lives of processes. The rows and calls of a process that is declared dead are free for others. The price of each
 * of its calls is uncertain: the ledger and the batch record it, and the next request that asks the question reports it.
 */
const processFunctions = `
  -- Records that a process is alive. With p_calls, it registers, with its running calls, unless other processes have taken them over.
  CREATE OR REPLACE FUNCTION process_beat(p_process text, p_service text, p_lease double precision, p_calls json)
  RETURNS TABLE (is_registered boolean, seen_at timestamptz, rank integer, live integer) LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  BEGIN
    seen_at := clock_timestamp();
    IF p_calls IS NULL THEN
      UPDATE processes p SET seen_at = process_beat.seen_at WHERE p.id = p_process;
      is_registered := FOUND AND EXISTS (SELECT FROM call_processes c WHERE c.id = p_process);
    ELSE
      INSERT INTO processes AS p VALUES (p_process, p_service, process_beat.seen_at)
      ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at;
      INSERT INTO calls AS c (name, id, process, state, price, expires_at)
      SELECT n.name, r.id, p_process, 'OPEN', r.price, 'infinity'
      FROM json_to_recordset(p_calls) AS r(id text, names text[], price integer), unnest(r.names) AS n(name)
      ON CONFLICT (name) DO UPDATE SET state = 'OPEN', process = excluded.process, price = excluded.price
      WHERE c.id = excluded.id AND c.state = 'LOST';
      INSERT INTO call_processes VALUES (p_process) ON CONFLICT DO NOTHING;
      is_registered := true;
      PERFORM pg_notify('padron', '');
    END IF;
    SELECT count(*) FILTER (WHERE p.id < p_process), count(*) INTO rank, live FROM processes p
    WHERE p.service = p_service AND p.seen_at > clock_timestamp() - p_lease * interval '1 millisecond';
    RETURN NEXT;
  END $$;

  -- Declares a process dead that has been silent for p_silence milliseconds, or, if it is null, that has said so itself.
  CREATE OR REPLACE FUNCTION process_expire(p_process text, p_silence double precision) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    v_batch text;
    v_batches text[];
  BEGIN
    PERFORM 1 FROM processes WHERE id = p_process
      AND (p_silence IS NULL OR seen_at < clock_timestamp() - p_silence * interval '1 millisecond') FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN RETURN; END IF;
    PERFORM ledger_lock(ARRAY(SELECT DISTINCT e.account FROM ledger_entries e WHERE e.process = p_process AND e.outcome = 'OPEN'));
    UPDATE ledger_entries SET outcome = 'UNAVAILABLE', problem = 'ANSWER_LOST' WHERE process = p_process AND outcome = 'OPEN';
    v_batches := ARRAY(SELECT batch FROM batch_answer WHERE process = p_process AND state = 'OPEN'
      UNION SELECT batch FROM batch_row WHERE worker = p_process AND state = 'RUNNING' ORDER BY 1);
    PERFORM 1 FROM batch WHERE id = ANY(v_batches) ORDER BY id FOR UPDATE;
    -- The batch of a row reports the price of its call, so the next one that asks does not.
    UPDATE calls c SET state = 'LOST', expires_at = now() + interval '10 minutes',
      price = CASE WHEN EXISTS (SELECT FROM batch_answer a WHERE a.process = p_process AND a.state = 'OPEN' AND a.call = c.id)
        THEN 0 ELSE c.price END
    WHERE c.process = p_process AND c.state = 'OPEN';
    FOREACH v_batch IN ARRAY v_batches LOOP
      PERFORM batch_release_rows(v_batch, p_process);
    END LOOP;
    UPDATE batch SET pricer = NULL WHERE pricer = p_process AND state = 'PRICING';
    DELETE FROM processes WHERE id = p_process;
    DELETE FROM call_processes WHERE id = p_process;
    PERFORM pg_notify('padron', '');
  END $$;`;

export const pauseSql = `INSERT INTO call_pauses SELECT unnest($1::text[]), now() + $2 * interval '1 millisecond'
  ON CONFLICT (account) DO UPDATE SET until = greatest(call_pauses.until, excluded.until)`;
/** Deletes what has expired. Rows that are in use are skipped, and found a second later. */
export const purgeSql = `WITH old AS (SELECT name FROM calls WHERE state <> 'OPEN' AND expires_at < now() FOR UPDATE SKIP LOCKED),
  operations AS (DELETE FROM call_operations WHERE expires_at < now()),
  pauses AS (DELETE FROM call_pauses WHERE until < now())
  DELETE FROM calls c USING old WHERE c.name = old.name`;

export const callMigrations: readonly Migration[] = [
  { name: 'call-tables', kind: 'tables', sql: callTables },
  { name: 'call-functions', kind: 'functions', sql: [processFunctions, openFunction, closeFunction].join('\n') },
];
