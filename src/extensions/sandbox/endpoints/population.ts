import type { SandboxPerson } from '../data/people';
import { fields } from '../protocol/input-fields';
import { found, notFound, type ServiceResponse } from '../protocol/responses';
import { commonRoute, type Question, type Route } from '../protocol/route';
import { findPersonByCurp } from '../test-cards/directory';

function toBirthProof(person: SandboxPerson): Readonly<Record<string, unknown>> {
  const { birthState, birthDate, actNumber } = person;
  return {
    entidadRegistro: birthState.name,
    claveMunicipioRegistro: (actNumber % 60) + 1,
    anioReg: Number(birthDate.slice(0, 4)),
    numActa: actNumber,
    municipioRegistro: birthState.municipality,
    claveEntidadRegistro: actNumber % 5 === 0 ? null : birthState.number,
    ...(actNumber % 2 === 0 ? { foja: (actNumber % 300) + 1, libro: (actNumber % 9) + 1 } : {}),
  };
}

function toStatus({ alive, replacedCurp }: SandboxPerson): Readonly<Record<string, string>> {
  if (!alive) return { estatusCurp: 'BD', desEstatusCURP: 'BAJA POR DEFUNCIÓN' };
  return replacedCurp === undefined
    ? { estatusCurp: 'RCN', desEstatusCURP: 'REGISTRO DE CAMBIO NO AFECTANDO A CURP' }
    : { estatusCurp: 'RCC', desEstatusCURP: 'REGISTRO DE CAMBIO AFECTANDO A CURP' };
}

function validateCurp({ values }: Question): ServiceResponse {
  const person = findPersonByCurp(values.curp ?? '');
  if (!person) return notFound('common');
  const abroad = person.birthState.code === 'NE';
  return found({
    curp: person.curp,
    nombres: person.names,
    apellidoPaterno: person.paternalSurname,
    apellidoMaterno: person.maternalSurname,
    sexo: person.sex,
    fechaNacimiento: person.birthDate,
    paisNacimiento: abroad ? 'ESTADOS UNIDOS DE AMÉRICA' : 'MÉXICO',
    estadoNacimiento: person.birthState.name,
    docProbatorio: 1,
    datosDocProbatorio: toBirthProof(person),
    historial: {
      ...toStatus(person),
      curpOriginal: person.replacedCurp ?? person.curp,
      descripcionCurp: person.alive ? 'CURP VIGENTE' : 'CURP DADA DE BAJA',
    },
  });
}

/** The interface does not document the path. */
export const populationRoutes = (identityPath: string): readonly Route[] => [
  commonRoute(identityPath, null, [fields.curp], validateCurp),
];
