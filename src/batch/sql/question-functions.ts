/**
 * SQL functions for questions. A question is stored before it is sent, and a stored question is never sent again. Each
 * function locks the batch's row first, so all workers agree on the spent, reserved and remaining units. Each is
 * idempotent, so a worker can retry it if the connection was lost.
 */
export const questionFunctions = `
-- Whether the data of a row was erased.
CREATE OR REPLACE FUNCTION batch_is_erased(p_batch text, p_number integer) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM batch_row WHERE batch = p_batch AND number = p_number AND length(input) = 0)
$$;

CREATE OR REPLACE FUNCTION batch_claim(p_batch text, p_worker text, p_run integer, p_claims json)
RETURNS TABLE (name text, verdict text, row_number integer, exchange bytea, asked_at timestamptz)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v_batch batch%ROWTYPE;
  v_claim record;
  v_question batch_question%ROWTYPE;
  v_taken integer := 0;
  v_room integer;
  v_exceeded boolean := false;
BEGIN
  -- A worker sends the call after this transaction. Whatever the server's setting, the claim must be on disk first.
  PERFORM set_config('synchronous_commit', 'on', true);
  SELECT * INTO v_batch FROM batch WHERE id = p_batch FOR UPDATE;
  v_room := v_batch.max_units - v_batch.spent - v_batch.uncertain - v_batch.reserved;
  FOR v_claim IN SELECT * FROM json_to_recordset(p_claims) AS c(name text, claim text, price integer, row_number integer,
    affordable boolean) LOOP
    name := v_claim.name; row_number := v_claim.row_number; exchange := NULL; asked_at := NULL;
    SELECT * INTO v_question FROM batch_question q WHERE q.batch = p_batch AND q.name = v_claim.name;
    IF FOUND AND v_question.state = 'ASKED' AND v_question.claim = v_claim.claim THEN
      verdict := 'CLAIMED';
    ELSIF FOUND THEN
      verdict := v_question.state; row_number := v_question.row_number;
      exchange := v_question.exchange; asked_at := v_question.asked_at;
    ELSIF v_batch.state IS DISTINCT FROM 'RUNNING' OR v_batch.run <> p_run OR batch_is_erased(p_batch, v_claim.row_number) THEN
      verdict := 'STOPPED';
    ELSIF NOT v_claim.affordable THEN
      verdict := 'UNAFFORDABLE';
    ELSIF v_claim.price > v_room THEN
      -- The calls that hold reserved units may turn out to be free.
      IF v_batch.reserved + v_taken > 0 THEN verdict := 'WAIT'; ELSE verdict := 'STOPPED'; v_exceeded := true; END IF;
    ELSE
      INSERT INTO batch_question (batch, name, state, worker, claim, row_number, price)
      VALUES (p_batch, v_claim.name, 'ASKED', p_worker, v_claim.claim, v_claim.row_number, v_claim.price);
      v_taken := v_taken + v_claim.price; v_room := v_room - v_claim.price;
      verdict := 'CLAIMED';
    END IF;
    RETURN NEXT;
  END LOOP;
  IF v_taken > 0 THEN UPDATE batch SET reserved = reserved + v_taken WHERE id = p_batch; END IF;
  IF v_exceeded THEN
    UPDATE batch SET state = 'PAUSED', reason = 'UNIT_BUDGET_EXCEEDED' WHERE id = p_batch AND state = 'RUNNING';
  END IF;
END $$;

CREATE OR REPLACE FUNCTION batch_settle(p_batch text, p_settlements json) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_settlement record;
  v_question batch_question%ROWTYPE;
  v_spent integer := 0;
  v_uncertain integer := 0;
  v_reserved integer := 0;
BEGIN
  PERFORM set_config('synchronous_commit', 'on', true);
  PERFORM 1 FROM batch WHERE id = p_batch FOR UPDATE;
  FOR v_settlement IN SELECT * FROM json_to_recordset(p_settlements)
    AS s(name text, claim text, state text, units integer, failed boolean, exchange text) LOOP
    -- The answer of a worker that was declared dead also counts, if it arrives later.
    SELECT * INTO v_question FROM batch_question q
    WHERE q.batch = p_batch AND q.name = v_settlement.name AND q.claim = v_settlement.claim
      AND (q.state = 'ASKED' OR (q.state = 'UNKNOWN' AND q.exchange IS NULL));
    CONTINUE WHEN NOT FOUND;
    IF v_question.state = 'ASKED' THEN v_reserved := v_reserved - v_question.price;
    ELSE v_uncertain := v_uncertain - v_question.price; END IF;
    IF v_settlement.state = 'RELEASED' THEN
      DELETE FROM batch_question q WHERE q.batch = p_batch AND q.name = v_settlement.name;
      CONTINUE;
    END IF;
    UPDATE batch_question q SET state = v_settlement.state, units = v_settlement.units, failed = v_settlement.failed,
      exchange = CASE WHEN batch_is_erased(p_batch, q.row_number) THEN NULL ELSE decode(v_settlement.exchange, 'base64') END
    WHERE q.batch = p_batch AND q.name = v_settlement.name;
    v_spent := v_spent + v_settlement.units;
    IF v_settlement.state = 'UNKNOWN' THEN v_uncertain := v_uncertain + v_question.price; END IF;
  END LOOP;
  UPDATE batch SET spent = spent + v_spent, uncertain = uncertain + v_uncertain, reserved = reserved + v_reserved
  WHERE id = p_batch AND (v_spent <> 0 OR v_uncertain <> 0 OR v_reserved <> 0);
END $$;
`;
