import type { z } from 'zod';
import {
  code,
  columns,
  type DerivedQuestion,
  endpoint,
  integer,
  placeholder,
  text,
} from '../../../registry/endpoint/endpoint';

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

const History = columns({ estatusCurp: text, desEstatusCURP: text, curpOriginal: text, descripcionCurp: text });

const IdentityRecord = columns({
  curp: code,
  nombres: text,
  apellidoPaterno: text,
  apellidoMaterno: text,
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
export const findIdentity = endpoint({
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
  matches: (record, { curp }) => record.curp === null || record.curp === curp,
  placeholderAnswer: ({ curp }) =>
    IdentityRecord.parse({
      nombres: placeholder(`names of ${curp}`),
      apellidoPaterno: placeholder(`surname of ${curp}`),
    }),
});
