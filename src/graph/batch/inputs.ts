import { Field, InputType, Int } from 'type-graphql';
import { Json } from '../scalars/scalars';

@InputType({ description: 'An operation and its rows.' })
export class RegistryBatchInput {
  @Field(() => String, { nullable: true, description: 'A name to show to people, 200 characters at most.' })
  readonly name?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'A key that you choose, 200 characters at most. Creating a batch with the same key again returns the same batch. With JWTs, each client has its own keys.',
  })
  readonly key?: string | null;

  @Field(() => String, { description: 'The GraphQL document: a query. The columns have the names of its variables.' })
  readonly operation: string;

  @Field(() => String, { nullable: true, description: 'Name of the operation, if the document has several.' })
  readonly operationName?: string | null;

  @Field(() => [Json], {
    nullable: true,
    description:
      'The variables of each run, 1,000 rows at most, with your label as `ref`. Omitted: send them to `uploadUrl`.',
  })
  readonly rows?: readonly unknown[] | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Days after its end that the batch is kept: 1 up to the number that the operator set (`BATCH_RETENTION_DAYS`), which is also the default.',
  })
  readonly retentionDays?: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The purpose of the batch, as the ledger records it. Omitted: the header `x-tag`. At most 64 characters and three digits, and no identifier of a person; otherwise it is refused.',
  })
  readonly tag?: string | null;
}
