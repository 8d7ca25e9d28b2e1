import type { Language } from '../../../identifiers/text';
import type { RowState } from '../batch';

export interface TableWords {
  readonly sheet: string;
  readonly state: string;
  readonly problem: string;
  readonly problemCodes: string;
  readonly remarks: string;
  readonly line: string;
  readonly units: string;
  readonly uncertainUnits: string;
  /** State of a row that is done and may be about another person or employer. */
  readonly doubtful: string;
  readonly states: Readonly<Record<RowState, string>>;
  readonly yes: string;
  readonly no: string;
  asRead(column: string): string;
  error(message: string, field: string): string;
  cut(length: number): string;
}

const english: TableWords = {
  sheet: 'Results',
  state: 'State',
  problem: 'Problem',
  problemCodes: 'Problem codes',
  remarks: 'Remarks',
  line: 'Line',
  units: 'Units',
  uncertainUnits: 'Uncertain units',
  states: {
    WAITING: 'Waiting',
    RUNNING: 'Running',
    DONE: 'Done',
    FAILED: 'Failed',
    UNKNOWN: 'Unknown',
    CANCELED: 'Canceled',
    REFUSED: 'Refused',
    ERASED: 'Erased',
  },
  doubtful: 'Done, review',
  yes: 'Yes',
  no: 'No',
  asRead: (column) => `${column} (as read)`,
  error: (message) => message,
  cut: (length) => `… [The text has ${length} characters, which is too long for a cell. JSON lines contain all of it.]`,
};

const spanish: TableWords = {
  sheet: 'Resultados',
  state: 'Estado',
  problem: 'Problema',
  problemCodes: 'Códigos de problema',
  remarks: 'Observaciones',
  line: 'Línea',
  units: 'Unidades',
  uncertainUnits: 'Unidades por aclarar',
  states: {
    WAITING: 'En espera',
    RUNNING: 'En marcha',
    DONE: 'Hecha',
    FAILED: 'Con fallo',
    UNKNOWN: 'Por aclarar',
    CANCELED: 'Cancelada',
    REFUSED: 'Rechazada',
    ERASED: 'Suprimida',
  },
  doubtful: 'Hecha, revisar',
  yes: 'Sí',
  no: 'No',
  asRead: (column) => `${column} (leído)`,
  // The messages of errors are in English, for developers. JSON lines contain them.
  error: (_message, field) => `Ocurrió un error en \`${field}\`. Avise al operador.`,
  cut: (length) =>
    `… [El texto tiene ${length} caracteres y no cabe en una celda. Las líneas JSON lo contienen completo.]`,
};

export const tableWords: Readonly<Record<Language, TableWords>> = { en: english, es: spanish };
