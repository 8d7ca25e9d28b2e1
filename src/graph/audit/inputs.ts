import { Field, ID, InputType } from 'type-graphql';
import type { AuditAction } from '../../ledger/audit/audit-record';
import { DateTime } from '../scalars/scalars';
import { AuditActions } from './enums';

@InputType({ description: 'Which records of the audit trail: those for which all of this holds.' })
export class RegistryAuditFilter {
  @Field(() => DateTime, { nullable: true, description: 'From this instant on, itself included.' })
  readonly from?: string | null;

  @Field(() => DateTime, { nullable: true, description: 'Up to this instant, itself excluded.' })
  readonly to?: string | null;

  @Field(() => AuditActions, { nullable: true, description: 'Of this action.' })
  readonly action?: AuditAction | null;

  @Field(() => String, { nullable: true, description: 'Of this client.' })
  readonly client?: string | null;

  @Field(() => ID, { nullable: true, description: 'Of this batch.' })
  readonly batch?: string | null;

  @Field(() => ID, {
    nullable: true,
    description: 'The record with this id, for example the one that the receipt of an erasure names.',
  })
  readonly id?: string | null;
}
