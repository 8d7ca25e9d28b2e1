import { batchSpanish } from './batch-spanish';
import type { Texts } from './english';
import { ledgerSpanish } from './ledger-spanish';

const count = (bytes: number): string => `${bytes.toLocaleString('es-MX')} bytes`;

const pesos = new Intl.NumberFormat('es-MX', {
  style: 'currency',
  currency: 'MXN',
  currencyDisplay: 'narrowSymbol',
  maximumFractionDigits: 6,
});

/** Spanish texts of the explorer. They address the reader as *usted*. */
export const spanish: Texts = {
  skipToRun: 'Ir a Ejecutar',
  closeTab: (title) => `Cerrar ${title}`,
  invented: 'Respuestas inventadas',
  inventedAbout: {
    'embedded-sandbox':
      'Las respuestas vienen del sandbox incluido. Todas las personas son inventadas y no se gastan sus unidades.',
    'remote-sandbox':
      'Las respuestas vienen de un sandbox independiente. Todas las personas son inventadas y no se gastan sus unidades.',
  },
  persistence:
    'Las operaciones se conservan al recargar la página, sin los valores que contienen, hasta que cierre esta pestaña. Las variables, los encabezados y las respuestas no se guardan.',
  copyAs: 'Copiar como',
  copied: 'copiado',
  notCopied: 'sin copiar',
  copiedAs: (form) => `Copiado como ${form}.`,
  copiedWithoutToken: (form) => `Copiado como ${form}, con marcadores en lugar de los datos secretos.`,
  notCopiedAs: 'No se copió: el navegador no lo permitió.',
  forms: { curl: 'curl', fetch: 'fetch', hook: 'hook con tipos' },
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
    searchExample: 'Buscar, por ejemplo rate-limited',
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
    callList: 'Llamadas a los registros',
    noCall: 'No se hizo ninguna llamada.',
    servedFrom: {
      LIVE: 'en vivo',
      REPLAY: 'reutilizado',
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
