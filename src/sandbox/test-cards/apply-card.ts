import { employers } from '../data/employers';
import { people } from '../data/people';
import { receiptsOf } from '../documents/receipts';
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

/** A card that an input holds, and the field it was found in. */
export interface Played {
  readonly card: TestCard;
  readonly field: string;
}

type Values = Readonly<Record<string, string>>;
type Refusal = (face: Protocol, field: string) => ServiceResponse;

const DAY = '86400';

function throttled(face: Protocol, retryAfter: string): ServiceResponse {
  return {
    ...rejected(face, 429, 'TOO_MANY_REQUESTS', 'Demasiadas peticiones.'),
    headers: { 'retry-after': retryAfter },
  };
}

function portal(status: number, code: Failure, message: string): Refusal {
  return () => portalError(status, code, message);
}

const HTML_PAGE = '<!doctype html><html lang="es"><body><h1>Sitio en mantenimiento</h1></body></html>';

/** What each failure answers; those that are not here answer otherwise than with a refusal. */
const refusals: Partial<Record<Failure, Refusal>> = {
  'not-found': (face) => notFound(face),
  'bad-request': (face, field) =>
    face === 'common'
      ? invalid(face, { [field]: [`El campo ${field} no es válido.`] })
      : portalError(400, 'BAD_REQUEST', `El campo ${field} no es válido.`),
  unprocessable: (_, field) => unprocessable('common', { [field]: [`El campo ${field} es obligatorio.`] }),
  'unprocessable-receipts': (_, field) => unprocessable('portal', { [field]: [`El campo ${field} no es válido.`] }),
  forbidden: (face) => rejected(face, 403, 'FORBIDDEN', 'El token no tiene el permiso necesario.'),
  'rate-limited': (face) => throttled(face, '1'),
  'rate-limited-for-a-day': (face) => throttled(face, DAY),
  'server-error': (face) => rejected(face, 500, 'SERVER_ERROR', 'Error interno del servidor.'),
  unavailable: (face) => rejected(face, 503, 'SERVICE_UNAVAILABLE', 'Servicio no disponible.'),
  IMSS_SESSION_REQUIRED: portal(401, 'IMSS_SESSION_REQUIRED', 'No hay una sesión activa con el portal.'),
  IMSS_SESSION_EXPIRED: portal(401, 'IMSS_SESSION_EXPIRED', 'La sesión con el portal expiró.'),
  IMSS_INCONSISTENT_DATA: portal(422, 'IMSS_INCONSISTENT_DATA', 'El folio, el periodo o el registro no coinciden.'),
  IMSS_TRANSPORT_ERROR: portal(502, 'IMSS_TRANSPORT_ERROR', 'Error de conexión con el portal.'),
  IMSS_UPSTREAM_ERROR: portal(502, 'IMSS_UPSTREAM_ERROR', 'El portal falló al procesar la petición.'),
  IMSS_HTTP_ERROR: portal(502, 'IMSS_HTTP_ERROR', 'Respuesta HTTP no exitosa del portal.'),
  IMSS_FILETYPE_ERROR: portal(502, 'IMSS_FILETYPE_ERROR', 'No se pudo identificar el PDF o XML del portal.'),
  html: () => ({ status: 200, body: HTML_PAGE, contentType: 'text/html; charset=utf-8' }),
};

const linkFaults: Partial<Record<Failure, LinkFailure>> = {
  'expired-link': 'expired',
  'unusable-link': 'unusable',
  'foreign-link': 'foreign',
};

function applies(card: TestCard, route: Route, values: Values): boolean {
  if (card.endpoints && !card.endpoints.includes(toEndpointName(route))) return false;
  return card.month === undefined || card.month === Number(values.mes);
}

/** The first test card among the identifiers of a question. */
export function playedCard(route: Route, values: Values): Played | undefined {
  return route.fields
    .flatMap(({ name, identifier }) => {
      const value = values[name];
      const card = identifier && value !== undefined ? findCard(identifier, value) : undefined;
      return card ? [{ card, field: name }] : [];
    })
    .find(({ card }) => applies(card, route, values));
}

/** The refusal that a card plays, if that is its way to fail. */
export function refusalOf({ card, field }: Played, face: Protocol): ServiceResponse | undefined {
  return refusals[card.failure]?.(face, field);
}

export function linkFaultOf({ card }: Played): LinkFailure | undefined {
  return linkFaults[card.failure];
}

/** The same question about the one person and the one employer of whom everybody is told by the fixed answer. */
export function aboutSomebodyElse(values: Values, now: Date): Values {
  const [person] = people;
  const [employer] = employers;
  if (!person || !employer) return values;
  const [receipt] = receiptsOf(employer, `${values.anio}${(values.mes ?? '').padStart(2, '0')}`, now);
  const stranger: Readonly<Record<string, string | undefined>> = {
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
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, stranger[name] ?? value]));
}
