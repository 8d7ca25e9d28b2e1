import { employers } from '../data/employers';
import { people } from '../data/people';
import { findReceipts } from '../documents/receipts';
import type { LinkFailure } from '../documents/signed-links';
import {
  invalid,
  notFound,
  type Protocol,
  portalError,
  rejected,
  type ServiceResponse,
  unprocessable,
} from '../protocol/responses';
import { type Route, toEndpointName } from '../protocol/route';
import { findCard, type TestCard } from './cards';
import type { Failure } from './failures';

export interface CardMatch {
  readonly card: TestCard;
  readonly field: string;
}

type Values = Readonly<Record<string, string>>;
type FailureResponder = (protocol: Protocol, field: string) => ServiceResponse;

const DAY_SECONDS = '86400';

function rateLimited(protocol: Protocol, retryAfter: string): ServiceResponse {
  return {
    ...rejected(protocol, 429, 'TOO_MANY_REQUESTS', 'Demasiadas peticiones.'),
    headers: { 'retry-after': retryAfter },
  };
}

function portalFailure(status: number, code: Failure, message: string): FailureResponder {
  return () => portalError(status, code, message);
}

const HTML_PAGE = '<!doctype html><html lang="es"><body><h1>Sitio en mantenimiento</h1></body></html>';

/** Error response of each failure. A failure that is not listed does not answer with an error. */
const failureResponders: Partial<Record<Failure, FailureResponder>> = {
  'not-found': (protocol) => notFound(protocol),
  'bad-request': (protocol, field) =>
    protocol === 'common'
      ? invalid(protocol, { [field]: [`El campo ${field} no es válido.`] })
      : portalError(400, 'BAD_REQUEST', `El campo ${field} no es válido.`),
  unprocessable: (_, field) => unprocessable('common', { [field]: [`El campo ${field} es obligatorio.`] }),
  'unprocessable-receipts': (_, field) => unprocessable('portal', { [field]: [`El campo ${field} no es válido.`] }),
  forbidden: (protocol) => rejected(protocol, 403, 'FORBIDDEN', 'El token no tiene el permiso necesario.'),
  'rate-limited': (protocol) => rateLimited(protocol, '1'),
  'rate-limited-for-a-day': (protocol) => rateLimited(protocol, DAY_SECONDS),
  'server-error': (protocol) => rejected(protocol, 500, 'SERVER_ERROR', 'Error interno del servidor.'),
  unavailable: (protocol) => rejected(protocol, 503, 'SERVICE_UNAVAILABLE', 'Servicio no disponible.'),
  IMSS_SESSION_REQUIRED: portalFailure(401, 'IMSS_SESSION_REQUIRED', 'No hay una sesión activa con el portal.'),
  IMSS_SESSION_EXPIRED: portalFailure(401, 'IMSS_SESSION_EXPIRED', 'La sesión con el portal expiró.'),
  IMSS_INCONSISTENT_DATA: portalFailure(
    422,
    'IMSS_INCONSISTENT_DATA',
    'El folio, el periodo o el registro no coinciden.',
  ),
  IMSS_TRANSPORT_ERROR: portalFailure(502, 'IMSS_TRANSPORT_ERROR', 'Error de conexión con el portal.'),
  IMSS_UPSTREAM_ERROR: portalFailure(502, 'IMSS_UPSTREAM_ERROR', 'El portal falló al procesar la petición.'),
  IMSS_HTTP_ERROR: portalFailure(502, 'IMSS_HTTP_ERROR', 'Respuesta HTTP no exitosa del portal.'),
  IMSS_FILETYPE_ERROR: portalFailure(502, 'IMSS_FILETYPE_ERROR', 'No se pudo identificar el PDF o XML del portal.'),
  html: () => ({ status: 200, body: HTML_PAGE, contentType: 'text/html; charset=utf-8' }),
};

const linkFailures: Partial<Record<Failure, LinkFailure>> = {
  'expired-link': 'expired',
  'unusable-link': 'unusable',
  'foreign-link': 'foreign',
};

function applies(card: TestCard, route: Route, values: Values): boolean {
  if (card.endpoints && !card.endpoints.includes(toEndpointName(route))) return false;
  return card.month === undefined || card.month === Number(values.mes);
}

/** Returns the first test card among the identifiers of a request. */
export function matchTestCard(route: Route, values: Values): CardMatch | undefined {
  return route.fields
    .flatMap(({ name, identifier }) => {
      const value = values[name];
      const card = identifier && value !== undefined ? findCard(identifier, value) : undefined;
      return card ? [{ card, field: name }] : [];
    })
    .find(({ card }) => applies(card, route, values));
}

/** Returns the error response of a card's failure, or undefined if the failure has none. */
export function getFailureResponse({ card, field }: CardMatch, protocol: Protocol): ServiceResponse | undefined {
  return failureResponders[card.failure]?.(protocol, field);
}

export function getLinkFailure({ card }: CardMatch): LinkFailure | undefined {
  return linkFailures[card.failure];
}

/** Returns the request's values with the first person's and the first employer's identifiers. */
export function replaceSubject(values: Values, now: Date): Values {
  const [person] = people;
  const [employer] = employers;
  if (!person || !employer) return values;
  const [receipt] = findReceipts(employer, `${values.anio}${(values.mes ?? '').padStart(2, '0')}`, now);
  const strangerValues: Readonly<Record<string, string | undefined>> = {
    nss: person.nss,
    curp: person.curp,
    cedula: person.licences[0]?.number,
    folio: person.certificate?.folio,
    nombres: person.names,
    paterno: person.paternalSurname,
    materno: person.maternalSurname,
    registro_patronal: employer.registration,
    rp: employer.registration,
    sujeto_obligado: employer.obligatedSubjectId,
    rfc: employer.rfc,
    folio_sua: receipt?.folio,
  };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, strangerValues[name] ?? value]));
}
