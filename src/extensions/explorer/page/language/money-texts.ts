import { spanishEnums } from '../../../../identifiers/text';
import { formatDate, formatNumber, isSpanish, say } from './language';

const formatDay = (day: string, format: Intl.DateTimeFormatOptions): string =>
  formatDate(`${day}T12:00:00Z`, { ...format, timeZone: 'UTC' });

const monthName = (month: string): string => formatDay(`${month}-15`, { month: 'long', year: 'numeric' });

export const unitWord = (count: number): string => (count === 1 ? say('unit', 'unidad') : say('units', 'unidades'));
export const unitCount = (count: number): string => `${formatNumber(count)} ${unitWord(count)}`;

export const priceTexts = {
  label: (words: string) => say(`Price: ${words}`, `Precio: ${words}`),
  loading: say('Calculating the price…', 'Calculando el precio…'),
  unknown: (reason: string) => say(`Not available. ${reason}`, `No disponible. ${reason}`),
  aboveBudget: (words: string, budget: number) =>
    say(`${words}, above the budget of ${budget}`, `${words}, por encima del presupuesto de ${budget}`),
  unbounded: (units: string) =>
    say(`About ${units}, without an upper limit`, `Alrededor de ${units}, sin límite máximo`),
  atMost: (units: string) => say(`${units} at most`, `${units} como máximo`),
  free: say('Free', 'Gratis'),
  notPermitted: (units: string) =>
    say(`You may not run it. With permission: ${units}`, `Usted no puede ejecutarla. Con permiso: ${units}`),
  withPermission: say('with permission', 'con permiso'),
  headersUnread: say('The headers are not valid JSON.', 'Los encabezados no son JSON válido.'),
  variablesUnread: say('The variables are not valid JSON.', 'Las variables no son JSON válido.'),
  needs: (names: readonly string[]) =>
    `${say('Enter a value for', 'Indique un valor para')} ${names.map((name) => `$${name}`).join(', ')}.`,
  missing: say('The graph did not return a price.', 'El grafo no devolvió un precio.'),
  emptyDocument: say('The document is empty.', 'El documento está vacío.'),
  noOperation: say('The document contains no operation.', 'El documento no contiene ninguna operación.'),
  unparsed: say('The document has a syntax error.', 'El documento tiene un error de sintaxis.'),
};

const states: Readonly<Record<string, string>> = {
  OPERATIONAL: say('Operational', 'En servicio'),
  DEGRADED: say('Degraded', 'Con fallas'),
  PAUSED: say('Paused for a moment', 'En pausa por un momento'),
  SESSION_NEEDED: say('The account needs a session with the portal', 'La cuenta necesita una sesión con el portal'),
  UNKNOWN: say('Few recent calls', 'Pocas consultas recientes'),
};

