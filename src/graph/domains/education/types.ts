import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { RegistryLookup } from '../../core/lookup/types';
import { CertificateFolio, Curp, Decimal, LicenceNumber, LocalDateTime } from '../../core/scalars/scalars';
import { RegistryFile } from '../files/types';

export const NameMatch = { EXACT: 'EXACT', ALL: 'ALL' } as const;

export type NameMatch = keyof typeof NameMatch;

registerEnumType(NameMatch, {
  name: 'NameMatch',
  description: 'Which records of a search by name to keep.',
  valuesConfig: {
    EXACT: {
      description:
        "Records whose name is this person's (case, accents and Ñ/N aside; each part whole; a second surname that either side lacks matches) and whose CURP, if the record has one, is not another person's.",
    },
    ALL: { description: 'Every record that the registry returns.' },
  },
});

@ObjectType({ description: 'A professional licence (cédula profesional) of the national professionals registry.' })
export class ProfessionalLicence {
  @Field(() => LicenceNumber, { nullable: true, description: 'Licence number (`idCedula`).' })
  readonly number: string | null;

  @Field(() => String, { nullable: true, description: 'Kind of licence, for example C1 (`tipo`).' })
  readonly kind: string | null;

  @Field(() => String, { nullable: true, description: 'Title or degree (`titulo`).' })
  readonly title: string | null;

  @Field(() => String, { nullable: true, description: 'Institution that granted it (`desins`).' })
  readonly institution: string | null;

  @Field(() => Int, { nullable: true, description: 'Year of registration (`anioreg`).' })
  readonly registrationYear: number | null;

  @Field(() => String, { nullable: true, description: 'First name or names of the holder (`nombre`).' })
  readonly names: string | null;

  @Field(() => String, { nullable: true, description: 'First surname of the holder (`paterno`).' })
  readonly paternalSurname: string | null;

  @Field(() => String, { nullable: true, description: 'Second surname of the holder (`materno`).' })
  readonly maternalSurname: string | null;

  @Field(() => String, { nullable: true, description: '`nombreM`: the interface does not say what it means.' })
  readonly namesM: string | null;

  @Field(() => String, { nullable: true, description: '`paternoM`: the interface does not say what it means.' })
  readonly paternalSurnameM: string | null;

  @Field(() => String, { nullable: true, description: '`maternoM`: the interface does not say what it means.' })
  readonly maternalSurnameM: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Sex (`sexo`), unchanged: 1 for male and 2 for female have been seen.',
  })
  readonly sex: string | null;

  @Field(() => Curp, { nullable: true, description: 'Population registry code of the holder (`curp`), often absent.' })
  readonly curp: string | null;

  @Field(() => String, { nullable: true, description: 'Sheet of the register (`foja`).' })
  readonly sheet: string | null;

  @Field(() => String, { nullable: true, description: 'Book of the register (`libro`).' })
  readonly book: string | null;

  @Field(() => String, { nullable: true, description: 'Entry in the book (`numero`).' })
  readonly entry: string | null;

  @Field(() => String, { nullable: true, description: 'Code of the area of study (`carArea`).' })
  readonly areaCode: string | null;

  @Field(() => String, { nullable: true, description: 'Consecutive number of the career (`carCons`).' })
  readonly consecutive: string | null;

  @Field(() => String, { nullable: true, description: 'Code of the level of study (`carNivel`).' })
  readonly levelCode: string | null;

  @Field(() => String, { nullable: true, description: 'Code of the sub-area of study (`carSarea`).' })
  readonly subareaCode: string | null;

  @Field(() => Int, { nullable: true, description: 'Consecutive code of the institution (`inscons`).' })
  readonly institutionCode: number | null;

  @Field(() => Int, { nullable: true, description: 'State code of the institution (`insedo`).' })
  readonly institutionStateCode: number | null;
}

@ObjectType({ implements: RegistryLookup, description: 'The answer of the national professionals registry.' })
export class LicencesLookup extends RegistryLookup {
  @Field(() => [ProfessionalLicence], {
    nullable: true,
    description: 'Licences found. Empty if NOT_FOUND, null if the question has no answer.',
  })
  readonly records: readonly ProfessionalLicence[] | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Number of records that the registry returned and `records` leaves out, because they belong to other people. NOT_FOUND with more than 0 has the problem NO_RECORD_MATCHES; `match: ALL` shows them. Null if the question has no answer.',
  })
  readonly setAside: number | null;
}

