import type { z } from 'zod';
import { parseIsoDate } from '../../../identifiers/dates';
import {
  code,
  columns,
  type DerivedQuestion,
  ifReadable,
  integer,
  personName,
  placeholder,
  text,
} from '../../../registry/endpoint/endpoint';
import { personEndpoint } from '../../../registry/endpoint/person';

const Proof = columns({
  entidadRegistro: text,
  claveEntidadRegistro: text,
  municipioRegistro: text,
  claveMunicipioRegistro: integer,
  anioReg: integer,
  numActa: integer,
  foja: integer,
  libro: integer,
});

const History = columns({ estatusCurp: text, desEstatusCURP: text, curpOriginal: code, descripcionCurp: text });

const IdentityRecord = columns({
  curp: code,
  nombres: personName,
  apellidoPaterno: personName,
  apellidoMaterno: personName,
  sexo: text,
  fechaNacimiento: text,
  paisNacimiento: text,
  estadoNacimiento: text,
  docProbatorio: integer,
  datosDocProbatorio: ifReadable(Proof.nullable()),
  historial: ifReadable(History.nullable()),
});

export type IdentityRecord = z.output<typeof IdentityRecord>;

export interface CurpQuestion extends DerivedQuestion {
  readonly curp: string;
}

/** Properties of the endpoints that take a CURP. */
export const byCurp = {
  method: 'POST',
  encoding: 'query',
  envelope: 'record',
  batch: false,
  toWire: ({ curp }: CurpQuestion) => ({ curp }),
  subjects: ({ curp }: CurpQuestion) => [{ kind: 'curp', value: curp } as const],
  argumentPaths: { curp: ['curp'] },
} as const;

/** The interface specifies the answer but not the path, so the operator sets it with IDENTITY_PATH. */
export const findIdentity = personEndpoint({
  ...byCurp,
  name: 'findIdentity',
  registry: 'population',
  path: '/api/renapo/grupo/valida-curp',
  pathSetting: 'identityPath',
  units: 1,
  permission: null,
  scope: 'padron_find_identity',
  schema: IdentityRecord,
  // The record of a CURP that was replaced has the current one, and names the one that was asked for.
  matches: (record, { curp }) =>
    record.curp !== undefined &&
    (record.curp === null || record.curp === curp || record.historial?.curpOriginal === curp),
  placeholderAnswer: ({ curp }) =>
    IdentityRecord.parse({
      nombres: placeholder(`names of ${curp}`),
      apellidoPaterno: placeholder(`surname of ${curp}`),
    }),
  person: {
    registry: 'POPULATION_REGISTRY',
    echoes: ['CURP'],
    toTexts: ({ curp, nombres, apellidoPaterno, apellidoMaterno, fechaNacimiento, sexo, historial }) => [
      {
        curp,
        replacedCurp: historial?.curpOriginal ?? null,
        names: nombres,
        paternalSurname: apellidoPaterno,
        maternalSurname: apellidoMaterno,
        birthDate: parseIsoDate(fechaNacimiento),
        sex: sexo,
      },
    ],
  },
});
