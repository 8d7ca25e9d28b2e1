import { Field, ID, InputType } from 'type-graphql';
import type { AuditAction } from '../../../ledger/audit/audit-record';
import { DateTime } from '../../core/scalars/scalars';
import { AuditActions } from './enums';

@InputType({ description: 'Filter of the audit trail. A record has to match all fields.' })
export class RegistryAuditFilter {
  @Field(() => DateTime, {
    nullable: true,
    description: 'Start of the interval, included. A day such as `2026-11-01` begins at midnight in `TIME_ZONE`.',
  })
  readonly from?: string | null;

  @Field(() => DateTime, {
    nullable: true,
    description: 'End of the interval, excluded. A day such as `2026-11-01` begins at midnight in `TIME_ZONE`.',
  })
  readonly to?: string | null;

  @Field(() => AuditActions, { nullable: true, description: 'Records of this action.' })
  readonly action?: AuditAction | null;

  @Field(() => String, { nullable: true, description: 'Records of this client.' })
  readonly client?: string | null;

  @Field(() => ID, { nullable: true, description: 'Records of this batch.' })
  readonly batch?: string | null;

  @Field(() => ID, {
    nullable: true,
    description: "The record with this ID, for example the ID of an erasure's receipt.",
  })
  readonly id?: string | null;
}
