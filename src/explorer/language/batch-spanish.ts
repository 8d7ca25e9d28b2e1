import type { batchEnglish } from './batch-english';

const rows = (count: number): string => (count === 1 ? '1 fila' : `${count.toLocaleString('es-MX')} filas`);

export const batchSpanish: typeof batchEnglish = {
  intro:
    'Este panel ejecuta la operación de la pestaña abierta para cada fila de un archivo. padron calcula primero el precio y no gasta nada hasta que usted inicie el lote.',
  create: 'Nuevo lote',
  operation: 'Operación',
  columnsAbout: (names) =>
    `Una columna llena la variable de su mismo nombre o de su encabezado usual, como «Núm. Seguro Social»: ${names.join(', ')}. Una columna llamada ref contiene etiquetas para las filas.`,
  columnsOf: (name) => `Columnas de ${name}`,
  sheet: 'Hoja',
  readAs: (encoding) => `El archivo no está en UTF-8. Se leyó como ${encoding}.`,
  headerAt: (line) => `El encabezado es la línea ${line}. Las líneas anteriores se omitieron.`,
  chooseColumns: 'Elegir otras columnas',
  chooseBelow: 'Elija abajo qué variable llena cada columna y lea el archivo de nuevo.',
  validValues: (valid, filled) =>
    `${valid.toLocaleString('es-MX')} de ${filled.toLocaleString('es-MX')} valores son válidos`,
  barredFields: (fields) =>
    `Un lote no puede ejecutar esta operación, porque el servicio no permite estos campos en lotes: ${fields.join(', ')}.`,
  runnable: 'Pestañas abiertas que un lote puede ejecutar:',
  moment: (date) => {
    const [at, today] = [new Date(date), new Date()];
    const time = at.toLocaleTimeString('es-MX', { timeStyle: 'short' });
    const day = at.toLocaleDateString('es-MX', { dateStyle: 'medium' });
    return `${at.toDateString() === today.toDateString() ? 'hoy' : `el ${day}`} a las ${time}`;
  },
  alreadyRan: (when, state, done, all) =>
    `este archivo ya se ejecutó con esta operación ${when} (${state.toLowerCase()}): ${done.toLocaleString('es-MX')} de ${rows(all)} listas.`,
  openBatch: 'Abrir el lote',
  openResults: 'Abrir los resultados',
  runAgain: (units) => `Ejecutar de nuevo${units === null ? '' : ` por ${units}`}`,
  readAgain: 'Leer el archivo con estas columnas',
  cancelChoice: 'Descartar el archivo',
  noVariables:
    'La operación no tiene variables, por lo que cada fila enviaría la misma solicitud. Abra una pestaña cuya operación tenga variables.',
  unparsed: 'La pestaña abierta no tiene una operación válida.',
  notAQuery: 'Un lote solo puede ejecutar consultas. Abra otra pestaña.',
  choose: 'Elija un archivo de Excel (.xlsx), CSV o JSON Lines',
  drop: 'o suéltelo aquí',
  example: (people) => `Usar ${people} personas del sandbox`,
  sending: (name) => `Enviando ${name}…`,
  noLink: 'padron no puede crear el enlace. Su operador debe definir PUBLIC_URL.',
  notTaken: (reason) => `El archivo fue rechazado: ${reason}`,
  list: 'Lotes de esta cuenta',
  noBatches: 'Todavía no hay ninguno.',
  back: 'Todos los lotes',
  missing: 'Esta cuenta ya no tiene este lote.',
  unnamed: 'Sin nombre',
  expires: (date) => `Se borrará el ${new Date(date).toLocaleDateString('es-MX', { dateStyle: 'medium' })}.`,
  created: (date) => new Date(date).toLocaleString('es-MX', { dateStyle: 'medium', timeStyle: 'medium' }),
  client: (name) => `Cliente ${name}`,
  off: 'Los lotes están desactivados. El operador puede activarlos con DATA_DIR o DATABASE_URL.',
  tokenNeeded:
    'Falta el token o no es válido. Escríbalo con el botón Token de arriba, o como "authorization" en Headers.',
  unread: (reason) => `No se pueden leer los lotes: ${reason}`,
  notStartable: 'No se puede iniciar',
  states: {
    WAITING_FOR_ROWS: 'En espera de filas',
    PRICING: 'Calculando el precio…',
    READY: 'Listo para iniciar',
    RUNNING: 'En marcha',
    PAUSED: 'En pausa',
    DONE: 'Terminado',
    CANCELED: 'Cancelado',
    ERASED: 'Borrado',
  },
  rows,
  datasetAndPrice: 'Datos y precio',
  dataset: 'Datos',
  column: 'Columna',
  variable: 'Variable',
  label: 'etiqueta de la fila',
  unused: 'no se usa',
  refused: (count) => `${count === 1 ? '1 fila rechazada' : `${rows(count)} rechazadas`}; las demás se ejecutarán`,
  lines: (count, lines) => `${count === 1 ? 'Línea' : 'Líneas'} ${lines}`,
  more: (count) => `y ${count.toLocaleString('es-MX')} más`,
  price: 'Precio',
  priceAtMost: (units, taken) => `${units} como máximo, por ${rows(taken)}`,
  priceAbout: (units, taken) => `Alrededor de ${units}, por ${rows(taken)}`,
  unbounded: 'Las listas de longitud desconocida pueden costar más, pero el lote nunca gasta más que el límite.',
  invalidRows: (count) =>
    count === 1
      ? '1 fila tiene un dato no válido. Las consultas que lo necesitan no se envían ni cuestan, y la fila falla.'
      : `${rows(count)} tienen un dato no válido. Las consultas que lo necesitan no se envían ni cuestan, y esas filas fallan.`,
  invalidValues: (count) => `${count.toLocaleString('es-MX')} con un dato no válido`,
  disallowedEndpoints:
    'El servicio no permite estos endpoints en lotes. Quite sus campos de la operación y envíe de nuevo el archivo:',
  ceiling: 'Límite en unidades',
  ceilingAbout: 'El lote nunca gasta más que esto. Las llamadas que podrían rebasarlo no se envían.',
  start: 'Iniciar',
  pause: 'Pausar',
  resume: 'Continuar',
  cancel: 'Cancelar',
  cancelAbout: 'Termina el lote definitivamente. Los resultados obtenidos se conservan.',
  erase: 'Borrar',
  eraseAbout: 'Destruye la llave de los datos y los resultados. No se puede deshacer.',
  wouldFailAgain: (count) =>
    count === 1
      ? '1 fila con fallo volvería a fallar con los mismos datos. Corríjala en el archivo y cree un lote nuevo.'
      : `${rows(count)} con fallo volverían a fallar con los mismos datos. Corríjalas en el archivo y cree un lote nuevo.`,
  retryFailed: (count) => `Reintentar ${rows(count)} con fallo`,
  retryUnknown: (count) => `Reintentar ${rows(count)} sin aclarar`,
  retryUnknownAbout: (units) => `Es posible que se cobren otra vez hasta ${units}.`,
  sure: (action) => `Sí, ${action.charAt(0).toLowerCase()}${action.slice(1)}`,
  keep: 'No',
  notDone: (reason) => `La acción falló: ${reason}`,
  progress: 'Avance',
  progressOf: (ended, all) => `${ended.toLocaleString('es-MX')} de ${rows(all)}`,
  pace: (rowsPerMinute) => `${rowsPerMinute.toLocaleString('es-MX')} filas por minuto`,
  left: (seconds) => (seconds < 90 ? `faltan ${seconds} s` : `faltan ${Math.ceil(seconds / 60)} min`),
  pausedByYou: 'En pausa a petición del usuario.',
  pausedFor: (reason) => `En pausa: ${reason}`,
  done: 'hechas',
  failed: 'con fallo',
  unknown: 'sin aclarar',
  waiting: 'en espera',
  failures: 'Fallos por problema',
  problem: 'Problema',
  rowsColumn: 'Filas',
  failuresOf: (count) =>
    `Aquí solo se cuentan las primeras ${rows(count)} que fallaron. La descarga las contiene todas.`,
  rowNumber: (number) => `fila ${number}`,
  results: 'Resultados',
  resultsAbout:
    'La tabla tiene primero las columnas de su archivo y después el estado, el problema y las respuestas. Excel quita los ceros iniciales al abrir un CSV: para Excel, descargue el libro (.xlsx).',
  formats: { xlsx: 'Excel', csv: 'CSV', jsonl: 'JSON Lines' },
  downloadAs: (format) => `Descargar como ${format}`,
  partialAs: (ended, all, format) =>
    `Lo terminado hasta ahora (${ended.toLocaleString('es-MX')} de ${all.toLocaleString('es-MX')}) como ${format}`,
};
