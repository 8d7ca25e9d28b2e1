import type { z } from 'zod';
import { type NameParts, repairFundName } from '../../../identifiers/names';
import {
  amount,
  code,
  columns,
  type DerivedQuestion,
  identifier,
  integer,
  placeholder,
  stripLeadingZeros,
  text,
} from '../../../registry/endpoint/endpoint';
import { personEndpoint } from '../../../registry/endpoint/person';

const CreditColumns = columns({
  nss: identifier,
  estatus_credito: text,
  situacioncredito: text,
  num_credito: text,
  moneda: text,
  tipo_credito: text,
  regimen: text,
  pool: text,
  mesesomisos: integer,
  producto: text,
  nombre: text,
  apPaterno: text,
  apMaterno: text,
  fechaOrigen: text,
  fechaCierre: text,
  emailPersonal: text,
  telefonoCelular: text,
  rfc: code,
  scurp: code,
});

/** A record whose names are repaired. `received` has them as they were received, if they differ. */
const CreditRecord = CreditColumns.transform((record) => {
  const nombre = repairFundName(record.nombre);
  const apPaterno = repairFundName(record.apPaterno);
  const apMaterno = repairFundName(record.apMaterno);
  const isRepaired = nombre !== record.nombre || apPaterno !== record.apPaterno || apMaterno !== record.apMaterno;
  const asReceived: NameParts = {
    names: record.nombre,
    paternalSurname: record.apPaterno,
    maternalSurname: record.apMaterno,
  };
  return { ...record, nombre, apPaterno, apMaterno, received: isRepaired ? asReceived : null };
});

export type CreditRecord = z.output<typeof CreditRecord>;

const isSameNumber = (answered: string | null | undefined, asked: string): boolean =>
  answered === null || stripLeadingZeros(answered ?? '') === stripLeadingZeros(asked);

export interface NssQuestion extends DerivedQuestion {
  readonly nss: string;
}

/** Properties of the endpoints that take an NSS. The service takes it as a number, without leading zeros, and returns one record. */
const byNss = {
  registry: 'housing',
  method: 'POST',
  encoding: 'query',
  envelope: 'record',
  units: 1,
  toWire: ({ nss }: NssQuestion) => ({ nss: stripLeadingZeros(nss) }),
  subjects: ({ nss }: NssQuestion) => [{ kind: 'nss', value: nss } as const],
  argumentPaths: { nss: ['nss'] },
} as const;

export const findCredit = personEndpoint({
  ...byNss,
  name: 'findCredit',
  path: '/api/infonavit/grupo/buscar-credito',
  permission: 'use_buscar_credito',
  batch: true,
  schema: CreditRecord,
  // CURP and RFC are compared with the person's, so a record in which they cannot be read is not known to be the person's.
  matches: ({ nss, scurp, rfc }, asked) => isSameNumber(nss, asked.nss) && scurp !== undefined && rfc !== undefined,
  // `scurp` is added after parsing, because its column would convert the placeholder to upper case.
  placeholderAnswer: ({ nss }) => ({
    ...CreditRecord.parse({ nombre: placeholder(`names of ${nss}`), apPaterno: placeholder(`surname of ${nss}`) }),
    scurp: placeholder(`CURP of ${nss}`),
  }),
  person: {
    registry: 'HOUSING_FUND',
    echoes: ['NSS'],
    toTexts: ({ nss, scurp, rfc, nombre, apPaterno, apMaterno }) => [
      { nss, curp: scurp, rfc, names: nombre, paternalSurname: apPaterno, maternalSurname: apMaterno },
    ],
  },
});

const AccountRecord = columns({
  saldoSARTotal: amount,
  saldoAnterior: amount,
  saldoSAR92: amount,
  saldoSAR97: amount,
  NSS: identifier,
  bimestre: text,
  fechaPago: text,
  nombreEmpresa: text,
  aportacion: amount,
});

export type AccountRecord = z.output<typeof AccountRecord>;

export const findHousingAccount = personEndpoint({
  ...byNss,
  name: 'findHousingAccount',
  path: '/api/infonavit/grupo/obtener-cuenta',
  permission: 'use_obtener_cuenta',
  batch: false,
  schema: AccountRecord,
  matches: (record, { nss }) => isSameNumber(record.NSS, nss),
  person: { registry: 'HOUSING_FUND', echoes: ['NSS'], toTexts: ({ NSS }) => [{ nss: NSS }] },
});
