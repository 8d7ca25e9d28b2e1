/** Rows of failures: name, surname of the test persona, description in English and in Spanish. */
const rows = [
  ['not-found', 'INEXISTENTE', '404: the registry has no record', '404: el registro no tiene datos'],
  [
    'bad-request',
    'MALFORMADO',
    '400: rejected by the validation of the registry',
    '400: la validación del registro lo rechaza',
  ],
  ['unprocessable', 'INCOMPLETO', '422 {message, errors}', '422 {message, errors}'],
  [
    'unprocessable-receipts',
    'INVÁLIDO',
    '422 {ok, error}, code VALIDATION_ERROR',
    '422 {ok, error}, código VALIDATION_ERROR',
  ],
  ['forbidden', 'PROHIBIDO', '403: the account lacks the permission', '403: la cuenta no tiene el permiso'],
  ['rate-limited', 'APRESURADO', '429 with Retry-After: 1', '429 con Retry-After: 1'],
  ['rate-limited-for-a-day', 'EXCEDIDO', '429 with Retry-After: 86400', '429 con Retry-After: 86400'],
  ['server-error', 'AVERIADO', '500', '500'],
  ['unavailable', 'AUSENTE', '503', '503'],
  ['IMSS_SESSION_REQUIRED', 'SINSESIÓN', '401: no session with the portal', '401: no hay sesión con el portal'],
  [
    'IMSS_SESSION_EXPIRED',
    'CADUCADO',
    '401: the session with the portal expired',
    '401: la sesión con el portal expiró',
  ],
  ['IMSS_INCONSISTENT_DATA', 'INCONSISTENTE', '422: the inputs do not match', '422: los datos no concuerdan'],
  ['IMSS_TRANSPORT_ERROR', 'INCOMUNICADO', '502: no connection with the portal', '502: no hay conexión con el portal'],
  ['IMSS_UPSTREAM_ERROR', 'TROPEZADO', '502: the portal failed while processing', '502: el portal falló al procesar'],
  [
    'IMSS_HTTP_ERROR',
    'RECHAZADO',
    '502: the portal returned an HTTP error',
    '502: el portal devolvió un error de HTTP',
  ],
  [
    'IMSS_FILETYPE_ERROR',
    'ILEGIBLE',
    '502: the portal sent neither PDF nor XML',
    '502: el portal no envió ni PDF ni XML',
  ],
  ['slow', 'LENTO', 'a correct answer after two seconds', 'una respuesta correcta después de dos segundos'],
  ['html', 'PAGINADO', '200 with a page of HTML', '200 con una página HTML'],
  ['somebody-else', 'EQUIVOCADO', "200 with another person's data", '200 con los datos de otra persona'],
  [
    'expired-link',
    'VENCIDO',
    'a correct answer whose link returns 410',
    'una respuesta correcta cuyo enlace devuelve 410',
  ],
  [
    'unusable-link',
    'ROTO',
    'a correct answer whose link returns HTML',
    'una respuesta correcta cuyo enlace devuelve HTML',
  ],
  [
    'foreign-link',
    'FORASTERO',
    'a correct answer whose link is on another host',
    'una respuesta correcta cuyo enlace está en otro servidor',
  ],
] as const;

const linkFailures: ReadonlySet<string> = new Set(['expired-link', 'unusable-link', 'foreign-link']);

export type Failure = (typeof rows)[number][0];

/** All failures that a test card can simulate. Test cards and personas are generated from this list. */
export const failures = rows.map(([name, surname, description, spanish]) => {
  return { name, surname, description, spanish, onlyLinks: linkFailures.has(name) };
});
