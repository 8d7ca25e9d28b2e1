import { ID, Int } from 'type-graphql';
import { fields, nullable, Output } from '../../core/fields';
import { lookupFields } from '../../core/lookup/types';
import { DateTime, Decimal, EmployerRegistration, Rfc } from '../../core/scalars/scalars';

@Output('One line of a contribution total.')
export class ContributionConcept extends fields({
  label: nullable(String, 'The concept in Spanish, for example Enfermedades y maternidad (`label`).'),
  value: nullable(Decimal, 'Its amount in Mexican pesos (`value`).'),
}) {}

@Output("The institute's records about an employer registration at one moment.")
export class EmployerSnapshot extends fields({
  id: nullable(ID, '`id`.'),
  userId: nullable(ID, 'The account that took the snapshot (`user_id`).'),
  registration: nullable(EmployerRegistration, 'Employer registration (`registro_patronal`).'),
  name: nullable(String, 'Registered name (`razon_social`).'),
  rfc: nullable(Rfc, 'Taxpayer code of the employer (`rfc`).'),
  activity: nullable(String, 'Line of business (`giro`).'),
  riskClass: nullable(String, 'Risk class, I to V (`clase_riesgo`).'),
  personKind: nullable(String, 'Person or company (`tipo_persona`), unchanged. Its values are not documented.'),
  riskPremium: nullable(Decimal, 'Risk premium, per cent (`prima_srt`).'),
  workers: nullable(Int, 'Number of workers (`numero_trabajadores`).'),
  totalImss: nullable(Decimal, 'Total of the Imss contributions in pesos (`total_imss`).'),
  totalRcv: nullable(Decimal, 'Total of the retirement contributions (RCV) in pesos (`total_rcv`).'),
  imssBreakdown: nullable([ContributionConcept], 'The Imss total by concept (`totales_imss`).'),
  rcvBreakdown: nullable([ContributionConcept], 'The RCV total by concept (`totales_rcv`).'),
  capturedAt: nullable(DateTime, 'When the data was read from the institute (`captured_at`).'),
  createdAt: nullable(DateTime, 'When the snapshot was stored (`created_at`).'),
  updatedAt: nullable(DateTime, 'When the snapshot was last changed (`updated_at`).'),
}) {}

@Output('The historical snapshots of one employer registration.')
export class SnapshotsLookup extends lookupFields({
  records: nullable(
    [EmployerSnapshot],
    'Snapshots, newest first. Empty if NOT_FOUND, null if the question has no answer.',
  ),
  setAside: nullable(
    Int,
    'Number of snapshots of other registrations that the service returned too. They are not shown. NOT_FOUND with more than 0 has the problem NO_RECORD_MATCHES. Null if the question has no answer.',
  ),
}) {}

export const spanishNames = {
  capturedAt: 'fecha de captura',
  imssBreakdown: 'desglose IMSS',
  label: 'concepto',
  personKind: 'tipo de persona',
  rcvBreakdown: 'desglose RCV',
  snapshots: 'instantáneas',
  totalImss: 'total IMSS',
  totalRcv: 'total RCV',
  updatedAt: 'fecha de actualización',
  userId: 'usuario',
  value: 'valor',
  workers: 'trabajadores',
};
