import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType({ description: 'One endpoint of the registry service: its price, its permission and who asks it.' })
export class RegistryEndpoint {
  @Field(() => String, { description: 'Method and path.' })
  readonly endpoint: string;

  @Field(() => Int, { description: 'Units for one call.' })
  readonly units: number;

  @Field(() => String, {
    nullable: true,
    description: 'The permission that the account needs; null where the interface names none.',
  })
  readonly permission: string | null;

  @Field(() => Boolean, { description: 'Whether the service allows it in batch processing.' })
  readonly batch: boolean;

  @Field(() => [String], {
    description: 'Where the graph asks it, as schema coordinates, for example `Person.credit`.',
  })
  readonly fields: readonly string[];
}
