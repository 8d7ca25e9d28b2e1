import { randomUUID } from 'node:crypto';
import type { Text } from '../../../identifiers/text';
import type { Store } from '../../../store/store';
import type { BatchHeader, RefusedRow } from '../batch';
import type { OpenBatch } from '../open-batch';
import { DatasetError } from './dataset';

export interface UploadedRows {
  readonly rows: number;
  readonly refused: readonly RefusedRow[];
  /** Number of refused rows. Only the first ones are listed. */
  readonly refusedCount: number;
}

/**
 * An upload of rows to a batch, read with the header of the batch when the upload arrived. Only the latest upload of a batch
 * changes it, and only while that header is current.
 */
export class Upload {
  readonly id = randomUUID();
  private hasBegun = false;

  constructor(
    private readonly store: Store,
    private readonly open: OpenBatch,
  ) {}

  async begin(): Promise<void> {
    const { batch } = this.open;
    const begun = await this.store.query(
      `UPDATE batch SET upload = $2, refused = NULL, refused_count = 0
      WHERE id = $1 AND header = $3 AND state = 'WAITING_FOR_ROWS' RETURNING id`,
      [batch.id, this.id, batch.header],
    );
    if (begun.length === 0) throw await this.explainLoss();
    this.hasBegun = true;
    await this.removeRows();
  }

  async end({ rows, refused, refusedCount }: UploadedRows, header: BatchHeader): Promise<void> {
    const { batch, key } = this.open;
    const sealedHeader = key.seal(`${batch.id} header`, JSON.stringify(header));
    const sealedRefused = key.seal(`${batch.id} refused`, JSON.stringify(refused));
    const ended = await this.store.query(
      `UPDATE batch SET state = 'PRICING', total = $3, header = $4, refused = $5, refused_count = $6, upload = NULL
      WHERE id = $1 AND upload = $2 AND state = 'WAITING_FOR_ROWS' RETURNING id`,
      [batch.id, this.id, rows, sealedHeader, sealedRefused, refusedCount],
    );
    if (ended.length === 0) throw await this.explainLoss();
  }

  /**
   * Removes the rows of the batch. Does nothing if a later upload has begun. This is a separate statement from the one that begins an
   * upload, because it must see the rows that the earlier upload stored while the other statement waited for it.
   */
  async removeRows(): Promise<void> {
    await this.store.query(
      `WITH current AS (
        UPDATE batch SET kept_rows = 0, kept_bytes = 0 WHERE id = $1 AND upload = $2 RETURNING id
      ), removed AS (
        DELETE FROM batch_row WHERE batch = $1 AND EXISTS (SELECT 1 FROM current)
      )
      DELETE FROM batch_subject WHERE batch = $1 AND EXISTS (SELECT 1 FROM current)`,
      [this.open.batch.id, this.id],
    );
  }

  async explainLoss(): Promise<DatasetError> {
    const { id, header } = this.open.batch;
    const [batch] = await this.store.query<{ readonly state: string; readonly header: Buffer | null }>(
      'SELECT state, header FROM batch WHERE id = $1',
      [id],
    );
    if (batch === undefined || batch.state === 'CANCELED' || batch.state === 'ERASED')
      return new DatasetError(noLongerWaiting);
    if (batch.state === 'WAITING_FOR_ROWS' && header !== null && batch.header?.equals(header) === false)
      return new DatasetError(columnsChanged);
    return new DatasetError(this.hasBegun ? replaced : hasRows);
  }
}

const hasRows: Text = {
  english: 'The batch already has rows. Create another batch for this file.',
  spanish: 'El lote ya tiene filas. Cree otro lote para este archivo.',
};
const replaced: Text = {
  english: 'A later upload to the same batch replaced this one.',
  spanish: 'Un envío posterior al mismo lote reemplazó a este.',
};
const noLongerWaiting: Text = {
  english: 'The batch was canceled or erased. Create another batch for this file.',
  spanish: 'El lote se canceló o se borró. Cree otro lote para este archivo.',
};
const columnsChanged: Text = {
  english: 'The columns or the sheet of the batch were chosen again meanwhile. Send the rows again.',
  spanish: 'Mientras tanto se eligieron otras columnas u otra hoja para el lote. Envíe las filas de nuevo.',
};