export const moneyTexts = {
  availability: (state: string, medianMs: number | null) =>
    `${states[state] ?? state}${medianMs === null ? '' : ` · ${formatNumber(medianMs)} ms`}`,
  before: say('Before the run', 'Antes de ejecutar'),
  last: say('Last run', 'Última ejecución'),
  fieldAndEndpoint: say('Field, endpoint', 'Campo, endpoint'),
  calls: say('Calls', 'Consultas'),
  units: say('Units', 'Unidades'),
  outcome: say('Outcome', 'Resultado'),
  unbounded: say(
    'The price has no upper limit, because a list of unknown length contains a paid field. The estimate assumes two receipts a month, the usual number, but a month may have more. To limit the spending, set the header x-max-units.',
    'El precio no tiene límite máximo, porque una lista de longitud desconocida contiene un campo con costo. El cálculo supone dos comprobantes por mes, que es lo usual, pero un mes puede tener más. Para limitar el gasto, use el encabezado x-max-units.',
  ),
  notSentAbout: say('These calls will not be sent and cost nothing:', 'Estas consultas no se harán y no cuestan nada:'),
  notSent: say('Not sent', 'Sin enviar'),
  balance: (balance: string, sufficient: boolean | null) =>
    say(
      `The account has ${balance} units${sufficient === false ? ', which is not enough.' : '.'}`,
      `La cuenta tiene ${balance} unidades${sufficient === false ? ', que no son suficientes.' : '.'}`,
    ),
  notRunYet: say('Run the operation to see its actual cost.', 'Ejecute la operación para ver su costo real.'),
  nothingSpent: say(
    'The operation called no registry and spent nothing.',
    'La operación no llamó a ningún registro y no gastó nada.',
  ),
  /** The words after a number of units. */
  spent: (units: number) =>
    say(`${unitWord(units)} spent`, `${unitWord(units)} ${units === 1 ? 'gastada' : 'gastadas'}`),
  saved: (units: number) => say('saved', units === 1 ? 'ahorrada' : 'ahorradas'),
  uncertain: say('uncertain', 'por aclarar'),
  left: (units: number) => say('left', units === 1 ? 'disponible' : 'disponibles'),
  uncertainAbout: (units: string) =>
    say(
      `Calls without a usable response may have cost up to ${units}. The service's statement shows the actual charge.`,
      `Las consultas sin respuesta utilizable pueden haber costado hasta ${units}. El estado de cuenta del servicio muestra el cargo real.`,
    ),
  callList: say('Registry calls and reused answers', 'Consultas a los registros y respuestas reutilizadas'),
  outcomes: (isSpanish ? spanishEnums.LookupOutcome : {}) as Readonly<Record<string, string>>,
  stillRunning: say('still running', 'en curso'),
  servedFrom: {
    LIVE: say('live', 'consulta nueva'),
    REPLAY: say('reused', 'respuesta reutilizada'),
    KEPT: say('kept', 'respuesta guardada'),
    SANDBOX: say('sandbox mode', 'modo de pruebas'),
    NOT_SENT: say('not sent', 'no enviada'),
  } as Readonly<Record<string, string>>,
};

const groupNames = { client: say('client', 'cliente'), tag: say('tag', 'etiqueta'), endpoint: 'endpoint' };
type Group = keyof typeof groupNames;

