/** A text for the user. The `message` of a problem is for developers. */
export interface ProblemText {
  readonly en: string;
  readonly es: string;
}

const later = {
  en: 'The registry cannot answer at the moment. Please try again later.',
  es: 'El registro no puede responder por ahora. Inténtelo más tarde.',
};
const portalLater = {
  en: 'The IMSS portal cannot answer at the moment. Please try again later.',
  es: 'El portal del IMSS no puede responder por ahora. Inténtelo más tarde.',
};
const ourSide = {
  en: 'This query is not available. Please contact support.',
  es: 'Esta consulta no está disponible. Comuníquese con soporte.',
};
const askAgain = {
  en: 'The answer could not be used. Please try again later.',
  es: 'La respuesta no se pudo usar. Inténtelo más tarde.',
};

/** A text for every code. Adapt them to the language of your product. */
export const problemTexts = {
  INVALID_FORMAT: {
    en: 'This is not written correctly. Please check it.',
    es: 'Este dato no está bien escrito. Revíselo.',
  },
  WRONG_CHECK_DIGIT: {
    en: 'One of the characters seems to be mistyped. Please check it.',
    es: 'Parece que un carácter está mal escrito. Revíselo.',
  },
  OUT_OF_RANGE: {
    en: 'This value is outside the allowed range.',
    es: 'Este valor está fuera de lo que se puede consultar.',
  },
  REJECTED_BY_REGISTRY: {
    en: 'The registry did not accept this value. Please check it.',
    es: 'El registro no aceptó este dato. Revíselo.',
  },
  IDENTITY_CONFLICT: {
    en: 'The identifiers seem to belong to different people. Please check them.',
    es: 'Los identificadores parecen ser de personas distintas. Revíselos.',
  },
  NO_RECORD_MATCHES: {
    en: 'The registry has records, but none of this person or employer.',
    es: 'El registro tiene datos, pero ninguno de esta persona o patrón.',
  },
  EMPLOYER_UNKNOWN: {
    en: 'This employer registration is unknown. Please check it.',
    es: 'No se conoce este registro patronal. Revíselo.',
  },
  OPINION_UNREADABLE: {
    en: 'What the opinion says could not be read with certainty. Please open the document.',
    es: 'No se pudo leer con certeza lo que dice la opinión. Abra el documento.',
  },
  CFDI_UNREADABLE: {
    en: 'The receipt could not be read with certainty. Please open the file.',
    es: 'El comprobante no se pudo leer con certeza. Abra el archivo.',
  },
  CFDI_MISMATCH: {
    en: 'The receipt contradicts the list. Do not rely on it.',
    es: 'El comprobante dice algo distinto de la lista. No se confíe en él.',
  },
  IMSS_INCONSISTENT_DATA: {
    en: 'Folio, month and employer registration do not belong together.',
    es: 'El folio, el mes y el registro patronal no corresponden entre sí.',
  },
  MISSING_IDENTIFIER: {
    en: 'This query needs another identifier. Please enter it.',
    es: 'Falta un dato para esta consulta: proporcione otro identificador.',
  },
  MISSING_PERMISSION: {
    en: 'You do not have permission for this query.',
    es: 'No tiene permiso para esta consulta.',
  },
  TOKEN_REFUSED: ourSide,
  INSUFFICIENT_UNITS: {
    en: 'There is no balance left for this query.',
    es: 'Ya no hay saldo para esta consulta.',
  },
  UNIT_BUDGET_EXCEEDED: {
    en: 'This query was not made: it would cost more than allowed.',
    es: 'No se consultó: costaría más de lo permitido.',
  },
  PURPOSE_MISSING: {
    en: 'This query was not made: it has to say what it is for.',
    es: 'No se consultó: falta indicar para qué es la consulta.',
  },
  BUDGET_EXHAUSTED: {
    en: 'The budget for this period is used up. Please try again after it resets, or have it raised.',
    es: 'El presupuesto de este periodo se agotó. Inténtelo cuando se renueve, o pida que lo aumenten.',
  },
  KEEP_QUOTA_EXCEEDED: {
    en: 'This query was not made: the space for saved answers is full.',
    es: 'No se consultó: ya no hay espacio para guardar la respuesta.',
  },
  LEDGER_UNAVAILABLE: {
    en: 'This check cannot be made at the moment. Please try again shortly.',
    es: 'Esta consulta no se puede hacer en este momento. Inténtelo más tarde.',
  },
  SANDBOX_UNSUPPORTED: {
    en: 'This query has no test mode, so it was not made.',
    es: 'Esta consulta no tiene modo de pruebas, así que no se hizo.',
  },
  RATE_LIMITED: {
    en: 'Too many queries at once. Please wait a moment and try again.',
    es: 'Demasiadas consultas a la vez. Espere un momento e inténtelo de nuevo.',
  },
  REGISTRY_ERROR: later,
  REGISTRY_DECLINED: ourSide,
  REGISTRY_UNREACHABLE: later,
  REGISTRY_TIMEOUT: {
    en: 'The registry took too long to answer. Please try again.',
    es: 'El registro tardó demasiado en responder. Inténtelo de nuevo.',
  },
  STILL_RUNNING: {
    en: 'The registry has not answered yet. Please wait a moment.',
    es: 'El registro aún no responde. Espere un momento.',
  },
  REGISTRY_PAUSED: {
    en: 'The registry is failing at the moment. Please wait a little and try again.',
    es: 'El registro está fallando en este momento. Espere un poco e inténtelo de nuevo.',
  },
  TOO_MANY_CALLS: {
    en: 'Too many queries are waiting. Please try again in a moment.',
    es: 'Hay demasiadas consultas en espera. Inténtelo de nuevo en un momento.',
  },
  UNUSABLE_ANSWER: askAgain,
  ANSWER_MISMATCH: {
    en: 'The registry answered about another person. Do not use this result.',
    es: 'El registro respondió sobre otra persona. No use este resultado.',
  },
  ANSWER_LOST: {
    en: 'The answer to this query was lost. It may have been charged.',
    es: 'La respuesta a esta consulta se perdió. Pudo haberse cobrado.',
  },
  NOT_IN_BATCH: {
    en: 'This query is not allowed in batches.',
    es: 'Esta consulta no se permite en lotes.',
  },
  BATCH_NOT_FOUND: {
    en: 'There is no such batch.',
    es: 'Ese lote no existe.',
  },
  BATCH_STATE: {
    en: 'This cannot be done with the batch now.',
    es: 'Esto no se puede hacer ahora con el lote.',
  },
  BATCH_QUOTA_EXCEEDED: {
    en: 'There is no room for this batch. Erase batches that you no longer need.',
    es: 'No hay espacio para este lote. Borre los que ya no necesite.',
  },
  CALLER_GONE: {
    en: 'The query was cancelled before it was made.',
    es: 'La consulta se canceló antes de hacerse.',
  },
  IMSS_SESSION_REQUIRED: {
    en: 'There is no session with the IMSS portal. Please open one.',
    es: 'No hay una sesión con el portal del IMSS. Ábrala.',
  },
  IMSS_SESSION_EXPIRED: {
    en: 'The session with the IMSS portal has expired. Please open it again.',
    es: 'La sesión con el portal del IMSS expiró. Ábrala de nuevo.',
  },
  IMSS_TRANSPORT_ERROR: portalLater,
  IMSS_UPSTREAM_ERROR: portalLater,
  IMSS_HTTP_ERROR: portalLater,
  IMSS_FILETYPE_ERROR: {
    en: 'The IMSS portal returned a file that cannot be used. Please try again later.',
    es: 'El portal del IMSS entregó un archivo que no se puede usar. Inténtelo más tarde.',
  },
  LINK_EXPIRED: {
    en: 'The link to this file has expired. Please request the document again.',
    es: 'El enlace a este archivo expiró. Pida el documento otra vez.',
  },
  LINK_UNREACHABLE: {
    en: 'The file could not be downloaded. Please try again.',
    es: 'El archivo no se pudo descargar. Inténtelo de nuevo.',
  },
  LINK_NOT_ALLOWED: ourSide,
  UNUSABLE_FILE: {
    en: 'The file cannot be used. Please try again later.',
    es: 'El archivo que llegó no se puede usar. Inténtelo más tarde.',
  },
  ANSWER_TOO_LARGE: {
    en: 'These are too many files at once. Please open fewer.',
    es: 'Son demasiados archivos a la vez. Abra menos.',
  },
  FILE_MISSING: { en: 'Please choose a file.', es: 'Elija un archivo.' },
  FILE_TOO_LARGE: {
    en: 'This file is too large to be a certificate or a key.',
    es: 'Este archivo es demasiado grande para ser un certificado o una llave.',
  },
  FILE_INCOMPLETE: {
    en: 'The file did not arrive completely. Please send it again.',
    es: 'El archivo no llegó completo. Envíelo de nuevo.',
  },
  CERTIFICATE_UNREADABLE: {
    en: 'This is not a certificate. Please choose the .cer file.',
    es: 'Esto no es un certificado. Elija el archivo .cer.',
  },
  CERTIFICATE_EXPIRED: {
    en: 'The certificate has expired. Please use the renewed e.firma.',
    es: 'El certificado ya venció. Use la e.firma renovada.',
  },
  CERTIFICATE_NOT_YET_VALID: {
    en: 'The certificate is not valid yet.',
    es: 'El certificado todavía no es vigente.',
  },
  KEY_UNREADABLE: {
    en: 'This is not a private key. Please choose the .key file.',
    es: 'Esto no es una llave privada. Elija el archivo .key.',
  },
  KEY_NOT_ENCRYPTED: {
    en: 'The private key has no password. Please choose the original .key file.',
    es: 'La llave privada no tiene contraseña. Elija el archivo .key original.',
  },
  KEY_MISMATCH: {
    en: 'The private key and the certificate do not belong together.',
    es: 'La llave privada y el certificado no corresponden entre sí.',
  },
  WRONG_PASSWORD: { en: 'The password is wrong.', es: 'La contraseña es incorrecta.' },
  RFC_MISMATCH: {
    en: 'The certificate belongs to another RFC.',
    es: 'El certificado pertenece a otro RFC.',
  },
  NOT_EFIRMA: {
    en: 'This is a digital seal (CSD). Please use the e.firma.',
    es: 'Este es un sello digital (CSD). Use la e.firma.',
  },
  UNSUPPORTED_CIPHER: {
    en: 'The key uses an old format, so it could not be checked before it was sent.',
    es: 'La llave es de un tipo antiguo: no se pudo revisar antes de enviarla.',
  },
  UNKNOWN_ISSUER: {
    en: 'The issuer of this certificate is unknown.',
    es: 'No se conoce a quien emitió este certificado.',
  },
} as const satisfies Readonly<Record<string, ProblemText>>;

/** The codes that this client knows. */
export type ListedCode = keyof typeof problemTexts;

/** The text for a code that is newer than this client. */
const unlisted: ProblemText = {
  en: 'This could not be answered.',
  es: 'Esto no se pudo responder.',
};

/** Returns the text for the user. A code of a later version gets a general text, which depends on `retryable`. */
export function textOfProblem(
  problem: { readonly code: string; readonly retryable?: boolean },
  language: keyof ProblemText = 'es',
): string {
  if (Object.hasOwn(problemTexts, problem.code)) return problemTexts[problem.code as ListedCode][language];
  return (problem.retryable === true ? later : unlisted)[language];
}
