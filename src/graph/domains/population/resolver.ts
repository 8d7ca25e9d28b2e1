import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { parseIsoDate } from '../../../identifiers/dates';
import type { LookupContext } from '../../core/context';
import { lookUp } from '../../core/lookup/lookup';
import { PaidField } from '../../core/paid-field';
import { resolveCurp } from '../person/identifiers';
import { lookUpPerson } from '../person/review';
import { Person } from '../person/types';
import { findIdentity, type IdentityRecord } from './endpoints';
import { type CurpHistory, IdentityLookup, type IdentityProof, type RegisteredIdentity } from './types';

@Resolver(() => Person)
export class PopulationResolver {
  @FieldResolver(() => IdentityLookup, {
    nullable: true,
    description: 'The person in the population registry. Needs the CURP.',
  })
  @PaidField(findIdentity)
  identity(@Root() person: Person, @Ctx() context: LookupContext): Promise<IdentityLookup> {
    const toFields = (payload: IdentityRecord | null) => ({ record: payload && toIdentity(payload) });
    return lookUpPerson(context, person, findIdentity, (review) =>
      resolveCurp(context, person).then((curp) => lookUp(context, findIdentity, curp, toFields, review)),
    );
  }
}

function toIdentity(record: IdentityRecord): RegisteredIdentity {
  return {
    curp: record.curp ?? null,
    names: record.nombres,
    paternalSurname: record.apellidoPaterno,
    maternalSurname: record.apellidoMaterno,
    sex: record.sexo,
    birthDate: parseIsoDate(record.fechaNacimiento),
    birthCountry: record.paisNacimiento,
    birthState: record.estadoNacimiento,
    proofDocument: record.docProbatorio,
    proof: record.datosDocProbatorio ? toProof(record.datosDocProbatorio) : null,
    history: record.historial ? toHistory(record.historial) : null,
  };
}

function toProof(proof: NonNullable<IdentityRecord['datosDocProbatorio']>): IdentityProof {
  return {
    state: proof.entidadRegistro,
    stateCode: proof.claveEntidadRegistro,
    municipality: proof.municipioRegistro,
    municipalityCode: proof.claveMunicipioRegistro,
    year: proof.anioReg,
    actNumber: proof.numActa,
    sheet: proof.foja,
    book: proof.libro,
  };
}

function toHistory(history: NonNullable<IdentityRecord['historial']>): CurpHistory {
  return {
    status: history.estatusCurp,
    statusDescription: history.desEstatusCURP,
    originalCurp: history.curpOriginal ?? null,
    description: history.descripcionCurp,
  };
}
