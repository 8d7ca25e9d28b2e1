import type { batchEnglish } from './batch-english';

const rowsOf = (count: number): string => `${count} ${count === 1 ? 'fila' : 'filas'}`;
const unitsOf = (count: number): string => `${count} ${count === 1 ? 'unidad' : 'unidades'}`;

/** Messages for errors of the graph, whose own messages are in English, for developers. */
const byCode: Readonly<Record<string, string>> = {
  UNAUTHENTICATED: 'Falta el token o no es válido. Indíquelo con PADRON_TOKEN o --token.',
  FORBIDDEN: 'El token no tiene permiso para usar lotes. Use uno con el permiso `padron_batch`.',
  NOT_FOUND: 'La dirección no es la de un grafo de padron. Revise --url.',
  BATCHES_OFF: 'Los lotes están desactivados. El operador puede activarlos con DATA_DIR o DATABASE_URL.',
  LEDGER_UNAVAILABLE: 'El almacén de datos de padron no está disponible. Inténtelo de nuevo más tarde.',
  OVERLOADED: 'Hay demasiadas solicitudes en este momento. Inténtelo de nuevo en unos segundos.',
  SHUTTING_DOWN: 'El servidor se está reiniciando. Inténtelo de nuevo en un momento.',
};

/** Spanish texts of the command `padron batch`. */
export const batchSpanish: typeof batchEnglish = {
  cannotRead: (file) => `No se puede leer ${file}. Revise la ruta.`,
  cannotWrite: (file, code) => `No se puede escribir ${file} (${code}). Revise la ruta o elija otra con --out.`,
  outIsInput: (file) => `Los resultados sobrescribirían ${file}. Elija otro archivo con --out.`,
  readAs: (encoding) => `El archivo no está en UTF-8. Se lee como ${encoding}.`,
  headerAt: (line) => `El encabezado es la línea ${line}. Las líneas anteriores se omiten.`,
  columns: (used, unused) => `columnas: ${used || 'ninguna'}${unused === '' ? '' : ` (no se usan: ${unused})`}`,
  refused: (rows) => `${rowsOf(rows)} ${rows === 1 ? 'rechazada' : 'rechazadas'}:`,
  refusedRow: (line, message) => `  línea ${line}: ${message}`,
  moreRefused: (rows) => `  y ${rows} más, que están en los resultados`,
  price: (units, rows) => `precio: ${unitsOf(units)} por ${rowsOf(rows)}`,
  unbounded: ', o más: hay listas de longitud desconocida',
  endpoint: (url, calls, units) => `  ${url}: ${calls} ${calls === 1 ? 'consulta' : 'consultas'}, ${unitsOf(units)}`,
  invalidRows: (rows) =>
    rows === 1
      ? '1 fila tiene un dato no válido. Las consultas que lo necesitan no se hacen ni cuestan, y la fila fallará.'
      : `${rowsOf(rows)} tienen un dato no válido. Las consultas que lo necesitan no se hacen ni cuestan, y esas filas fallarán.`,
  cannotStart: (message, code) => `no se puede iniciar: ${message} (${code})`,
  priced: (state) => `El lote está ${state}. Agregue --max-units para ejecutarlo.`,
  alreadyDone: 'El lote está terminado. Agregue --max-units para escribir de nuevo sus resultados.',
  noRetry: 'Ninguna fila con fallo se resolvería con los mismos datos. Corríjalos y envíe el archivo corregido.',
  progress: (ended, rows, units) => `${ended}/${rowsOf(rows)} · ${unitsOf(units)}`,
  failures: (failed, unknown) => `${failed} con fallo, ${unknown} sin aclarar`,
  left: (time) => `faltan ${time}`,
  ended: (done, rows) => `${done} de ${rowsOf(rows)} ${rows === 1 ? 'hecha' : 'hechas'}`,
  refusedRows: (rows) => `${rows} ${rows === 1 ? 'rechazada' : 'rechazadas'}`,
  spent: (units, uncertain, saved) =>
    `${unitsOf(units)} ${units === 1 ? 'gastada' : 'gastadas'}, ${uncertain} por aclarar, ${saved} ${saved === 1 ? 'ahorrada' : 'ahorradas'}`,
  mayRetry: (rows) => `${rowsOf(rows)} con fallo ${rows === 1 ? 'puede' : 'pueden'} resolverse con --retry failed`,
  stopped: (state, reason) => `El lote está ${state}${reason}`,
  results: (file) => `resultados: ${file}`,
  interruptedDownload: (file) =>
    `La descarga de ${file} se interrumpió. Si ya había un archivo con ese nombre, no se modificó.`,
  waiting: (problem, seconds) => `${problem} Se intenta de nuevo durante ${seconds} s.`,
  continues: (hasRetry) =>
    `Si el lote ya se había iniciado, continúa en el servidor. Para verlo y descargar sus resultados, ejecute de nuevo el mismo comando${hasRetry ? ' sin --retry' : ''}. Nada se paga dos veces.`,
  interrupted: 'El lote está en pausa. Ejecute el mismo comando para continuarlo.',
  states: {
    READY: 'listo',
    RUNNING: 'en marcha',
    PAUSED: 'en pausa',
    DONE: 'terminado',
    CANCELED: 'cancelado',
    ERASED: 'borrado',
  },
  rejected: (message, code) => byCode[code] ?? `padron rechazó la solicitud: ${message}`,
  unreachable: (origin, reason) => `No se puede conectar con padron en ${origin} (${reason}).`,
  noAnswer: 'no responde',
  notAGraph: (status) => `La dirección no es un grafo de padron (HTTP ${status}). Revise --url.`,
  batchMissing: 'El lote ya no existe.',
  noBatch: 'padron no devolvió ningún lote.',
};
