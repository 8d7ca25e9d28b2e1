import { ID } from 'type-graphql';
import { fields, nonNull, nullable, Output } from '../../core/fields';
import { lookupFields } from '../../core/lookup/types';
import { DateTime, Decimal } from '../../core/scalars/scalars';
import { RegistryFile } from '../files/types';
import { ComplianceOpinion } from '../opinion/types';

@Output('The obligated subject behind an employer registration, and how it is classified.')
export class ObligatedSubject extends fields({
  id: nullable(ID, 'The identifier with which the 32-D opinion is requested (`meta.sujeto_obligado_id`).'),
  activity: nullable(String, 'Line of business (`clasificacion.giro`).'),
  fractionKey: nullable(String, 'Key of the fraction (`clasificacion.clave_fraccion`).'),
  division: nullable(String, 'Division of the catalogue (`clasificacion.division`).'),
  group: nullable(String, 'Group of the catalogue (`clasificacion.grupo`).'),
  fractionDescription: nullable(String, 'The fraction in words (`fraccion.descripcion`).'),
  fractionDetail: nullable(String, 'What the fraction covers (`fraccion.descripcion_detalle`).'),
  riskClass: nullable(String, 'Risk class, I to V (`fraccion.clase`).'),
  riskPremium: nullable(Decimal, 'Risk premium, per cent (`fraccion.prima_srt`).'),
}) {}

@Output('The resolution of an employer registration.')
export class ObligatedSubjectLookup extends lookupFields({
  warnings: nonNull([String], "The service's warnings (`warnings`), unchanged."),
  record: nullable(ObligatedSubject, 'The obligated subject; null unless FOUND.'),
}) {}

@Output(
  'The 32-D opinion on compliance in social security. FOUND only means that a document was issued. `opinion { sense }` says whether the employer complies.',
)
export class ComplianceOpinionLookup extends lookupFields({
  opinion: nullable(
    ComplianceOpinion,
    `What the document says. padron reads the PDF if you select this field, without another call.
Null unless FOUND, and if the document cannot be read with certainty: then \`problems\` has OPINION_UNREADABLE, or
ANSWER_MISMATCH if it is about another RFC. Null is not a result: do not show it as one.`,
  ),
  document: nullable(
    RegistryFile,
    'The opinion as a PDF. Null unless FOUND. Its existence says nothing about the employer: see `opinion`.',
  ),
  validUntil: nullable<Date>(
    DateTime,
    'End of the day of the answer in Mexico City (23:59:59), calculated without the document. `opinion { validUntil }` is the date in the document.',
  ),
}) {}

export const spanishNames = {
  complianceOpinion: 'opinión de cumplimiento',
  division: 'división',
  fractionDescription: 'descripción de la fracción',
  fractionDetail: 'detalle de la fracción',
  fractionKey: 'clave de la fracción',
  group: 'grupo',
  obligatedSubject: 'sujeto obligado',
  opinion: 'opinión',
};
