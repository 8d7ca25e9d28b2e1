import { createStore } from '../../store';
import type { FileColumns } from '../requests/send-dataset';

/** The file that was sent last, so that the user can choose its columns. It is kept until the page is closed or another file is sent. */
export interface SentFile {
  readonly file: File;
  /** The batch that has the rows of the file, or null if the file was rejected. */
  readonly batch: string | null;
  readonly columns: FileColumns;
  /** The sheet that the user chose, or null if padron chose it. */
  readonly sheet: string | null;
  /** Notes for the user about how padron read the file. */
  readonly notes: readonly string[];
  /** Whether the form with the columns is open. */
  readonly isChoosing: boolean;
}

export const sentFile = createStore<SentFile | null>(null);