export const ledgerTexts = {
  title: say('Ledger', 'Libro de consumo'),
  amounts: say('Amounts are in pesos (MXN).', 'Los importes están en pesos (MXN).'),
  spentToday: (units: number) => `${moneyTexts.spent(units)} ${say('today', 'hoy')}`,
  savedToday: (units: number) => `${unitWord(units)} ${moneyTexts.saved(units)} ${say('today', 'hoy')}`,
  unsettled: say('unsettled', 'por aclarar'),
  readAt: (date: Date, timeZone: string) =>
    `${say('Updated at', 'Actualizado a las')} ${formatDate(date, { timeStyle: 'short', timeZone })}`,
  chart: say('Units by day', 'Unidades por día'),
  byEndpoint: say('Units by endpoint', 'Unidades por endpoint'),
  day: (day: string) => formatDay(day, { month: 'short', day: 'numeric' }),
  nothing: say('Nothing was spent in the last two weeks.', 'No se gastó nada en las últimas dos semanas.'),
  off: say(
    'The ledger is off. The operator can turn it on with DATA_DIR or DATABASE_URL.',
    'El libro de consumo está desactivado. El operador puede activarlo con DATA_DIR o DATABASE_URL.',
  ),
  scopeNeeded: say(
    'This token names no client and lacks the scope padron_ledger, so it cannot see any calls. Use a token with that scope.',
    'Este token no nombra ningún cliente ni tiene el permiso padron_ledger, por lo que no puede ver consultas. Use un token con ese permiso.',
  ),
  limitedTo: (client: string) =>
    say(
      `You only see the calls of the client ${client}. To see the whole account, use a token with the scope padron_ledger.`,
      `Solo ve las consultas del cliente ${client}. Para ver toda la cuenta, use un token con el permiso padron_ledger.`,
    ),
  unread: (reason: string) =>
    say(`The ledger cannot be read: ${reason}`, `No se puede leer el libro de consumo: ${reason}`),
  download: say('Download all as CSV', 'Descargar todo como CSV'),
  downloadMonth: (month: string) =>
    say(`Download ${monthName(month)} as CSV`, `Descargar ${monthName(month)} como CSV`),
  budgets: {
    title: say('Budgets', 'Presupuestos'),
    none: say(
      'None. setRegistryBudget sets a budget and needs a token with the scope padron_budgets.',
      'Ninguno. setRegistryBudget define un presupuesto y necesita un token con el permiso padron_budgets.',
    ),
    scopeNeeded: say(
      'This token names no client and lacks the scope padron_budgets or padron_ledger, so it cannot see budgets.',
      'Este token no nombra ningún cliente ni tiene el permiso padron_budgets o padron_ledger, por lo que no puede ver presupuestos.',
    ),
    account: say('Whole account', 'Toda la cuenta'),
    scope: (group: Group, name: string) => `${groupNames[group]} ${name}`,
    per: { DAY: say('per day', 'por día'), MONTH: say('per month', 'por mes') },
    used: (units: number, share: string) =>
      say(`${unitCount(units)} used (${share})`, `Gastadas: ${formatNumber(units)} (${share.replace('%', '\u00A0%')})`),
    uncertain: (units: number) =>
      say(`, ${unitCount(units)} reserved or uncertain`, `. Apartadas o por aclarar: ${formatNumber(units)}`),
    left: (units: string) => say(`${units} left.`, `Disponible: ${units}.`),
    noCalls: say('No call yet.', 'Aún sin consultas.'),
    resets: (date: string, timeZone: string) =>
      `${say('Resets on', 'Se renueva el')} ${formatDate(date, { dateStyle: 'long', timeZone })}.`,
  },
  events: {
    title: say('Failed events', 'Eventos fallidos'),
    attempts: (count: number, status: number | null) =>
      status === null
        ? say(`Attempts: ${count}. The receiver did not answer.`, `Intentos: ${count}. El receptor no respondió.`)
        : say(
            `Attempts: ${count}. The receiver answered ${status}.`,
            `Intentos: ${count}. El receptor respondió ${status}.`,
          ),
    resend: say(
      'The receiver at WEBHOOK_URL did not accept them. To send an event again, use resendRegistryEvent.',
      'El receptor en WEBHOOK_URL no los aceptó. Para reenviar un evento, use resendRegistryEvent.',
    ),
  },
  months: {
    title: say('Spend by month', 'Gasto por mes'),
    choose: say('Month', 'Mes'),
    name: monthName,
    soFar: (month: string) => `${monthName(month)} ${say('(so far)', '(hasta hoy)')}`,
    short: (month: string) => formatDay(`${month}-15`, { month: 'short', year: 'numeric' }),
    total: 'Total',
    uncertain: say('Uncertain, in addition', 'Además, por aclarar'),
    saved: say('Saved', 'Ahorrado'),
    by: (group: Group) => `${say('By', 'Por')} ${groupNames[group]}`,
    without: (group: Group) => `${say('No', 'Sin')} ${groupNames[group]}`,
    hidden: (count: number) =>
      say(`and ${formatNumber(count)} more: see padron spend`, `y ${formatNumber(count)} más: consulte padron spend`),
  },
  settling: {
    about: (calls: string, units: string) =>
      say(
        `${calls} may have cost up to ${units}, because no usable response arrived.`,
        `${calls} sin respuesta utilizable: el costo puede ser de hasta ${units}.`,
      ),
    show: (calls: number) =>
      calls === 1
        ? say('Show the call and how to settle it', 'Ver la consulta y cómo conciliarla')
        : say('Show the calls and how to settle them', 'Ver las consultas y cómo conciliarlas'),
    list: say('Unsettled calls', 'Consultas por aclarar'),
    time: (date: string, timeZone: string) => formatDate(date, { dateStyle: 'medium', timeStyle: 'short', timeZone }),
    hidden: (count: number) =>
      say(`and ${formatNumber(count)} older calls`, `y ${formatNumber(count)} consultas anteriores`),
    byStatement: say(
      "If the service's statement has sums by endpoint, this command compares it with the ledger, and settles the calls if all or none of those of an endpoint were charged:",
      'Si el estado de cuenta del servicio tiene sumas por endpoint, este comando lo compara con el libro de consumo y concilia las consultas de un endpoint si todas o ninguna se cobraron:',
    ),
    byCall: say(
      'If it lists single calls, find each one by its time and settle it with a mutation. The token needs the scope padron_ledger_settle.',
      'Si enumera cada consulta, búsquela por su hora y concíliela con una mutación. El token necesita el permiso padron_ledger_settle.',
    ),
    open: say('Open the mutation in a tab', 'Abrir la mutación en una pestaña'),
  },
};
