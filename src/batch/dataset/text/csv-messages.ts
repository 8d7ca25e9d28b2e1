import type { Remark } from '../../batch';

/** Maximum bytes of a row. */
export const maxRecordBytes = 1_000_000;

export const otherRows = (line: number): Remark => ({
  english: `A quoted cell ends at line ${line} and seems to contain other rows. Close its quote, or remove it.`,
  spanish: `Una celda entre comillas termina en la línea ${line} y parece contener otras filas. Cierre sus comillas o quítelas.`,
});
export const surplusValues = (values: number, columns: number): Remark => ({
  english: `The row has ${values} values, but the header has ${columns} columns.`,
  spanish: `La fila tiene ${values} valores, pero el encabezado tiene ${columns} columnas.`,
});
export const openQuote = (line: number): Remark => ({
  english: `The quote that opens at line ${line} is not closed. Close it, or remove it.`,
  spanish: `Las comillas que abren en la línea ${line} no se cierran. Ciérrelas o quítelas.`,
});
export const rowTooLong = (line: number): Remark => ({
  english: `The row that begins at line ${line} has more than ${maxRecordBytes} bytes.`,
  spanish: `La fila que empieza en la línea ${line} tiene más de ${maxRecordBytes} bytes.`,
});
export const unreadable = (line: number, code: string): Remark => ({
  english: `The file cannot be read as CSV at line ${line} (${code}).`,
  spanish: `El archivo no se puede leer como CSV en la línea ${line} (${code}).`,
});
