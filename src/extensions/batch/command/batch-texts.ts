import type { Language } from '../../../identifiers/text';

const figure = (number: number): string => number.toLocaleString('en-US');
const count = (number: number, noun: string): string => `${figure(number)} ${noun}${number === 1 ? '' : 's'}`;

const batchEnglish = {
  cannotRead: (file: string) => `Cannot read ${file}. Check the path.`,
  cannotWrite: (file: string, code: string) =>
    `Cannot write ${file} (${code}). Check the path, or choose another with --out.`,
  outIsInput: (file: string) => `The results would overwrite ${file}. Choose another file with --out.`,
  readAs: (encoding: string) => `The file is not UTF-8. It is read as ${encoding}.`,
  headerAt: (line: number) => `The header is line ${line}. The lines above it are skipped.`,
  sheet: (name: string, otherSheets: string) => `sheet: ${name} (not read: ${otherSheets}; choose one with --sheet)`,
  columns: (used: string, unused: string) =>
    `columns: ${used || 'none'}${unused === '' ? '' : ` (not used, not compared: ${unused})`}`,
  compared: 'compared',
  refused: (rows: number) => `${count(rows, 'row')} ${rows === 1 ? 'is' : 'are'} refused:`,
  refusedReason: (message: string, rows: number, lines: string) =>
    `  ${message} (${rows === 1 ? 'line' : `${rows} rows, lines`} ${lines})`,
  moreRefused: (rows: number) => `  and ${rows} more, which are in the results`,
  price: (units: number, rows: number) => `price: ${count(units, 'unit')} for ${count(rows, 'row')}`,
  unbounded: ', or more: lists of unknown length',
  endpoint: (url: string, calls: number, units: number) => `  ${url}: ${count(calls, 'call')}, ${count(units, 'unit')}`,
  invalidRows: (rows: number) =>
    rows === 1
      ? '1 row has an invalid value. The calls that need it are not made and cost nothing, and the row will fail.'
      : `${rows} rows have an invalid value. The calls that need it are not made and cost nothing, and the rows will fail.`,
  cannotStart: (message: string, code: string) => `cannot be started: ${message} (${code})`,
  priced: (state: string) => `The batch is ${state}. Add --max-units to run it.`,
  alreadyDone: 'The batch is DONE. Add --max-units to write its results again.',
  noRetry: 'No failed row can succeed with the same data. Correct it, and run the corrected file.',
  progress: (ended: number, rows: number, units: number) =>
    `${figure(ended)}/${count(rows, 'row')} · ${count(units, 'unit')}`,
  failures: (failed: number, unknown: number) => `${figure(failed)} failed, ${figure(unknown)} unknown`,
  left: (time: string) => `${time} left`,
  ended: (done: number, rows: number) => `${figure(done)} of ${count(rows, 'row')} done`,
  canceledRows: (rows: number) => `${figure(rows)} canceled`,
  erasedRows: (rows: number) => `${figure(rows)} erased`,
  refusedRows: (rows: number) => `${figure(rows)} refused`,
  spent: (units: number, uncertain: number, saved: number) =>
    `${count(units, 'unit')} spent, ${figure(uncertain)} uncertain, ${figure(saved)} saved`,
  doubtful: (rows: number, lines: string) =>
    `${count(rows, 'done row')} may be about another person: check the column Problem, ${rows === 1 ? 'line' : 'lines'} ${lines}`,
  mayRetry: (rows: number) => `${count(rows, 'failed row')} may succeed with --retry failed`,
  mayRetryUnknown: (rows: number) =>
    `${count(rows, 'unknown row')} may have been charged. --retry unknown retries ${rows === 1 ? 'it' : 'them'}, and may be charged again`,
  stopped: (state: string, reason: string) => `The batch is ${state}${reason}`,
  resumes: (time: string | null, units: number | null, hasRetry: boolean) =>
    `${time === null ? 'The' : `After ${time} the`} same command${units === null ? '' : ` with --max-units ${units}`}${hasRetry ? ' without --retry' : ''} resumes it. Nothing is paid twice.`,
  results: (file: string) => `results: ${file}`,
  partialResults: (file: string) => `results so far: ${file}`,
  interruptedDownload: (file: string) =>
    `The download of ${file} was interrupted. An earlier file of that name is unchanged.`,
  waiting: (problem: string, seconds: number) => `${problem} Trying again for ${seconds} s.`,
  continues: (hasRetry: boolean) =>
    `If the batch was started, it continues on the server. To see it and to download its results, run the same command again${hasRetry ? ' without --retry' : ''}. Nothing is paid twice.`,
  resultsName: 'results',
  interrupted: 'The batch is paused. Its running calls end first. Ctrl-C again does not wait for them.',
  states: {} as Readonly<Record<string, string>>,
  batchMissing: 'The batch no longer exists.',
  noBatch: 'padron returned no batch.',
};

export type BatchTexts = typeof batchEnglish;

export const textsIn = (language: Language | null): BatchTexts => (language === 'es' ? batchSpanish : batchEnglish);

const rowsOf = (count: number): string => `${figure(count)} ${count === 1 ? 'fila' : 'filas'}`;
const unitsOf = (count: number): string => `${figure(count)} ${count === 1 ? 'unidad' : 'unidades'}`;

