import { errorTexts, type ProblemText } from '../../../../../schema/client/code-texts';
import { formatCount, formatNumber, isSpanish, locale, say } from './language';
import { ledgerTexts, moneyTexts, priceTexts, unitCount } from './money-texts';

const pesos = new Intl.NumberFormat(locale, {
  style: 'currency',
  currency: 'MXN',
  currencyDisplay: 'narrowSymbol',
  maximumFractionDigits: 6,
});

const panels = {
  docs: say('Documentation Explorer', 'Documentación'),
  fields: say('GraphiQL Explorer', 'Campos'),
  money: say('Money', 'Dinero'),
  files: say('Files', 'Archivos'),
  sandbox: 'Sandbox',
  glossary: say('Glossary', 'Glosario'),
};

const invented = say(
  'All people are invented, and no call uses your units.',
  'Todas las personas son inventadas y no se gastan sus unidades.',
);

const bytes = (count: number): string => `${formatNumber(count)} bytes`;

/** Texts for errors by their codes. There are none in English, because the server's messages are in English. The client kit has the others. */
const spanishErrors: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries<ProblemText>(errorTexts).map(([code, { es }]) => [code, es])),
  UNAUTHENTICATED: 'Falta el token, o no es válido.',
  FORBIDDEN: 'El token no tiene el permiso necesario.',
  GRAPHQL_VALIDATION_FAILED: 'El documento no corresponde al esquema: el editor subraya los errores.',
  GRAPHQL_PARSE_FAILED: 'El documento tiene un error de sintaxis.',
  BAD_USER_INPUT: 'Una variable, un argumento o un encabezado no es válido. Revise lo que escribió.',
  LEDGER_UNAVAILABLE: 'El almacén de datos o el servicio no está disponible. Inténtelo de nuevo más tarde.',
  OVERLOADED: 'Hay demasiadas solicitudes en este momento. Inténtelo de nuevo en unos segundos.',
  SHUTTING_DOWN: 'El servidor se está reiniciando. Inténtelo de nuevo en un momento.',
  OPERATION_TOO_LARGE: 'La operación es demasiado grande. Pida menos a la vez.',
  PAYLOAD_TOO_LARGE: 'La solicitud es demasiado grande. Envíe menos a la vez.',
  INTERNAL_SERVER_ERROR: 'padron falló. Inténtelo de nuevo y, si vuelve a ocurrir, avise a su operador.',
};

