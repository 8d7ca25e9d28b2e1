import { Field, Int, ObjectType } from 'type-graphql';
import { RegistryLookup } from '../../core/lookup/types';
import { Curp, DateScalar } from '../../core/scalars/scalars';

@ObjectType({
  description: 'The document that proves an identity (`datosDocProbatorio`), as a rule a birth certificate.',
})
export class IdentityProof {
  @Field(() => String, { nullable: true, description: 'State of registration (`entidadRegistro`).' })
  readonly state: string | null;

  @Field(() => String, { nullable: true, description: 'Code of the state of registration (`claveEntidadRegistro`).' })
  readonly stateCode: string | null;

  @Field(() => String, { nullable: true, description: 'Municipality of registration (`municipioRegistro`).' })
  readonly municipality: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Code of the municipality of registration (`claveMunicipioRegistro`).',
  })
  readonly municipalityCode: number | null;

  @Field(() => Int, { nullable: true, description: 'Year of registration (`anioReg`).' })
  readonly year: number | null;

  @Field(() => Int, { nullable: true, description: 'Number of the act (`numActa`).' })
  readonly actNumber: number | null;

  @Field(() => Int, { nullable: true, description: 'Sheet (`foja`).' })
  readonly sheet: number | null;

  @Field(() => Int, { nullable: true, description: 'Book (`libro`).' })
  readonly book: number | null;
}

@ObjectType({ description: 'History of a CURP (`historial`).' })
export class CurpHistory {
  @Field(() => String, {
    nullable: true,
    description: 'Status code of the CURP (`estatusCurp`), for example AN or RCN (in force), BD (cancelled).',
  })
  readonly status: string | null;

  @Field(() => String, { nullable: true, description: 'The status in words (`desEstatusCURP`).' })
  readonly statusDescription: string | null;

  @Field(() => String, { nullable: true, description: 'The CURP that was given first (`curpOriginal`).' })
  readonly originalCurp: string | null;

  @Field(() => String, { nullable: true, description: 'Description of the CURP (`descripcionCurp`).' })
  readonly description: string | null;
}

@ObjectType({ description: "The population registry's record of a person." })
export class RegisteredIdentity {
  @Field(() => Curp, { nullable: true, description: 'Population registry code (`curp`).' })
  readonly curp: string | null;

  @Field(() => String, { nullable: true, description: 'First name or names (`nombres`).' })
  readonly names: string | null;

  @Field(() => String, { nullable: true, description: 'First surname (`apellidoPaterno`).' })
  readonly paternalSurname: string | null;

  @Field(() => String, { nullable: true, description: 'Second surname (`apellidoMaterno`).' })
  readonly maternalSurname: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Sex (`sexo`), unchanged: HOMBRE or MUJER today. The registry may add values.',
  })
  readonly sex: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Day of birth (`fechaNacimiento`).' })
  readonly birthDate: string | null;

  @Field(() => String, { nullable: true, description: 'Country of birth (`paisNacimiento`).' })
  readonly birthCountry: string | null;

  @Field(() => String, { nullable: true, description: 'State of birth (`estadoNacimiento`).' })
  readonly birthState: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Code of the document that proves the identity (`docProbatorio`): 1 is a birth certificate.',
  })
  readonly proofDocument: number | null;

  @Field(() => IdentityProof, { nullable: true, description: 'That document (`datosDocProbatorio`).' })
  readonly proof: IdentityProof | null;

  @Field(() => CurpHistory, { nullable: true, description: 'History of the CURP (`historial`).' })
  readonly history: CurpHistory | null;
}

@ObjectType({ implements: RegistryLookup, description: 'The answer of the population registry about one CURP.' })
export class IdentityLookup extends RegistryLookup {
  @Field(() => RegisteredIdentity, { nullable: true, description: 'The person; null unless FOUND.' })
  readonly record: RegisteredIdentity | null;
}

export const spanishNames = {
  actNumber: 'número de acta',
  birthCountry: 'país de nacimiento',
  birthDate: 'fecha de nacimiento',
  birthState: 'estado de nacimiento',
  history: 'historial',
  identity: 'identidad',
  municipality: 'municipio',
  municipalityCode: 'clave del municipio',
  originalCurp: 'CURP original',
  proof: 'documento probatorio',
  proofDocument: 'clave del documento probatorio',
  statusDescription: 'descripción del estatus',
  year: 'año',
};
