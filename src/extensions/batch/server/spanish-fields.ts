// type-graphql needs it before any class of the graph is loaded.
import 'reflect-metadata';
import { spanishNames as cfdi } from '../../../graph/domains/cfdi/types';
import { spanishNames as compliance } from '../../../graph/domains/compliance/types';
import { spanishNames as education } from '../../../graph/domains/education/types';
import { spanishNames as files } from '../../../graph/domains/files/types';
import { spanishNames as housing } from '../../../graph/domains/housing/types';
import { spanishNames as opinion } from '../../../graph/domains/opinion/types';
import { spanishNames as person, registryNames } from '../../../graph/domains/person/types';
import { spanishNames as population } from '../../../graph/domains/population/types';
import { spanishNames as receipts } from '../../../graph/domains/receipts/types';
import { spanishNames as snapshots } from '../../../graph/domains/snapshots/types';

/**
 * Spanish names of fields, for the headers of results. A field that only one domain has is named in the `types.ts` of its domain.
 * A field without a Spanish name has an acronym for a name, such as `nss`.
 */
export const spanishFields: Readonly<Record<string, string>> = {
  ...cfdi,
  ...compliance,
  ...education,
  ...files,
  ...housing,
  ...opinion,
  ...person,
  ...population,
  ...receipts,
  ...snapshots,
  activity: 'giro',
  age: 'antigüedad en segundos',
  amount: 'importe',
  answeredPercent: 'porcentaje respondido',
  atMost: 'unidades como máximo',
  availability: 'disponibilidad',
  batch: 'permitido en lotes',
  billing: 'cobro',
  book: 'libro',
  bounded: 'con máximo',
  calls: 'consultas',
  certifiedAt: 'fecha de certificación',
  charged: 'resultados con cobro',
  checkedAt: 'fecha de consulta',
  code: 'código',
  createdAt: 'fecha de creación',
  currency: 'moneda',
  currentBalance: 'saldo actual',
  dataset: 'conjunto de datos',
  description: 'descripción',
  document: 'documento',
  employer: 'patrón',
  endpoint: 'punto de acceso',
  endpoints: 'puntos de acceso',
  estimatedUnits: 'unidades estimadas',
  evidence: 'prueba',
  expiresAt: 'fecha de vencimiento',
  fields: 'datos',
  folio: 'folio',
  given: 'dado',
  invalidRows: 'filas no válidas',
  issuedAt: 'fecha de emisión',
  issuer: 'emisor',
  isKept: 'se conserva',
  isRemark: 'es observación',
  kind: 'tipo',
  lastAnswerAt: 'última respuesta',
  lastDay: 'últimas 24 horas',
  ledgerId: 'asiento en el libro de consultas',
  maternalSurname: 'apellido materno',
  maxPauseSeconds: 'pausa más larga (s)',
  medianMs: 'tiempo mediano (ms)',
  message: 'mensaje',
  name: 'nombre',
  names: 'nombres',
  number: 'número',
  outcome: 'resultado',
  paidOn: 'fecha de pago',
  paternalSurname: 'apellido paterno',
  path: 'ruta',
  period: 'periodo',
  permission: 'permiso',
  problems: 'problemas',
  record: 'registro',
  records: 'registros',
  recorded: 'en el registro',
  registration: 'registro patronal',
  registryEndpoints: 'puntos de acceso',
  registryUnitPrice: 'precio de la unidad',
  retryable: 'se puede reintentar',
  retryAfter: 'reintentar después de',
  riskClass: 'clase de riesgo',
  riskPremium: 'prima de riesgo',
  route: 'nombre interno',
  rowCount: 'número de filas',
  scope: 'alcance',
  servedFrom: 'origen',
  setAside: 'descartados',
  sex: 'sexo',
  sheet: 'foja',
  since: 'desde',
  state: 'estado',
  stateCode: 'clave del estado',
  status: 'estatus',
  subtotal: 'subtotal',
  sufficient: 'alcanza el saldo',
  unitEstimate: 'estimación de unidades',
  units: 'unidades',
  unitsPerCall: 'unidades por consulta',
  unitsWithPermission: 'unidades con permiso',
  validationCode: 'código de validación',
  validUntil: 'vigente hasta',
  warnings: 'advertencias',
};

/** Returns the Spanish names of the registries, without their article. */
export const spanishRegistries = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(registryNames).map(([name, { spanish }]) => [name, spanish.replace(/^(el|la|los|las) /, '')]),
  );