const batchSpanish: typeof batchEnglish = {
  cannotRead: (file) => `No se puede leer ${file}. Revise la ruta.`,
  cannotWrite: (file, code) => `No se puede escribir ${file} (${code}). Revise la ruta o elija otra con --out.`,
  outIsInput: (file) => `Los resultados sobrescribirían ${file}. Elija otro archivo con --out.`,
  readAs: (encoding) => `El archivo no está en UTF-8. Se lee como ${encoding}.`,
  headerAt: (line) => `El encabezado es la línea ${line}. Las líneas anteriores se omiten.`,
  sheet: (name, otherSheets) => `hoja: ${name} (no se leen: ${otherSheets}; elija una con --sheet)`,
  columns: (used, unused) =>
    `columnas: ${used || 'ninguna'}${unused === '' ? '' : ` (no se usan, no se comparan: ${unused})`}`,
  compared: 'se compara',
  refused: (rows) => `${rowsOf(rows)} ${rows === 1 ? 'rechazada' : 'rechazadas'}:`,
  refusedReason: (message, rows, lines) => `  ${message} (${rows === 1 ? 'línea' : `${rows} filas, líneas`} ${lines})`,
  moreRefused: (rows) => `  y ${rows} más, que están en los resultados`,
  price: (units, rows) => `precio: ${unitsOf(units)} por ${rowsOf(rows)}`,
  unbounded: ', o más: hay listas de longitud desconocida',
  endpoint: (url, calls, units) =>
    `  ${url}: ${figure(calls)} ${calls === 1 ? 'consulta' : 'consultas'}, ${unitsOf(units)}`,
  invalidRows: (rows) =>
    rows === 1
      ? '1 fila tiene un dato no válido. Las consultas que lo necesitan no se hacen ni cuestan, y la fila fallará.'
      : `${rowsOf(rows)} tienen un dato no válido. Las consultas que lo necesitan no se hacen ni cuestan, y esas filas fallarán.`,
  cannotStart: (message, code) => `no se puede iniciar: ${message} (${code})`,
  priced: (state) => `El lote está ${state}. Agregue --max-units para ejecutarlo.`,
  alreadyDone: 'El lote está terminado. Agregue --max-units para escribir de nuevo sus resultados.',
  noRetry: 'Ninguna fila con fallo se resolvería con los mismos datos. Corríjalos y envíe el archivo corregido.',
  progress: (ended, rows, units) => `${figure(ended)}/${rowsOf(rows)} · ${unitsOf(units)}`,
  failures: (failed, unknown) => `${figure(failed)} con fallo, ${figure(unknown)} por aclarar`,
  left: (time) => `${/^1\D/.test(time) ? 'falta' : 'faltan'} ${time}`,
  ended: (done, rows) => `${figure(done)} de ${rowsOf(rows)} ${rows === 1 ? 'hecha' : 'hechas'}`,
  canceledRows: (rows) => `${figure(rows)} ${rows === 1 ? 'cancelada' : 'canceladas'}`,
  erasedRows: (rows) => `${figure(rows)} ${rows === 1 ? 'suprimida' : 'suprimidas'}`,
  refusedRows: (rows) => `${figure(rows)} ${rows === 1 ? 'rechazada' : 'rechazadas'}`,
  spent: (units, uncertain, saved) =>
    `${unitsOf(units)} ${units === 1 ? 'gastada' : 'gastadas'}, ${figure(uncertain)} por aclarar, ${figure(saved)} ${saved === 1 ? 'ahorrada' : 'ahorradas'}`,
  doubtful: (rows, lines) =>
    rows === 1
      ? `1 fila hecha puede ser de otra persona: revise la columna Problema, línea ${lines}`
      : `${rowsOf(rows)} hechas pueden ser de otras personas: revise la columna Problema, líneas ${lines}`,
  mayRetry: (rows) => `${rowsOf(rows)} con fallo ${rows === 1 ? 'puede' : 'pueden'} resolverse con --retry failed`,
  mayRetryUnknown: (rows) =>
    `${rowsOf(rows)} por aclarar: ${rows === 1 ? 'pudo cobrarse' : 'pudieron cobrarse'}. --retry unknown ${rows === 1 ? 'la consulta' : 'las consulta'} de nuevo, y puede volver a cobrarse`,
  stopped: (state, reason) => `El lote está ${state}${reason}`,
  resumes: (time, units, hasRetry) =>
    `${time === null ? 'Para' : `Después del ${time}, para`} continuarlo, ejecute el mismo comando${units === null ? '' : ` con --max-units ${units}`}${hasRetry ? ' sin --retry' : ''}. Nada se paga dos veces.`,
  results: (file) => `resultados: ${file}`,
  partialResults: (file) => `resultados hasta ahora: ${file}`,
  interruptedDownload: (file) =>
    `La descarga de ${file} se interrumpió. Si ya había un archivo con ese nombre, no se modificó.`,
  waiting: (problem, seconds) => `${problem} Se intenta de nuevo durante ${seconds} s.`,
  continues: (hasRetry) =>
    `Si el lote ya se había iniciado, continúa en el servidor. Para verlo y descargar sus resultados, ejecute de nuevo el mismo comando${hasRetry ? ' sin --retry' : ''}. Nada se paga dos veces.`,
  resultsName: 'resultados',
  interrupted: 'El lote está en pausa. Antes terminan las consultas en curso. Ctrl-C otra vez no las espera.',
  states: {
    READY: 'listo',
    RUNNING: 'en marcha',
    PAUSED: 'en pausa',
    DONE: 'terminado',
    CANCELED: 'cancelado',
    ERASED: 'borrado',
  },
  batchMissing: 'El lote ya no existe.',
  noBatch: 'padron no devolvió ningún lote.',
};
