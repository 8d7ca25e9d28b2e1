import { batchSpanish } from './batch-spanish';
import type { ledgerEnglish, Texts } from './english';

const date = (day: string, format: Intl.DateTimeFormatOptions): string =>
  new Date(`${day}T12:00:00Z`).toLocaleDateString('es-MX', { ...format, timeZone: 'UTC' });

const monthName = (month: string): string => date(`${month}-15`, { month: 'long', year: 'numeric' });

const ledgerSpanish: typeof ledgerEnglish = {
  title: 'Libro de consumo',
  amounts: 'Los importes están en pesos (MXN).',
  spentToday: 'gastado hoy',
  unsettled: 'sin conciliar',
  chart: 'Unidades por día',
  byEndpoint: 'Unidades por endpoint',
  day: (day) => date(day, { month: 'short', day: 'numeric' }),
  nothing: 'No se gastó nada en las últimas dos semanas.',
  off: 'El libro de consumo está desactivado. El operador puede activarlo con LEDGER=on.',
  noToken: 'Falta el token o no es válido. Escriba {"authorization": "Bearer …"} en el panel Headers.',
  scopeNeeded:
    'Este token no nombra ningún cliente ni tiene el permiso padron_ledger, por lo que no puede ver llamadas. Use un token con ese permiso.',
  limitedTo: (client) =>
    `Solo ve las llamadas del cliente ${client}. Para ver toda la cuenta, use un token con el permiso padron_ledger.`,
  unknown: (reason) => `No se puede leer el libro de consumo: ${reason}`,
  download: 'Descargar todo como CSV',
  downloadMonth: (month) => `Descargar ${monthName(month)} como CSV`,
  budgets: {
    title: 'Presupuestos',
    none: 'Ninguno. setRegistryBudget define un presupuesto y necesita un token con el permiso padron_budgets.',
    scopeNeeded:
      'Este token no nombra ningún cliente ni tiene el permiso padron_budgets o padron_ledger, por lo que no puede ver presupuestos.',
    account: 'Toda la cuenta',
    client: (client) => `cliente ${client}`,
    tag: (tag) => `etiqueta ${tag}`,
    per: {
      DAY: (units, amount) => `${units}${amount} por día`,
      MONTH: (units, amount) => `${units}${amount} por mes`,
    },
    used: (units, share) => `Uso: ${units} (${share})`,
    uncertain: (units) => `reservado o incierto: ${units}`,
    left: (units, amount) => `Disponible: ${units}${amount}.`,
    noCalls: 'Aún sin llamadas.',
    resets: (moment, timeZone) =>
      `Se renueva el ${moment.toLocaleDateString('es-MX', { dateStyle: 'long', timeZone })}.`,
  },
  months: {
    title: 'Gasto por mes',
    choose: 'Mes',
    name: monthName,
    soFar: (month) => `${monthName(month)} (hasta hoy)`,
    short: (month) => date(`${month}-15`, { month: 'short', year: 'numeric' }),
    total: 'Total',
    uncertain: 'Incierto, además',
    by: { client: 'Por cliente', tag: 'Por etiqueta', endpoint: 'Por endpoint' },
    without: { client: 'Sin cliente', tag: 'Sin etiqueta', endpoint: 'Sin endpoint' },
    hidden: (count) => `y ${count.toLocaleString('es-MX')} más: consulte padron spend`,
  },
  settling: {
    about: (calls, units) => `${calls} sin respuesta utilizable: el costo puede ser de hasta ${units}.`,
    show: (calls) => (calls === 1 ? 'Ver la llamada y cómo conciliarla' : 'Ver las llamadas y cómo conciliarlas'),
    list: 'Llamadas sin conciliar',
    time: (moment, timeZone) => moment.toLocaleString('es-MX', { dateStyle: 'medium', timeStyle: 'short', timeZone }),
    hidden: (count) => `y ${count.toLocaleString('es-MX')} llamadas anteriores`,
    byStatement:
      'Si el estado de cuenta del servicio tiene sumas por endpoint, este comando lo compara con el libro de consumo y concilia las llamadas que coinciden:',
    byCall:
      'Si enumera llamadas individuales, busque cada una por su hora y concíliela con una mutación. El token necesita el permiso padron_ledger_settle.',
    open: 'Abrir la mutación en una pestaña',
  },
};

