import type { Outcome } from '../../registry/answer/answer';
import type { Language } from '../../registry/answer/problem';
import type { RowState } from '../batch';

/** Words of a table in one language. */
export interface TableWords {
  readonly sheet: string;
  readonly state: string;
  readonly problem: string;
  readonly problemCodes: string;
  readonly remarks: string;
  readonly line: string;
  readonly units: string;
  readonly uncertainUnits: string;
  readonly states: Readonly<Record<RowState, string>>;
  readonly outcomes: Readonly<Record<Outcome, string>>;
  readonly yes: string;
  readonly no: string;
  /** End of a text that is too long for a cell of a spreadsheet. */
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
  },
  outcomes: {
    FOUND: 'Found',
    NOT_FOUND: 'Not found',
    INVALID_INPUT: 'Invalid input',
    NOT_PERMITTED: 'Not permitted',
    UNAVAILABLE: 'Unavailable',
    NOT_RUN: 'Not run',
  },
  yes: 'Yes',
  no: 'No',
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
    UNKNOWN: 'Sin aclarar',
    CANCELED: 'Cancelada',
    REFUSED: 'Rechazada',
  },
  outcomes: {
    FOUND: 'Encontrado',
    NOT_FOUND: 'No encontrado',
    INVALID_INPUT: 'Dato no válido',
    NOT_PERMITTED: 'No permitido',
    UNAVAILABLE: 'No disponible',
    NOT_RUN: 'No consultado',
  },
  yes: 'Sí',
  no: 'No',
  cut: (length) =>
    `… [El texto tiene ${length} caracteres y no cabe en una celda. Las líneas JSON lo contienen completo.]`,
};

export const tableWords: Readonly<Record<Language, TableWords>> = { en: english, es: spanish };
