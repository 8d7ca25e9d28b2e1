import { Field, ID, Int, ObjectType } from 'type-graphql';
import { RegistryLookup } from '../../core/lookup/types';
import { DateTime, Decimal, EmployerRegistration, Rfc } from '../../core/scalars/scalars';

@ObjectType({ description: 'One line of a contribution total.' })
export class ContributionConcept {
  @Field(() => String, { description: 'The concept in Spanish, for example Enfermedades y maternidad (`label`).' })
  readonly label: string;

  @Field(() => Decimal, { nullable: true, description: 'Its amount in Mexican pesos (`value`).' })
  readonly value: string | null;
}

@ObjectType({ description: "The institute's records about an employer registration at one moment." })
export class EmployerSnapshot {
  @Field(() => ID, { description: '`id`.' })
  readonly id: string;

  @Field(() => ID, { nullable: true, description: 'The account that took the snapshot (`user_id`).' })
  readonly userId: string | null;

  @Field(() => EmployerRegistration, { nullable: true, description: 'Employer registration (`registro_patronal`).' })
  readonly registration: string | null;

  @Field(() => String, { nullable: true, description: 'Registered name (`razon_social`).' })
  readonly name: string | null;

  @Field(() => Rfc, { nullable: true, description: 'Taxpayer code of the employer (`rfc`).' })
  readonly rfc: string | null;

  @Field(() => String, { nullable: true, description: 'Line of business (`giro`).' })
  readonly activity: string | null;

  @Field(() => String, { nullable: true, description: 'Risk class, I to V (`clase_riesgo`).' })
  readonly riskClass: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Person or company (`tipo_persona`), unchanged. Its values are not documented.',
  })
  readonly personKind: string | null;

  @Field(() => Decimal, { nullable: true, description: 'Risk premium, per cent (`prima_srt`).' })
  readonly riskPremium: string | null;

  @Field(() => Int, { nullable: true, description: 'Number of workers (`numero_trabajadores`).' })
  readonly workers: number | null;

  @Field(() => Decimal, { nullable: true, description: 'Total of the Imss contributions in pesos (`total_imss`).' })
  readonly totalImss: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: 'Total of the retirement contributions (RCV) in pesos (`total_rcv`).',
  })
  readonly totalRcv: string | null;

  @Field(() => [ContributionConcept], { description: 'The Imss total by concept (`totales_imss`).' })
  readonly imssBreakdown: readonly ContributionConcept[];

  @Field(() => [ContributionConcept], { description: 'The RCV total by concept (`totales_rcv`).' })
  readonly rcvBreakdown: readonly ContributionConcept[];

  @Field(() => DateTime, { nullable: true, description: 'When the data was read from the institute (`captured_at`).' })
  readonly capturedAt: string | null;

  @Field(() => DateTime, { nullable: true, description: 'When the snapshot was stored (`created_at`).' })
  readonly createdAt: string | null;

  @Field(() => DateTime, { nullable: true, description: 'When the snapshot was last changed (`updated_at`).' })
  readonly updatedAt: string | null;
}

@ObjectType({ implements: RegistryLookup, description: 'The historical snapshots of one employer registration.' })
export class SnapshotsLookup extends RegistryLookup {
  @Field(() => [EmployerSnapshot], {
    nullable: true,
    description: 'Snapshots, newest first. Empty if NOT_FOUND, null if the question has no answer.',
  })
  readonly records: readonly EmployerSnapshot[] | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Number of snapshots of other registrations that the service returned too. They are not shown. NOT_FOUND with more than 0 has the problem NO_RECORD_MATCHES. Null if the question has no answer.',
  })
  readonly setAside: number | null;
}

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
