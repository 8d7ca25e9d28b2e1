import type { Migration } from '../../store/store';

const tables = `
  -- Requests with an idempotency key, and their results. A request has one name under each key of DATA_KEYS. The table is logged, because a
  -- crash of the server must not let a signature be paid twice.
  -- state: OPEN (it runs, or its process has died), KEPT, or LOST (its result was erased or is unknown).
  CREATE TABLE request_results (
    name text COLLATE "C" PRIMARY KEY,
    id text COLLATE "C" NOT NULL,
    account text NOT NULL,
    digest text NOT NULL,
    process text NOT NULL,
    state text NOT NULL DEFAULT 'OPEN',
    is_erasure boolean NOT NULL,
    result bytea,
    expires_at timestamptz NOT NULL DEFAULT now() + interval '24 hours'
  );
  CREATE INDEX request_results_by_id ON request_results (id);
  CREATE INDEX request_results_by_expiry ON request_results (expires_at);
`;

const functions = `
  -- Opening a request again, because the reply was lost, has no second effect.
  CREATE OR REPLACE FUNCTION request_open(p_id text, p_process text, p_account text, p_names json, p_is_erasure boolean,
    OUT verdict text, OUT first text, OUT result bytea) LANGUAGE plpgsql AS $$
  DECLARE
    v_names text[] := ARRAY(SELECT n.name FROM json_to_recordset(p_names) AS n(name text));
    v_first request_results%ROWTYPE;
  BEGIN
    -- The request runs as soon as this commits.
    PERFORM set_config('synchronous_commit', 'on', true);
    DELETE FROM request_results r WHERE r.name = ANY(v_names) AND r.expires_at <= now();
    INSERT INTO request_results (name, id, account, digest, process, is_erasure)
    SELECT n.name, p_id, p_account, n.digest, p_process, p_is_erasure FROM json_to_recordset(p_names) AS n(name text, digest text)
    WHERE NOT EXISTS (SELECT FROM request_results r WHERE r.name = ANY(v_names) AND r.id <> p_id)
    ORDER BY n.name ON CONFLICT (name) DO NOTHING;
    SELECT * INTO v_first FROM request_results r WHERE r.name = ANY(v_names) AND r.id <> p_id LIMIT 1;
    IF NOT FOUND THEN verdict := 'RUN'; RETURN; END IF;
    -- A process with other keys may have taken one of the names meanwhile.
    DELETE FROM request_results r WHERE r.id = p_id;
    IF NOT EXISTS (SELECT FROM json_to_recordset(p_names) AS n(name text, digest text)
      WHERE n.name = v_first.name AND n.digest = v_first.digest) THEN verdict := 'REUSED';
    ELSIF v_first.state = 'KEPT' THEN verdict := 'KEPT'; first := v_first.id; result := v_first.result;
    -- No request runs for ten minutes.
    ELSIF v_first.state = 'OPEN' AND v_first.expires_at > now() + interval '23 hours 50 minutes'
      AND (v_first.process = p_process OR EXISTS (SELECT FROM processes p WHERE p.id = v_first.process)) THEN verdict := 'WAIT';
    ELSE verdict := 'LOST';
    END IF;
  END $$;

  CREATE OR REPLACE FUNCTION request_close(p_id text, p_result bytea) RETURNS void LANGUAGE sql AS $$
    DELETE FROM request_results WHERE id = p_id AND p_result IS NULL;
    UPDATE request_results SET state = 'KEPT', result = p_result WHERE id = p_id AND state = 'OPEN';
  $$;

  -- A kept result may name the erased person, or show rows of an erased batch, and it is encrypted, so all results of the account are deleted.
  -- Their requests still do not run again.
  CREATE OR REPLACE FUNCTION request_results_erase() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE request_results r SET state = 'LOST', result = NULL WHERE r.account = NEW.account AND NOT r.is_erasure AND r.state <> 'LOST';
    RETURN NULL;
  END $$;
  CREATE OR REPLACE TRIGGER erase_request_results AFTER INSERT OR UPDATE ON ledger_erasures FOR EACH ROW EXECUTE FUNCTION request_results_erase();
  CREATE OR REPLACE TRIGGER erase_request_results AFTER UPDATE OF wrapped_key ON batch FOR EACH ROW
  WHEN (OLD.wrapped_key IS NOT NULL AND NEW.wrapped_key IS NULL) EXECUTE FUNCTION request_results_erase();
`;

export const requestMigrations: readonly Migration[] = [
  { name: 'request-tables', kind: 'tables', sql: tables },
  { name: 'request-functions', kind: 'functions', sql: functions },
];

export const purgeRequestsSql = 'DELETE FROM request_results WHERE expires_at < now()';
