import { Int } from 'type-graphql';
import { fields, nullable, Output } from '../../core/fields';
import { lookupFields } from '../../core/lookup/types';
import { Curp, DateScalar } from '../../core/scalars/scalars';

@Output('The document that proves an identity (`datosDocProbatorio`), as a rule a birth certificate.')
export class IdentityProof extends fields({
  state: nullable(String, 'State of registration (`entidadRegistro`).'),
  stateCode: nullable(String, 'Code of the state of registration (`claveEntidadRegistro`).'),
  municipality: nullable(String, 'Municipality of registration (`municipioRegistro`).'),
  municipalityCode: nullable(Int, 'Code of the municipality of registration (`claveMunicipioRegistro`).'),
  year: nullable(Int, 'Year of registration (`anioReg`).'),
  actNumber: nullable(Int, 'Number of the act (`numActa`).'),
  sheet: nullable(Int, 'Sheet (`foja`).'),
  book: nullable(Int, 'Book (`libro`).'),
}) {}

@Output('History of a CURP (`historial`).')
export class CurpHistory extends fields({
  status: nullable(
    String,
    'Status code of the CURP (`estatusCurp`), for example AN or RCN (in force), BD (cancelled).',
  ),
  statusDescription: nullable(String, 'The status in words (`desEstatusCURP`).'),
  originalCurp: nullable(String, 'The CURP that was given first (`curpOriginal`).'),
  description: nullable(String, 'Description of the CURP (`descripcionCurp`).'),
}) {}

@Output("The population registry's record of a person.")
export class RegisteredIdentity extends fields({
  curp: nullable(Curp, 'Population registry code (`curp`).'),
  names: nullable(String, 'First name or names (`nombres`).'),
  paternalSurname: nullable(String, 'First surname (`apellidoPaterno`).'),
  maternalSurname: nullable(String, 'Second surname (`apellidoMaterno`).'),
  sex: nullable(String, 'Sex (`sexo`), unchanged: HOMBRE or MUJER today. The registry may add values.'),
  birthDate: nullable(DateScalar, 'Day of birth (`fechaNacimiento`).'),
  birthCountry: nullable(String, 'Country of birth (`paisNacimiento`).'),
  birthState: nullable(String, 'State of birth (`estadoNacimiento`).'),
  proofDocument: nullable(
    Int,
    'Code of the document that proves the identity (`docProbatorio`): 1 is a birth certificate.',
  ),
  proof: nullable(IdentityProof, 'That document (`datosDocProbatorio`).'),
  history: nullable(CurpHistory, 'History of the CURP (`historial`).'),
}) {}

@Output('The answer of the population registry about one CURP.')
export class IdentityLookup extends lookupFields({
  record: nullable(RegisteredIdentity, 'The person; null unless FOUND.'),
}) {}

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
