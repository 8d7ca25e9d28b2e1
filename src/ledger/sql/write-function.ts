import { openedColumns } from './open-function';

const outcomeColumns = `outcome text, status int4, problem text, units int4, billing text, served text, code text, checked int8,
  opened boolean`;

/**
 * SQL function that writes the results of calls. If the store has the opening row of an entry, the result closes that row; the result
 * RELEASED deletes it, because the call was never sent. Any other entry is inserted. An entry that is already stored does not change,
 * because it may have been settled or its subjects erased. Writing an entry twice has the same effect as writing it once.
 */
export const writeFunction = `
  CREATE OR REPLACE FUNCTION ledger_write(p_entries json, p_process text) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM ledger_lock();
    WITH incoming AS MATERIALIZED (
      SELECT * FROM json_to_recordset(p_entries) AS entry(${openedColumns}, ${outcomeColumns})
    ), released AS (
      DELETE FROM ledger_entries e USING incoming i
      WHERE i.outcome = 'RELEASED' AND e.account = i.account AND e.id = i.id AND e.outcome = 'OPEN'
    ), unlinked AS (
      DELETE FROM ledger_subjects s USING incoming i, json_array_elements(i.subjects) AS subject
      WHERE i.outcome = 'RELEASED' AND s.hash = decode(subject->>1, 'hex') AND s.entry_id = i.id
    ), closed AS (
      -- The billing that the service reported replaces a settlement that was made before the call was closed.
      UPDATE ledger_entries e SET outcome = i.outcome, status = i.status, problem = i.problem, units = i.units, billing = i.billing,
        served_from = i.served, validation_code = i.code, checked_at = to_timestamp(i.checked / 1000.0),
        settled_billing = CASE WHEN i.billing = 'UNKNOWN' THEN e.settled_billing END,
        settled_units = CASE WHEN i.billing = 'UNKNOWN' THEN e.settled_units END,
        settled_at = CASE WHEN i.billing = 'UNKNOWN' THEN e.settled_at END,
        settled_note = CASE WHEN i.billing = 'UNKNOWN' THEN e.settled_note END
      FROM incoming i
      WHERE i.opened AND i.outcome <> 'RELEASED' AND e.account = i.account AND e.id = i.id AND e.outcome = 'OPEN'
    ), stored AS (
      INSERT INTO ledger_entries (id, at, account, process, client, tag, operation, request_id, batch_id, endpoint, outcome,
        status, problem, units, price, billing, served_from, validation_code, checked_at)
      SELECT id, to_timestamp(at / 1000.0), account, p_process, client, tag, operation, request, batch, endpoint, outcome,
        status, problem, units, price, billing, served, code, to_timestamp(checked / 1000.0)
      FROM incoming WHERE outcome <> 'RELEASED'
      ON CONFLICT (account, id) DO NOTHING
      RETURNING id
    )
    INSERT INTO ledger_subjects (hash, entry_id, kind, key_version)
    SELECT decode(subject->>1, 'hex'), id, subject->>0, subject->>2
    FROM stored JOIN incoming i USING (id), json_array_elements(subjects) AS subject
    WHERE NOT ledger_is_erased(i.account, i.subjects, i.began)
    ON CONFLICT DO NOTHING;
  END $$;`;