@ObjectType({ description: 'An electronic certificate of studies (technical education), digitalised with a QR code.' })
export class StudyCertificate {
  @Field(() => ID, { nullable: true, description: '`certificadoId`.' })
  readonly id: string | null;

  @Field(() => CertificateFolio, { nullable: true, description: 'Electronic folio (`folio`).' })
  readonly folio: string | null;

  @Field(() => String, { nullable: true, description: 'First name or names of the holder (`nombres`).' })
  readonly names: string | null;

  @Field(() => String, { nullable: true, description: 'First surname of the holder (`primerApellido`).' })
  readonly paternalSurname: string | null;

  @Field(() => String, { nullable: true, description: 'Second surname of the holder (`segundoApellido`).' })
  readonly maternalSurname: string | null;

  @Field(() => String, { nullable: true, description: 'Institution (`institucion`).' })
  readonly institution: string | null;

  @Field(() => LocalDateTime, { nullable: true, description: 'When the studies were certified (`fechaCertificado`).' })
  readonly certifiedAt: string | null;

  @Field(() => String, { nullable: true, description: 'Status of the certificate in words (`estatus`).' })
  readonly status: string | null;

  @Field(() => String, { nullable: true, description: 'Level of the certification (`tipoCertificacion`).' })
  readonly level: string | null;

  @Field(() => String, { nullable: true, description: 'Kind of certificate (`tipoCertificado`).' })
  readonly kind: string | null;

  @Field(() => Decimal, { nullable: true, description: 'Grade average (`promedio`).' })
  readonly gradeAverage: string | null;

  @Field(() => String, { nullable: true, description: 'Career (`carrera`).' })
  readonly career: string | null;

  @Field(() => String, { nullable: true, description: '`tipo`: the interface does not say what it means.' })
  readonly category: string | null;

  @Field(() => String, { nullable: true, description: 'Code of the federal state (`idEntidadFederativa`).' })
  readonly stateCode: string | null;

  @Field(() => String, { nullable: true, description: 'Name of the federal state (`entidadFederativa`).' })
  readonly state: string | null;

  @Field(() => LocalDateTime, { nullable: true, description: 'When the certificate was issued (`fechaEmision`).' })
  readonly issuedAt: string | null;
}

@ObjectType({ implements: RegistryLookup, description: "The ministry's answer about one electronic certificate." })
export class StudyCertificateLookup extends RegistryLookup {
  @Field(() => StudyCertificate, { nullable: true, description: 'The certificate; null unless FOUND.' })
  readonly record: StudyCertificate | null;
}

@ObjectType({ description: "A person's professional status: a certificate (constancia) that lists their licences." })
export class ProfessionalStatus {
  @Field(() => Curp, { nullable: true, description: 'The requested CURP (`curp`).' })
  readonly curp: string | null;

  @Field(() => RegistryFile, {
    description:
      'The certificate as a PDF, behind a signed link (`url_constancia`). padron does not read it, and it may list no licence: use `licences`.',
  })
  readonly document: RegistryFile;
}

@ObjectType({
  implements: RegistryLookup,
  description: "The ministry's answer about one person's professional status.",
})
export class ProfessionalStatusLookup extends RegistryLookup {
  @Field(() => ProfessionalStatus, { nullable: true, description: 'The certificate; null unless FOUND.' })
  readonly record: ProfessionalStatus | null;
}

export const spanishNames = {
  areaCode: 'clave de área',
  career: 'carrera',
  category: 'tipo',
  consecutive: 'consecutivo',
  entry: 'número de asiento',
  gradeAverage: 'promedio',
  institution: 'institución',
  institutionCode: 'clave de la institución',
  institutionStateCode: 'clave del estado de la institución',
  level: 'nivel',
  levelCode: 'clave de nivel',
  licences: 'cédulas',
  maternalSurnameM: 'apellido materno M',
  namesM: 'nombres M',
  paternalSurnameM: 'apellido paterno M',
  professionalLicence: 'cédula profesional',
  professionalStatus: 'situación profesional',
  registrationYear: 'año de registro',
  studyCertificate: 'certificado de estudios',
  subareaCode: 'clave de subárea',
  title: 'título',
};
