-- Functions for the heartbeat and the expiry of processes. Other processes may take over the calls of a process that is declared dead. The
-- price of each of its calls is uncertain: the ledger and the operation record it, and the next request that asks the question reports it.

  -- Records a heartbeat. If p_calls is given, also registers the process with these running calls, except those that other processes have
  -- taken over. is_older: the store lacks the heartbeat of p_last, which it had confirmed. So it is a copy from before, or a standby that lacked
  -- the last commits. A process that was declared dead is not listed, but then the one that did it has sent a later heartbeat.
  CREATE OR REPLACE FUNCTION process_beat(p_process text, p_service text, p_lease double precision, p_calls json, p_settings json DEFAULT '{}',
    p_last timestamptz DEFAULT NULL)
  RETURNS TABLE (is_registered boolean, seen_at timestamptz, rank integer, live integer, is_older boolean) LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  BEGIN
    -- Otherwise a crash of the server could lose a confirmed heartbeat.
    PERFORM set_config('synchronous_commit', 'on', true);
    is_older := coalesce((SELECT p.seen_at FROM processes p WHERE p.id = p_process), (SELECT max(p.seen_at) FROM processes p)) < p_last;
    IF is_older THEN UPDATE ledger_erasure_count SET kept_since = clock_timestamp(); END IF;
    seen_at := clock_timestamp();
    IF p_calls IS NULL THEN
      UPDATE processes p SET seen_at = process_beat.seen_at, settings = p_settings WHERE p.id = p_process;
      is_registered := FOUND AND EXISTS (SELECT FROM call_processes c WHERE c.id = p_process);
    ELSE
      INSERT INTO processes AS p VALUES (p_process, p_service, process_beat.seen_at, p_settings)
      ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at, settings = excluded.settings;
      -- A crash of the server has forgotten whether others wait for these calls.
      INSERT INTO calls AS c (name, id, process, state, price, awaited, opened_at, expires_at)
      SELECT n.name, r.id, p_process, 'OPEN', r.price, true, now() - r.ms * interval '1 millisecond', 'infinity'
      FROM json_to_recordset(p_calls) AS r(id text, names text[], price integer, ms float8), unnest(r.names) AS n(name)
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

  -- Declares a process dead if it has sent no heartbeat for p_silence milliseconds. A process that stops declares itself dead: then p_silence
  -- is null.
  CREATE OR REPLACE FUNCTION process_expire(p_process text, p_silence double precision) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    v_lasting text[];
  BEGIN
    PERFORM 1 FROM processes WHERE id = p_process AND seen_at < clock_timestamp() - p_silence * interval '1 millisecond' FOR UPDATE SKIP LOCKED;
    IF NOT FOUND AND p_silence IS NOT NULL THEN RETURN; END IF;
    -- Waits for the calls that the process is opening.
    PERFORM 1 FROM call_processes WHERE id = p_process FOR UPDATE;
    PERFORM ledger_lock(ARRAY(SELECT DISTINCT e.account FROM ledger_entries e WHERE e.process = p_process AND e.outcome = 'OPEN'));
    v_lasting := ARRAY(SELECT e.id FROM ledger_entries e WHERE e.process = p_process AND e.outcome = 'OPEN' AND e.operation_id IS NOT NULL);
    UPDATE ledger_entries SET outcome = 'UNAVAILABLE', problem = 'ANSWER_LOST' WHERE process = p_process AND outcome = 'OPEN';
    -- An operation that lasts reports the price of its own lost call. So the next request that asks the question does not report it.
    UPDATE calls c SET state = 'LOST', expires_at = now() + interval '10 minutes',
      price = CASE WHEN c.id = ANY(v_lasting) THEN 0 ELSE c.price END
    -- Only the index by expiry finds running calls.
    WHERE c.expires_at = 'infinity' AND c.process = p_process AND c.state = 'OPEN';
    PERFORM operation_lose(p_process);
    DELETE FROM processes WHERE id = p_process;
    DELETE FROM call_processes WHERE id = p_process;
    PERFORM pg_notify('padron', '');
  END $$;

  -- Whether a process has not been declared dead.
  CREATE OR REPLACE FUNCTION process_is_alive(p_process text) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM processes p WHERE p.id = p_process)
  $$;
