import type { z } from 'zod';
import { parseIsoDate } from '../../../identifiers/dates';
import {
  code,
  columns,
  type DerivedQuestion,
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
  datosDocProbatorio: Proof.nullish(),
  historial: History.nullish(),
});

export type IdentityRecord = z.output<typeof IdentityRecord>;

export interface CurpQuestion extends DerivedQuestion {
  readonly curp: string;
}

/** The interface specifies the answer but not the path, so the operator sets it with IDENTITY_PATH. */
export const findIdentity = personEndpoint({
  name: 'findIdentity',
  registry: 'population',
  method: 'POST',
  path: '/api/renapo/grupo/valida-curp',
  pathSetting: 'identityPath',
  encoding: 'query',
  envelope: 'record',
  units: 1,
  permission: null,
  scope: 'padron_find_identity',
  batch: false,
  schema: IdentityRecord,
  toWire: ({ curp }: CurpQuestion) => ({ curp }),
  subjects: ({ curp }) => [{ kind: 'curp', value: curp }],
  argumentPaths: { curp: ['curp'] },
  // The record of a CURP that was replaced has the current one, and names the one that was asked for.
  matches: (record, { curp }) =>
    record.curp === null || record.curp === curp || record.historial?.curpOriginal === curp,
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