const count = (bytes: number): string => `${bytes.toLocaleString('es-MX')} bytes`;

const pesos = new Intl.NumberFormat('es-MX', {
  style: 'currency',
  currency: 'MXN',
  currencyDisplay: 'narrowSymbol',
  maximumFractionDigits: 6,
});

const graphiqlPanels: Readonly<Record<string, string>> = {
  'Documentation Explorer': 'Documentación',
  'GraphiQL Explorer': 'Campos',
};

/** Spanish texts of the explorer. They address the reader as *usted*. */
export const spanish: Texts = {
  skipToRun: 'Ir a Ejecutar',
  otherLanguage: 'English',
  switchLanguage: 'Show the explorer in English',
  closeTab: (title) => `Cerrar ${title}`,
  close: 'Cerrar',
  togglePanel: (panel, isVisible) => `${isVisible ? 'Ocultar' : 'Mostrar'} ${graphiqlPanels[panel] ?? panel}`,
  closePanel: (panel) => `Cerrar el panel ${graphiqlPanels[panel] ?? panel}`,
  tabs: 'Operaciones abiertas',
  allTabs: (count) => (count === 1 ? '1 pestaña' : `${count} pestañas`),
  sideBar: 'Paneles',
  operationKind: 'Tipo de operación por agregar',
  invented: 'Respuestas inventadas',
  inventedAbout: {
    'embedded-sandbox':
      'Las respuestas vienen del sandbox incluido. Todas las personas son inventadas y no se gastan sus unidades.',
    'remote-sandbox':
      'Las respuestas vienen de un sandbox independiente. Todas las personas son inventadas y no se gastan sus unidades.',
  },
  persistence:
    'Las operaciones se conservan al recargar la página, sin los valores que contienen, hasta que cierre esta pestaña. Las variables, los encabezados y las respuestas no se guardan.',
  token: {
    name: 'Token',
    use: 'Usar',
    replace: 'Cambiar',
    needed: 'Escriba su token. Con él se carga el esquema, y lo usan todas las pestañas.',
    entered: 'Todas las pestañas usan su token, menos las que tienen otro en Headers.',
    refused: 'El servidor no aceptó este token. Escriba otro.',
    forget: 'Olvidar el token',
  },
  persistenceWithToken:
    'Su token se conserva hasta que cierre esta pestaña del navegador, para que pueda recargar la página. Las operaciones también se conservan, sin los valores que contienen. Las variables, los demás encabezados y las respuestas no se guardan.',
  copyAs: 'Copiar como',
  copyLink: 'Copiar enlace',
  linkCopied: 'Enlace copiado. Abre esta operación sin variables, sin encabezados y sin los valores que contiene.',
  linkNotCopied: 'No se copió: el documento tiene un error de sintaxis.',
  linkIgnored:
    'El enlace no tiene una operación válida, por lo que se ignoró. Copie de nuevo el enlace, o copie la operación.',
  copied: 'copiado',
  notCopied: 'sin copiar',
  copiedAs: (form) => `Copiado como ${form}.`,
  copiedWithoutToken: (form) => `Copiado como ${form}, con marcadores en lugar de los datos secretos.`,
  notCopiedAs: 'No se copió: el navegador no lo permitió.',
  forms: { curl: 'curl', fetch: 'fetch', hook: 'hook de Apollo', urql: 'hook de urql' },
  oneDocument: '1 documento',
  documents: (documents) => `${documents} documentos`,
  settingsUnread: (status) => `No se pudo cargar la configuración del explorador (HTTP ${status}).`,
  reload: 'Recargue la página cuando padron esté funcionando de nuevo.',
  notSent: (reason) => `La solicitud falló (${reason}). ¿Está funcionando padron?`,
  noGraphql: (status) => `El servidor respondió HTTP ${status} sin una respuesta de GraphQL.`,
  fileMissing: (paths) =>
    `No se envió: falta adjuntar el archivo de ${paths.join(' y ')}. Adjúntelo en el panel Archivos.`,
  truncated: (bytes) => `${count(bytes)}: véalos o guárdelos en el panel Archivos`,
  bytes: count,
  panels: { money: 'Dinero', batch: 'Lotes', files: 'Archivos', sandbox: 'Sandbox', glossary: 'Glosario' },
  sandbox: {
    intro: 'Todas las personas son inventadas y no se gastan sus unidades.',
    howTo:
      'Haga clic en un nombre para llenar las variables de la operación abierta, o en un identificador para copiarlo.',
    search: 'Buscar en el sandbox',
    searchExample: 'Nombre, NSS, CURP, crédito, rate-limited…',
    identifiers: {
      nss: 'NSS',
      curp: 'CURP',
      rfc: 'RFC',
      registration: 'registro patronal',
      number: 'cédula',
      folio: 'certificado',
      paternalSurname: 'apellido paterno',
      token: 'token',
    },
    people: 'Personas',
    employers: 'Patrones',
    tokens: 'Tokens',
    tokensAbout: 'Para el encabezado authorization.',
    cards: 'Tarjetas de prueba',
    cardsAbout: 'El servicio falla con estos identificadores.',
    fillIn: (title) => `Llenar con ${title}`,
    filled: (names) => `Variables llenadas: ${names.join(', ')}.`,
    noPlace: 'La operación abierta no tiene variables para estos identificadores.',
    unreadable: 'Las variables no son JSON válido, por lo que no se llenó nada.',
    copy: (name, value) => `Copiar ${name} ${value}`,
  },
  units: (units) => (units === 1 ? '1 unidad' : `${units.toLocaleString('es-MX')} unidades`),
  pesos: (amount) => pesos.format(amount as `${number}`),
  unitWord: (units) => (units === 1 ? 'unidad' : 'unidades'),
  calls: (calls) => (calls === 1 ? '1 llamada' : `${calls} llamadas`),
  replays: (answers) => (answers === 1 ? '1 respuesta reutilizada' : `${answers} respuestas reutilizadas`),
  price: {
    label: (words) => `Precio: ${words}`,
    loading: 'Calculando el precio…',
    unknown: (reason) => `No disponible. ${reason}`,
    aboveBudget: (words, budget) => `${words}, por encima del presupuesto de ${budget}`,
    unbounded: (units) => `Alrededor de ${units}, sin límite máximo`,
    atMost: (units) => `${units} como máximo`,
    free: 'Gratis',
    headersUnread: 'Los encabezados no son JSON válido.',
    variablesUnread: 'Las variables no son JSON válido.',
    needs: (names) => `Indique un valor para ${names.map((name) => `$${name}`).join(', ')}.`,
    missing: 'El grafo no devolvió un precio.',
    emptyDocument: 'El documento está vacío.',
    noOperation: 'El documento no contiene ninguna operación.',
    unparsed: 'El documento tiene un error de sintaxis.',
  },
  errors: {
    overBudget: (units, budget) =>
      `La operación puede costar ${units}, pero su presupuesto es de ${budget}. No se hizo ninguna llamada.`,
    rejectedVariable: (variable, type) =>
      `La variable ${variable} se rechaza, porque su valor no es de tipo ${type}. No se hará ninguna llamada.`,
    byCode: {
      UNAUTHENTICATED: 'Falta el token, o no es válido.',
      FORBIDDEN: 'El token no tiene el permiso necesario.',
      GRAPHQL_VALIDATION_FAILED: 'El documento no corresponde al esquema: el editor subraya los errores.',
      GRAPHQL_PARSE_FAILED: 'El documento tiene un error de sintaxis.',
      OVERLOADED: 'Hay demasiadas solicitudes en este momento. Inténtelo de nuevo en unos segundos.',
      SHUTTING_DOWN: 'El servidor se está reiniciando. Inténtelo de nuevo en un momento.',
      OPERATION_TOO_LARGE: 'La operación es demasiado grande. Pida menos a la vez.',
      PAYLOAD_TOO_LARGE: 'La solicitud es demasiado grande. Envíe menos a la vez.',
      INTERNAL_SERVER_ERROR: 'padron falló. Inténtelo de nuevo y, si vuelve a ocurrir, avise a su operador.',
    },
  },
  answerWithin: {
    label: 'Tiempo de espera de los registros',
    about:
      'Cuánto espera la respuesta a los registros. Después se muestra de nuevo conforme contestan. Se paga una sola vez.',
    all: 'todos',
  },
  money: {
    before: 'Antes de ejecutar',
    last: 'Última ejecución',
    fieldAndEndpoint: 'Campo, endpoint',
    calls: 'Llamadas',
    units: 'Unidades',
    unbounded:
      'El precio no tiene límite máximo, porque una lista de longitud desconocida contiene un campo con costo. El cálculo supone dos comprobantes por mes, que es lo usual, pero un mes puede tener más. Para limitar el gasto, use el encabezado x-max-units.',
    notSentAbout: 'Estas llamadas no se enviarán y no cuestan nada:',
    notSent: 'Sin enviar',
    balance: (balance, sufficient) =>
      `La cuenta tiene ${balance} unidades${sufficient === false ? ', que no son suficientes.' : '.'}`,
    notRunYet: 'Ejecute la operación para ver su costo real.',
    nothingSpent: 'La operación no llamó a ningún registro y no gastó nada.',
    spent: 'gastado',
    saved: 'ahorrado',
    uncertain: 'incierto',
    spentUnits: (units) => `gasto: ${units}`,
    savedUnits: (units) => `ahorro: ${units}`,
    uncertainUnits: (units) => `incierto: ${units}`,
    uncertainAbout: (units) =>
      `Las llamadas sin respuesta utilizable pueden haber costado hasta ${units}. El estado de cuenta del servicio muestra el cargo real.`,
    callList: 'Llamadas a los registros y respuestas reutilizadas',
    noCall: 'No se hizo ninguna llamada.',
    stillRunning: 'en curso',
    servedFrom: {
      LIVE: 'en vivo',
      REPLAY: 'reutilizada',
      SANDBOX: 'modo de pruebas',
      NOT_SENT: 'sin enviar',
    },
  },
  ledger: ledgerSpanish,
  batch: batchSpanish,
  glossary: {
    intro: 'Haga clic en un campo para leer su documentación.',
    search: 'Buscar en el glosario',
  },
  files: {
    attach: 'Adjuntar',
    noUpload: 'Las variables de esta pestaña no aceptan archivos. Para adjuntar uno, asigne a una variable',
    asInTab: 'como en la pestaña SignatureCheck.',
    remove: 'Quitar',
    removeFrom: (slot) => `Quitar ${slot}`,
    testCredentials: 'O una de las credenciales de prueba del sandbox',
    choose: 'Elija…',
    password: 'contraseña',
    credentials: {
      person: 'persona',
      company: 'empresa',
      revoked: 'revocada',
      expired: 'vencida',
      seal: 'sello (no es una e.firma)',
    },
    keep: 'Conservar mis archivos para la siguiente ejecución',
    keepAbout:
      'Los archivos permanecen solo en la memoria de esta página. Si no marca esta opción, se descartan después de enviarse.',
    documents: 'Documentos de la última respuesta',
    none: 'Ninguno. Seleccione content o url de un documento para verlo y guardarlo aquí.',
    openLink: 'Abrir el enlace firmado',
    unreadable: 'No se puede decodificar el archivo.',
    view: 'Ver',
    save: 'Guardar',
  },
};
