import { Field, InputType, Int } from 'type-graphql';
import { Json } from '../scalars/scalars';

@InputType({ description: 'An operation, and the rows that it is to run over.' })
export class RegistryBatchInput {
  @Field(() => String, { nullable: true, description: 'A name for people, 200 characters at most.' })
  readonly name?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Of your own making, 200 characters at most: asked again with the same key, the same batch is given back. With a JWT, keys of two clients never meet.',
  })
  readonly key?: string | null;

  @Field(() => String, { description: 'The GraphQL document: a query, whose variables the columns are named after.' })
  readonly operation: string;

  @Field(() => String, { nullable: true, description: 'Which operation of the document, where it holds several.' })
  readonly operationName?: string | null;

  @Field(() => [Json], {
    nullable: true,
    description:
      'The variables of each run, 1,000 rows at most, with your label as `ref`. Omitted: they are sent to `uploadUrl`.',
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
      'What the batch is for, as the ledger will have it; omitted: the header `x-tag`. At most 64 characters and three digits, and no identifier of a person: another one is refused.',
  })
  readonly tag?: string | null;
}
