/**
 * A failure of the service. `surname` belongs to its test persona, `spanish` is the description in Spanish, and `links` marks a failure
 * that only affects links.
 */
interface FailureRow {
  readonly name: string;
  readonly surname: string;
  readonly description: string;
  readonly spanish: string;
  readonly links?: true;
}

/** All failures that a test card can simulate. Test cards and personas are generated from this list. */
export const failures = [
  {
    name: 'not-found',
    surname: 'INEXISTENTE',
    description: '404: the registry has no record',
    spanish: '404: el registro no tiene datos',
  },
  {
    name: 'bad-request',
    surname: 'MALFORMADO',
    description: '400: rejected by the validation of the registry',
    spanish: '400: la validación del registro lo rechaza',
  },
  {
    name: 'unprocessable',
    surname: 'INCOMPLETO',
    description: '422 {message, errors}',
    spanish: '422 {message, errors}',
  },
  {
    name: 'unprocessable-receipts',
    surname: 'INVÁLIDO',
    description: '422 {ok, error}, code VALIDATION_ERROR',
    spanish: '422 {ok, error}, código VALIDATION_ERROR',
  },
  {
    name: 'forbidden',
    surname: 'PROHIBIDO',
    description: '403: the account lacks the permission',
    spanish: '403: la cuenta no tiene el permiso',
  },
  {
    name: 'rate-limited',
    surname: 'APRESURADO',
    description: '429 with Retry-After: 1',
    spanish: '429 con Retry-After: 1',
  },
  {
    name: 'rate-limited-for-a-day',
    surname: 'EXCEDIDO',
    description: '429 with Retry-After: 86400',
    spanish: '429 con Retry-After: 86400',
  },
  { name: 'server-error', surname: 'AVERIADO', description: '500', spanish: '500' },
  { name: 'unavailable', surname: 'AUSENTE', description: '503', spanish: '503' },
  {
    name: 'IMSS_SESSION_REQUIRED',
    surname: 'SINSESIÓN',
    description: '401: no session with the portal',
    spanish: '401: no hay sesión con el portal',
  },
  {
    name: 'IMSS_SESSION_EXPIRED',
    surname: 'CADUCADO',
    description: '401: the session with the portal expired',
    spanish: '401: la sesión con el portal expiró',
  },
  {
    name: 'IMSS_INCONSISTENT_DATA',
    surname: 'INCONSISTENTE',
    description: '422: the inputs do not match',
    spanish: '422: los datos no concuerdan',
  },
  {
    name: 'IMSS_TRANSPORT_ERROR',
    surname: 'INCOMUNICADO',
    description: '502: no connection with the portal',
    spanish: '502: no hay conexión con el portal',
  },
  {
    name: 'IMSS_UPSTREAM_ERROR',
    surname: 'TROPEZADO',
    description: '502: the portal failed while processing',
    spanish: '502: el portal falló al procesar',
  },
  {
    name: 'IMSS_HTTP_ERROR',
    surname: 'RECHAZADO',
    description: '502: the portal returned an HTTP error',
    spanish: '502: el portal devolvió un error de HTTP',
  },
  {
    name: 'IMSS_FILETYPE_ERROR',
    surname: 'ILEGIBLE',
    description: '502: the portal sent neither PDF nor XML',
    spanish: '502: el portal no envió ni PDF ni XML',
  },
  {
    name: 'slow',
    surname: 'LENTO',
    description: 'a correct answer after two seconds',
    spanish: 'una respuesta correcta después de dos segundos',
  },
  { name: 'html', surname: 'PAGINADO', description: '200 with a page of HTML', spanish: '200 con una página HTML' },
  {
    name: 'somebody-else',
    surname: 'EQUIVOCADO',
    description: "200 with another person's data",
    spanish: '200 con los datos de otra persona',
  },
  {
    name: 'expired-link',
    surname: 'VENCIDO',
    description: 'a correct answer whose link returns 410',
    spanish: 'una respuesta correcta cuyo enlace devuelve 410',
    links: true,
  },
  {
    name: 'unusable-link',
    surname: 'ROTO',
    description: 'a correct answer whose link returns HTML',
    spanish: 'una respuesta correcta cuyo enlace devuelve HTML',
    links: true,
  },
  {
    name: 'foreign-link',
    surname: 'FORASTERO',
    description: 'a correct answer whose link is on another host',
    spanish: 'una respuesta correcta cuyo enlace devuelve HTML',
    links: true,
  },
] as const satisfies readonly FailureRow[];

export type Failure = (typeof failures)[number]['name'];