export const texts = {
  skipToRun: say('Skip to Run', 'Ir a Ejecutar'),
  /** The names of the other language, in that language. */
  otherLanguage: say('Español', 'English'),
  switchLanguage: say('Mostrar el explorador en español', 'Show the explorer in English'),
  closeTab: (title: string) => say(`Close ${title}`, `Cerrar ${title}`),
  close: say('Close', 'Cerrar'),
  closePanel: (title: string) => `${say('Close the panel', 'Cerrar el panel')} ${title}`,
  tabs: say('Open operations', 'Operaciones abiertas'),
  allTabs: (count: number) => formatCount(count, say('tab', 'pestaña'), say('tabs', 'pestañas')),
  operationKind: say('Kind of operation to add', 'Tipo de operación por agregar'),
  invented: say('Invented answers', 'Respuestas inventadas'),
  inventedAbout: {
    'embedded-sandbox': `${say('Answers come from the embedded sandbox.', 'Las respuestas vienen del sandbox incluido.')} ${invented}`,
    'remote-sandbox': `${say('Answers come from a standalone sandbox.', 'Las respuestas vienen de un sandbox independiente.')} ${invented}`,
  },
  persistence: say(
    'Operations survive a reload, without the values in them, until you close this tab. Variables, headers and responses are not saved.',
    'Las operaciones se conservan al recargar la página, sin los valores que contienen, hasta que cierre esta pestaña. Las variables, los encabezados y las respuestas no se guardan.',
  ),
  persistenceWithToken: say(
    'Your token is kept until you close this browser tab, so that you can reload the page. Operations survive a reload too, without the values in them. Variables, other headers and responses are not saved.',
    'Su token se conserva hasta que cierre esta pestaña del navegador, para que pueda recargar la página. Las operaciones también se conservan, sin los valores que contienen. Las variables, los demás encabezados y las respuestas no se guardan.',
  ),
  token: {
    name: 'Token',
    use: say('Use', 'Usar'),
    replace: say('Replace', 'Cambiar'),
    needed: say(
      'Enter your token. It loads the schema, and all tabs use it.',
      'Escriba su token. Con él se carga el esquema, y lo usan todas las pestañas.',
    ),
    entered: say(
      'All tabs use your token, except those with another one in Headers.',
      'Todas las pestañas usan su token, menos las que tienen otro en Headers.',
    ),
    refused: say(
      'The server did not accept this token. Enter another one.',
      'El servidor no aceptó este token. Escriba otro.',
    ),
    forget: say('Forget the token', 'Olvidar el token'),
  },
  copyAs: say('Copy as', 'Copiar como'),
  copyLink: say('Copy link', 'Copiar enlace'),
  linkCopied: say(
    'Link copied. It opens this operation without variables, headers and the values in it.',
    'Enlace copiado. Abre esta operación sin variables, sin encabezados y sin los valores que contiene.',
  ),
  linkIgnored: say(
    'The link has no valid operation, so it was ignored. Copy the link again, or copy the operation itself.',
    'El enlace no tiene una operación válida, por lo que se ignoró. Copie de nuevo el enlace, o copie la operación.',
  ),
  copied: say('copied', 'copiado'),
  notCopied: say('not copied', 'sin copiar'),
  copiedAs: (form: string) => say(`Copied as ${form}.`, `Copiado como ${form}.`),
  copiedWithoutToken: (form: string) =>
    say(
      `Copied as ${form}, with placeholders for secrets.`,
      `Copiado como ${form}, con marcadores en lugar de los datos secretos.`,
    ),
  notCopiedAs: say('Not copied: the browser did not allow it.', 'No se copió: el navegador no lo permitió.'),
  forms: {
    curl: 'curl',
    fetch: 'fetch',
    hook: say('Apollo hook', 'hook de Apollo'),
    urql: say('urql hook', 'hook de urql'),
  },
  documents: (count: number) => formatCount(count, say('document', 'documento'), say('documents', 'documentos')),
  settingsUnread: (status: number) =>
    say(
      `The explorer's settings could not be loaded (HTTP ${status}).`,
      `No se pudo cargar la configuración del explorador (HTTP ${status}).`,
    ),
  reload: say(
    'Reload the page when padron is running again.',
    'Recargue la página cuando padron esté funcionando de nuevo.',
  ),
  notSent: (reason: string) =>
    say(
      `The request failed (${reason}). Is padron running?`,
      // The browser's own words are English, whatever failed.
      'La solicitud falló (no hay conexión). ¿Está funcionando padron?',
    ),
  noGraphql: (status: number) =>
    say(
      `The server answered HTTP ${status} without a GraphQL response.`,
      `El servidor respondió HTTP ${status} sin una respuesta de GraphQL.`,
    ),
  noLink: say(
    'padron cannot create the link. Its operator must set PUBLIC_URL.',
    'padron no puede crear el enlace. Su operador debe definir PUBLIC_URL.',
  ),
  tokenNeeded: say(
    'The token is missing or invalid. Enter it with the button Token at the top, or as "authorization" in Headers.',
    'Falta el token o no es válido. Escríbalo con el botón Token de arriba, o como "authorization" en Headers.',
  ),
  fileMissing: (paths: readonly string[]) =>
    say(
      `Not sent: no file is attached for ${paths.join(' and ')}. Attach it in the Files panel.`,
      `No se envió: falta adjuntar el archivo de ${paths.join(' y ')}. Adjúntelo en el panel Archivos.`,
    ),
  truncated: (count: number) =>
    say(
      `${bytes(count)}: view or save them in the Files panel`,
      `${bytes(count)}: véalos o guárdelos en el panel Archivos`,
    ),
  bytes,
  panels,
  sandbox: {
    intro: invented,
    howTo: say(
      'Click a name to fill in the variables of the open operation, or an identifier to copy it.',
      'Haga clic en un nombre para llenar las variables de la operación abierta, o en un identificador para copiarlo.',
    ),
    search: say('Search the sandbox', 'Buscar en el sandbox'),
    searchExample: say('Name, NSS, CURP, credit, rate-limited…', 'Nombre, NSS, CURP, crédito, rate-limited…'),
    identifiers: {
      nss: 'NSS',
      curp: 'CURP',
      replacedCurp: say('old CURP', 'CURP anterior'),
      rfc: 'RFC',
      registration: say('registration', 'registro patronal'),
      number: say('licence', 'cédula'),
      folio: say('certificate', 'certificado'),
      paternalSurname: say('surname', 'apellido paterno'),
      token: 'token',
    } as Readonly<Record<string, string>>,
    people: say('People', 'Personas'),
    uncleanPeople: say('People who are hard to compare', 'Personas difíciles de comparar'),
    employers: say('Employers', 'Patrones'),
    tokens: 'Tokens',
    tokensAbout: say('For the header authorization.', 'Para el encabezado authorization.'),
    cards: say('Test cards', 'Tarjetas de prueba'),
    cardsAbout: say('The service fails for these identifiers.', 'El servicio falla con estos identificadores.'),
    fillIn: (title: string) => say(`Fill in ${title}`, `Llenar con ${title}`),
    filled: (names: readonly string[]) => `${say('Filled in', 'Variables llenadas')}: ${names.join(', ')}.`,
    noPlace: say(
      'The open operation has no variable for these identifiers.',
      'La operación abierta no tiene variables para estos identificadores.',
    ),
    copy: (name: string, value: string) => `${say('Copy', 'Copiar')} ${name} ${value}`,
  },
  units: unitCount,
  /** Writes decimal text, which a number would round, as pesos. */
  pesos: (amount: string) => pesos.format(amount as `${number}`),
  calls: (count: number) => formatCount(count, say('call', 'consulta'), say('calls', 'consultas')),
  replays: (count: number) =>
    formatCount(count, say('answer reused', 'respuesta reutilizada'), say('answers reused', 'respuestas reutilizadas')),
  price: priceTexts,
  errors: {
    overBudget: (units: string, budget: number) =>
      say(
        `The operation may cost ${units}, but its budget is ${budget}. No call was sent.`,
        `La operación puede costar ${units}, pero su presupuesto es de ${budget}. No se hizo ninguna consulta.`,
      ),
    rejectedVariable: (variable: string, type: string, message: string) =>
      say(
        `A variable is rejected. ${message}`,
        `La variable ${variable} se rechaza, porque su valor no es de tipo ${type}. No se hará ninguna consulta.`,
      ),
    byCode: isSpanish ? spanishErrors : {},
  },
  answerWithin: {
    label: say('Time to wait for the registries', 'Tiempo de espera de los registros'),
    about: say(
      'How long the response waits for the registries. After that it is shown again as answers arrive. They are paid for once.',
      'Cuánto espera la respuesta a los registros. Después se muestra de nuevo conforme contestan. Se paga una sola vez.',
    ),
    none: say('all', 'todos'),
  },
  maxAge: {
    label: say('Age of a paid answer that is used again', 'Antigüedad de una respuesta pagada que se reutiliza'),
    about: (days: number) =>
      say(
        `How old a paid answer may be that is used again, free of charge. 0 s asks again. Answers of such runs are kept for ${days} d.`,
        `Qué antigüedad puede tener una respuesta pagada que se usa otra vez, gratis. Con 0 s se consulta de nuevo. Las respuestas se guardan ${days} d.`,
      ),
    none: say('off', 'no'),
  },
  money: moneyTexts,
  ledger: ledgerTexts,
  glossary: {
    intro: say('Click a field to read its documentation.', 'Haga clic en un campo para leer su documentación.'),
    search: say('Search the glossary', 'Buscar en el glosario'),
  },
  files: {
    attach: say('Attach', 'Adjuntar'),
    noUpload: say(
      'The variables of this tab do not accept a file. To attach one, set a variable to',
      'Las variables de esta pestaña no aceptan archivos. Para adjuntar uno, asigne a una variable',
    ),
    asInTab: say('as in the tab SignatureCheck.', 'como en la pestaña SignatureCheck.'),
    remove: say('Remove', 'Quitar'),
    removeFrom: (slot: string) => say(`Remove ${slot}`, `Quitar ${slot}`),
    testCredentials: say("Or one of the sandbox's test credentials", 'O una de las credenciales de prueba del sandbox'),
    choose: say('Choose…', 'Elija…'),
    password: say('password', 'contraseña'),
    credentials: {
      person: say('person', 'persona'),
      company: say('company', 'empresa'),
      revoked: say('revoked', 'revocada'),
      expired: say('expired', 'vencida'),
      seal: say('seal (not an e.firma)', 'sello (no es una e.firma)'),
    } as Readonly<Record<string, string>>,
    keep: say('Keep my files for the next run', 'Conservar mis archivos para la siguiente ejecución'),
    keepAbout: say(
      'Files stay in the memory of this page only. If you do not select this, they are discarded after they are sent.',
      'Los archivos permanecen solo en la memoria de esta página. Si no marca esta opción, se descartan después de enviarse.',
    ),
    documents: say('Documents of the last response', 'Documentos de la última respuesta'),
    none: say(
      'None. Select content or url of a document to view and save it here.',
      'Ninguno. Seleccione content o url de un documento para verlo y guardarlo aquí.',
    ),
    openLink: say('Open the signed link', 'Abrir el enlace firmado'),
    unreadable: say('The file cannot be decoded.', 'No se puede decodificar el archivo.'),
    view: say('View', 'Ver'),
    save: say('Save', 'Guardar'),
  },
};
