/**
 * Inserts the rows $3 and the hashes $6 of an upload $2, and adds $4 rows and $5 bytes to the sums of the batch $1. Does nothing and
 * returns no row if the upload is not the current one. The first part locks the batch, so that a newer upload waits and then deletes
 * these rows.
 */
export const insertRows = `WITH counted AS (
    UPDATE batch SET kept_rows = kept_rows + $4, kept_bytes = kept_bytes + $5
    WHERE id = $1 AND upload = $2 AND state = 'WAITING_FOR_ROWS' RETURNING id
  ), inserted AS (
    INSERT INTO batch_row (batch, number, state, input)
    SELECT $1, r.number, r.state, decode(r.input, 'base64') FROM json_to_recordset($3::json) AS r(number integer, state text, input text)
    WHERE EXISTS (SELECT 1 FROM counted)
    ON CONFLICT DO NOTHING
  ), indexed AS (
    INSERT INTO batch_subject (hash, batch, number)
    SELECT decode(s.hash, 'hex'), $1, s.number FROM json_to_recordset($6::json) AS s(hash text, number integer)
    WHERE EXISTS (SELECT 1 FROM counted)
    ON CONFLICT DO NOTHING
  )
  SELECT id FROM counted`;
