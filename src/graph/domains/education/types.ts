import { ID, Int } from 'type-graphql';
import { enumType, fields, nonNull, nullable, Output } from '../../core/fields';
import { lookupFields } from '../../core/lookup/types';
import { CertificateFolio, Curp, Decimal, LicenceNumber, LocalDateTime } from '../../core/scalars/scalars';
import { RegistryFile } from '../files/types';

export const NameMatch = enumType('NameMatch', 'Which records of a search by name to keep.', {
  EXACT:
    "Records that are this person's: those with the CURP of the person, and those without a CURP whose name is the same (case, accents, blanks, dots, hyphens and Ñ/N aside). If others may be this person's, the lookup has the problem POSSIBLE_RECORDS.",
  ALL: 'Every record that the registry returns.',
});

export type NameMatch = keyof typeof NameMatch;

@Output('A professional licence (cédula profesional) of the national professionals registry.')
export class ProfessionalLicence extends fields({
  number: nullable(LicenceNumber, 'Licence number (`idCedula`).'),
  kind: nullable(String, 'Kind of licence, for example C1 (`tipo`).'),
  title: nullable(String, 'Title or degree (`titulo`).'),
  institution: nullable(String, 'Institution that granted it (`desins`).'),
  registrationYear: nullable(Int, 'Year of registration (`anioreg`).'),
  names: nullable(String, 'First name or names of the holder (`nombre`).'),
  paternalSurname: nullable(String, 'First surname of the holder (`paterno`).'),
  maternalSurname: nullable(String, 'Second surname of the holder (`materno`).'),
  namesM: nullable(String, '`nombreM`: the interface does not say what it means.'),
  paternalSurnameM: nullable(String, '`paternoM`: the interface does not say what it means.'),
  maternalSurnameM: nullable(String, '`maternoM`: the interface does not say what it means.'),
  sex: nullable(String, 'Sex (`sexo`), unchanged: 1 for male and 2 for female have been seen.'),
  curp: nullable(Curp, 'Population registry code of the holder (`curp`), often absent.'),
  sheet: nullable(String, 'Sheet of the register (`foja`).'),
  book: nullable(String, 'Book of the register (`libro`).'),
  entry: nullable(String, 'Entry in the book (`numero`).'),
  areaCode: nullable(String, 'Code of the area of study (`carArea`).'),
  consecutive: nullable(String, 'Consecutive number of the career (`carCons`).'),
  levelCode: nullable(String, 'Code of the level of study (`carNivel`).'),
  subareaCode: nullable(String, 'Code of the sub-area of study (`carSarea`).'),
  institutionCode: nullable(Int, 'Consecutive code of the institution (`inscons`).'),
  institutionStateCode: nullable(Int, 'State code of the institution (`insedo`).'),
}) {}

@Output('The name that a search was made with.')
export class SearchedName extends fields({
  names: nonNull(String, 'First name or names.'),
  paternalSurname: nonNull(String, 'First surname.'),
  maternalSurname: nullable(String, 'Second surname. Null if the search was made without one.'),
}) {}

@Output('The answer of the national professionals registry.')
export class LicencesLookup extends lookupFields({
  records: nullable([ProfessionalLicence], 'Licences found. Empty if NOT_FOUND, null if the question has no answer.'),
  searchedName: nullable(
    SearchedName,
    'The name that was searched: as you gave it or as another registry writes it, without an abbreviated given name if another one is left. Null if none was.',
  ),
  setAside: nullable(
    Int,
    'Number of records that the registry returned and `records` leaves out, because they belong to other people. NOT_FOUND with more than 0 has the problem NO_RECORD_MATCHES; `match: ALL` shows them. Null if the question has no answer.',
  ),
}) {}

@Output('An electronic certificate of studies (technical education), digitalised with a QR code.')
export class StudyCertificate extends fields({
  id: nullable(ID, '`certificadoId`.'),
  folio: nullable(CertificateFolio, 'Electronic folio (`folio`).'),
  names: nullable(String, 'First name or names of the holder (`nombres`).'),
  paternalSurname: nullable(String, 'First surname of the holder (`primerApellido`).'),
  maternalSurname: nullable(String, 'Second surname of the holder (`segundoApellido`).'),
  institution: nullable(String, 'Institution (`institucion`).'),
  certifiedAt: nullable(LocalDateTime, 'When the studies were certified (`fechaCertificado`).'),
  status: nullable(String, 'Status of the certificate in words (`estatus`).'),
  level: nullable(String, 'Level of the certification (`tipoCertificacion`).'),
  kind: nullable(String, 'Kind of certificate (`tipoCertificado`).'),
  gradeAverage: nullable(Decimal, 'Grade average (`promedio`).'),
  career: nullable(String, 'Career (`carrera`).'),
  category: nullable(String, '`tipo`: the interface does not say what it means.'),
  stateCode: nullable(String, 'Code of the federal state (`idEntidadFederativa`).'),
  state: nullable(String, 'Name of the federal state (`entidadFederativa`).'),
  issuedAt: nullable(LocalDateTime, 'When the certificate was issued (`fechaEmision`).'),
}) {}

@Output("The ministry's answer about one electronic certificate.")
export class StudyCertificateLookup extends lookupFields({
  record: nullable(StudyCertificate, 'The certificate; null unless FOUND.'),
}) {}

@Output("A person's professional status: a certificate (constancia) that lists their licences.")
export class ProfessionalStatus extends fields({
  curp: nullable(Curp, 'The requested CURP (`curp`).'),
  document: nonNull(
    RegistryFile,
    'The certificate as a PDF, behind a signed link (`url_constancia`). padron does not read it, and it may list no licence: use `licences`.',
  ),
}) {}

@Output("The ministry's answer about one person's professional status.")
export class ProfessionalStatusLookup extends lookupFields({
  record: nullable(ProfessionalStatus, 'The certificate; null unless FOUND.'),
}) {}

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
  searchedName: 'nombre buscado',
  studyCertificate: 'certificado de estudios',
  subareaCode: 'clave de subárea',
  title: 'título',
};
