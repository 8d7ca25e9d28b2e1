import { formatCount, formatDate, formatNumber, say } from '../../explorer/page/language/language';

const rows = (count: number): string => formatCount(count, say('row', 'fila'), say('rows', 'filas'));

export const batchTexts = {
  title: say('Batch', 'Lotes'),
  intro: say(
    'Runs the operation of the open tab for each row of a file. padron calculates the price first and spends nothing until you start the batch.',
    'Este panel ejecuta la operación de la pestaña abierta para cada fila de un archivo. padron calcula primero el precio y no gasta nada hasta que usted inicie el lote.',
  ),
  create: say('New batch', 'Nuevo lote'),
  purpose: say('Purpose', 'Finalidad'),
  noPurpose: say('Without a purpose', 'Sin finalidad'),
  choosePurpose: say('Choose…', 'Elija…'),
  purposeNeeded: say('Choose the purpose before the file.', 'Elija la finalidad antes del archivo.'),
  operation: say('Operation', 'Operación'),
  columnsAbout: (names: readonly string[]) =>
    say(
      `Columns are matched to the variables by name or usual Spanish heading: ${names.join(', ')}. A column named ref contains labels for the rows.`,
      `Una columna llena la variable de su mismo nombre o de su encabezado usual, como «Núm. Seguro Social»: ${names.join(', ')}. Una columna llamada ref contiene etiquetas para las filas.`,
    ),
  columnsOf: (name: string) => say(`Columns of ${name}`, `Columnas de ${name}`),
  sheet: say('Sheet', 'Hoja'),
  readAs: (encoding: string) =>
    say(`The file is not UTF-8. It was read as ${encoding}.`, `El archivo no está en UTF-8. Se leyó como ${encoding}.`),
  headerAt: (line: number) =>
    say(
      `The header is line ${line}. The lines above it were skipped.`,
      `El encabezado es la línea ${line}. Las líneas anteriores se omitieron.`,
    ),
  chooseColumns: say('Choose other columns', 'Elegir otras columnas'),
  chooseBelow: say(
    'Select below which variable each column fills, and read the file again.',
    'Elija abajo qué variable llena cada columna y lea el archivo de nuevo.',
  ),
  validValues: (valid: number, filled: number) =>
    `${formatNumber(valid)} ${say('of', 'de')} ${formatNumber(filled)} ${say('values are valid', 'valores son válidos')}`,
  barredFields: (fields: readonly string[]) =>
    say(
      `A batch cannot run this operation, because the service does not allow these fields in batches: ${fields.join(', ')}.`,
      `Un lote no puede ejecutar esta operación, porque el servicio no permite estos campos en lotes: ${fields.join(', ')}.`,
    ),
  runnable: say('Open tabs that a batch can run:', 'Pestañas abiertas que un lote puede ejecutar:'),
  moment: (date: string) => {
    const day = formatDate(date, { dateStyle: 'medium' });
    const isToday = new Date(date).toDateString() === new Date().toDateString();
    return `${isToday ? say('today', 'hoy') : say(`on ${day}`, `el ${day}`)} ${say('at', 'a las')} ${formatDate(date, { timeStyle: 'short' })}`;
  },
  alreadyRan: (when: string, state: string, done: number, all: number) =>
    say(
      `this file already ran with this operation ${when} (${state.toLowerCase()}): ${formatNumber(done)} of ${rows(all)} done.`,
      `este archivo ya se ejecutó con esta operación ${when} (${state.toLowerCase()}): ${formatNumber(done)} de ${rows(all)} hechas.`,
    ),
  openBatch: say('Open the batch', 'Abrir el lote'),
  openResults: say('Open the results', 'Abrir los resultados'),
  runAgain: (units: string | null) =>
    `${say('Run again', 'Ejecutar de nuevo')}${units === null ? '' : ` ${say('for', 'por')} ${units}`}`,
  readAgain: say('Read the file with these columns', 'Leer el archivo con estas columnas'),
  cancelChoice: say('Discard the file', 'Descartar el archivo'),
  noVariables: say(
    'The operation has no variables, so every row would send the same request. Open a tab whose operation has variables.',
    'La operación no tiene variables, por lo que cada fila enviaría la misma solicitud. Abra una pestaña cuya operación tenga variables.',
  ),
  unparsed: say('The open tab has no valid operation.', 'La pestaña abierta no tiene una operación válida.'),
  notAQuery: say(
    'A batch can only run queries. Open another tab.',
    'Un lote solo puede ejecutar consultas. Abra otra pestaña.',
  ),
  choose: say('Choose an Excel (.xlsx), CSV or JSON Lines file', 'Elija un archivo de Excel (.xlsx), CSV o JSON Lines'),
  drop: say('or drop it here', 'o suéltelo aquí'),
  example: (people: number) => say(`Use ${people} people from the sandbox`, `Usar ${people} personas del sandbox`),
  sending: (name: string) => say(`Sending ${name}…`, `Enviando ${name}…`),
  notTaken: (reason: string) => say(`The file was rejected: ${reason}`, `El archivo fue rechazado: ${reason}`),
  list: say('Batches of this account', 'Lotes de esta cuenta'),
  noBatches: say('None yet.', 'Todavía no hay ninguno.'),
  back: say('All batches', 'Todos los lotes'),
  missing: say('This account no longer has this batch.', 'Esta cuenta ya no tiene este lote.'),
  unnamed: say('Unnamed', 'Sin nombre'),
  expires: (date: string) =>
    `${say('Will be erased on', 'Se borrará el')} ${formatDate(date, { dateStyle: 'medium' })}.`,
  created: (date: string) => formatDate(date, { dateStyle: 'medium', timeStyle: 'medium' }),
  client: (name: string) => say(`Client ${name}`, `Cliente ${name}`),
  off: say(
    'Batches are off. The operator can turn them on with DATA_DIR or DATABASE_URL.',
    'Los lotes están desactivados. El operador puede activarlos con DATA_DIR o DATABASE_URL.',
  ),
  unread: (reason: string) => say(`The batches cannot be read: ${reason}`, `No se pueden leer los lotes: ${reason}`),
  notStartable: say('Cannot be started', 'No se puede iniciar'),
  states: {
    WAITING_FOR_ROWS: say('Waiting for rows', 'En espera de filas'),
    PRICING: say('Calculating the price…', 'Calculando el precio…'),
    READY: say('Ready to start', 'Listo para iniciar'),
    RUNNING: say('Running', 'En marcha'),
    PAUSED: say('Paused', 'En pausa'),
    DONE: say('Done', 'Terminado'),
    CANCELED: say('Canceled', 'Cancelado'),
    ERASED: say('Erased', 'Borrado'),
  },
  rows,
  datasetAndPrice: say('Dataset and price', 'Datos y precio'),
  dataset: say('Dataset', 'Datos'),
  column: say('Column', 'Columna'),
  variable: 'Variable',
  label: say('label of the row', 'etiqueta de la fila'),
  fullName: say('name (compared)', 'nombre (se compara)'),
  unused: say('not used, not compared', 'no se usa, no se compara'),
  refused: (count: number) =>
    say(
      `${rows(count)} rejected; the others will run`,
      `${rows(count)} ${count === 1 ? 'rechazada' : 'rechazadas'}; las demás se ejecutarán`,
    ),
  lines: (count: number, lines: string) => `${count === 1 ? say('Line', 'Línea') : say('Lines', 'Líneas')} ${lines}`,
  more: (count: number) => say(`and ${formatNumber(count)} more`, `y ${formatNumber(count)} más`),
  price: say('Price', 'Precio'),
  priceAtMost: (units: string, taken: number) =>
    say(`${units} at most, for ${rows(taken)}`, `${units} como máximo, por ${rows(taken)}`),
  priceAbout: (units: string, taken: number) =>
    say(`About ${units}, for ${rows(taken)}`, `Alrededor de ${units}, por ${rows(taken)}`),
  unbounded: say(
    'Lists of unknown length may cost more, but the batch never spends more than the limit.',
    'Las listas de longitud desconocida pueden costar más, pero el lote nunca gasta más que el límite.',
  ),
  invalidRows: (count: number) =>
    count === 1
      ? say(
          '1 row has an invalid value. The calls that need it are not sent and cost nothing, and the row fails.',
          '1 fila tiene un dato no válido. Las consultas que lo necesitan no se envían ni cuestan, y la fila falla.',
        )
      : say(
          `${rows(count)} have an invalid value. The calls that need it are not sent and cost nothing, and the rows fail.`,
          `${rows(count)} tienen un dato no válido. Las consultas que lo necesitan no se envían ni cuestan, y esas filas fallan.`,
        ),
  invalidValues: (count: number) => `${formatNumber(count)} ${say('with an invalid value', 'con un dato no válido')}`,
  disallowedEndpoints: say(
    'The service does not allow these endpoints in batches. Remove their fields from the operation and send the file again:',
    'El servicio no permite estos endpoints en lotes. Quite sus campos de la operación y envíe de nuevo el archivo:',
  ),
  ceiling: say('Limit in units', 'Límite en unidades'),
  ceilingAbout: say(
    'The batch never spends more than this. Calls that could exceed it are not sent.',
    'El lote nunca gasta más que esto. No se hace ninguna consulta que pueda rebasarlo.',
  ),
  earlier: (count: number, names: string, when: string) =>
    say(
      `${formatCount(count, 'question was', 'questions were')} answered in earlier batches (${names}), the latest ${when}.`,
      `${formatCount(count, 'consulta ya se respondió', 'consultas ya se respondieron')} en otros lotes (${names}); la última, ${when}.`,
    ),
  startWith: {
    USE: (units: string) => say(`Start with these answers: ${units}`, `Iniciar con esas respuestas: ${units}`),
    PAY_AGAIN: (units: string) => say(`Start and pay again: ${units}`, `Iniciar y pagar de nuevo: ${units}`),
  },
  start: say('Start', 'Iniciar'),
  pause: say('Pause', 'Pausar'),
  resume: say('Resume', 'Continuar'),
  cancel: say('Cancel', 'Cancelar'),
  cancelAbout: say(
    'Ends the batch permanently. The results so far are kept.',
    'Termina el lote definitivamente. Los resultados obtenidos se conservan.',
  ),
  erase: say('Erase', 'Borrar'),
  eraseAbout: say(
    'Destroys the key of the dataset and the results. This cannot be undone.',
    'Destruye la llave de los datos y los resultados. No se puede deshacer.',
  ),
  wouldFailAgain: (count: number) =>
    count === 1
      ? say(
          '1 failed row would fail again with the same data. Correct it in the file and create a new batch.',
          '1 fila con fallo volvería a fallar con los mismos datos. Corríjala en el archivo y cree un lote nuevo.',
        )
      : say(
          `${rows(count)} that failed would fail again with the same data. Correct them in the file and create a new batch.`,
          `${rows(count)} con fallo volverían a fallar con los mismos datos. Corríjalas en el archivo y cree un lote nuevo.`,
        ),
  retryFailed: (count: number) =>
    say(`Retry ${formatCount(count, 'failed row', 'failed rows')}`, `Reintentar ${rows(count)} con fallo`),
  retryUnknown: (count: number) =>
    say(`Retry ${formatCount(count, 'unknown row', 'unknown rows')}`, `Reintentar ${rows(count)} por aclarar`),
  retryUnknownAbout: (units: string) =>
    say(`Up to ${units} may be charged a second time.`, `Es posible que se cobren otra vez hasta ${units}.`),
  sure: (action: string) => `${say('Yes', 'Sí')}, ${action.charAt(0).toLowerCase()}${action.slice(1)}`,
  keep: 'No',
  notDone: (reason: string) => say(`The action failed: ${reason}`, `La acción falló: ${reason}`),
  progress: say('Progress', 'Avance'),
  progressOf: (ended: number, all: number) => `${formatNumber(ended)} ${say('of', 'de')} ${rows(all)}`,
  pace: (rowsPerMinute: number) => `${rows(rowsPerMinute)} ${say('per minute', 'por minuto')}`,
  left: (seconds: number) => {
    const time = seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
    return say(`${time} left`, `${seconds === 1 ? 'falta' : 'faltan'} ${time}`);
  },
  pausedUntil: (date: string) => `${say('You can resume it', 'Puede continuarlo')} ${batchTexts.moment(date)}.`,
  pausedByYou: say('Paused by the caller.', 'En pausa a petición del usuario.'),
  pausedFor: (reason: string) => say(`Paused: ${reason}`, `En pausa: ${reason}`),
  done: say('done', 'hechas'),
  failed: say('failed', 'con fallo'),
  unknown: say('unknown', 'por aclarar'),
  waiting: say('waiting', 'en espera'),
  canceled: say('canceled', 'canceladas'),
  erased: say('erased', 'suprimidas'),
  doubtful: (count: number) =>
    count === 1
      ? say('1 row done may be about another person', '1 fila hecha puede ser de otra persona')
      : say(`${rows(count)} done may be about other people`, `${rows(count)} hechas pueden ser de otra persona`),
  doubtfulAbout: (count: number) =>
    `${batchTexts.doubtful(count)}${say(
      ': their answers contradict the data of your file. Compare them before you use them.',
      ': la respuesta contradice los datos del archivo. Compárelos antes de usarla.',
    )}`,
  failures: say('Rows by problem', 'Filas por problema'),
  problem: say('Problem', 'Problema'),
  rowsColumn: say('Rows', 'Filas'),
  failuresOf: (count: number) =>
    say(
      `Only the first ${rows(count)} with a problem are counted here. The download contains all of them.`,
      `Aquí solo se cuentan las primeras ${rows(count)} con un problema. La descarga las contiene todas.`,
    ),
  rowLine: (line: number) => `${say('line', 'línea')} ${line}`,
  results: say('Results', 'Resultados'),
  resultsAbout: say(
    'The table has the columns of your file first, then the state, the problem and the answers. Excel removes leading zeros when it opens CSV, so use the workbook in Excel.',
    'La tabla tiene primero las columnas de su archivo y después el estado, el problema y las respuestas. Excel quita los ceros iniciales al abrir un CSV: para Excel, descargue el libro (.xlsx).',
  ),
  formats: { xlsx: 'Excel', csv: 'CSV', jsonl: 'JSON Lines' },
  downloadAs: (format: string) => say(`Download as ${format}`, `Descargar como ${format}`),
  partialAs: (ended: number, all: number, format: string) =>
    say(
      `Finished so far (${formatNumber(ended)} of ${formatNumber(all)}) as ${format}`,
      `Lo terminado hasta ahora (${formatNumber(ended)} de ${formatNumber(all)}) como ${format}`,
    ),
};
