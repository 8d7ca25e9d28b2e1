import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { type RegistryLookup, RegistryProblem } from '../lookup/types';
import { Decimal, Json } from '../scalars/scalars';

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

  @Field(() => String, {
    description:
      "The scope that a caller's JWT needs, where this server holds the token: the permission, or a name of padron's own.",
  })
  readonly scope: string;

  @Field(() => Boolean, { description: 'Whether the service allows it in batch processing.' })
  readonly batch: boolean;

  @Field(() => [String], {
    description: 'Where the graph asks it, as schema coordinates, for example `Person.credit`.',
  })
  readonly fields: readonly string[];
}

@InputType({ description: 'An operation and the dataset that it would run over.' })
export class UnitEstimateInput {
  @Field(() => String, { description: 'The GraphQL document to be run.' })
  readonly operation: string;

  @Field(() => String, { nullable: true, description: 'Which operation of the document, where it holds several.' })
  readonly operationName?: string | null;

  @Field(() => [Json], {
    nullable: true,
    description: 'One set of variables a row, 10,000 at most; omitted: one empty row.',
  })
  readonly rows?: readonly unknown[] | null;

  @Field(() => String, { nullable: true, description: 'A name for the dataset, given back in the answer.' })
  readonly dataset?: string | null;
}

@ObjectType({ description: 'What one endpoint would cost over the whole dataset.' })
export class UnitEstimateEndpoint {
  @Field(() => String, { description: 'Path of the endpoint.' })
  readonly url: string;

  @Field(() => String, { nullable: true, description: "padron's own name of the endpoint." })
  readonly route: string | null;

  @Field(() => [String], {
    description:
      'The fields that ask it, as response names joined by dots (`person.credit`), in order of first asking; 100 at most.',
  })
  readonly fields: readonly string[];

  @Field(() => Int, { description: 'Calls over the whole dataset, each distinct question counted once.' })
  readonly calls: number;

  @Field(() => Int, { description: 'Units for one call; 0 in sandbox mode.' })
  readonly unitsPerCall: number;

  @Field(() => Int, { description: 'Calls times units.' })
  readonly subtotal: number;
}

@ObjectType({ description: "What a run would cost, in the shape of the service's own estimate." })
export class UnitEstimate {
  @Field(() => String, { nullable: true, description: 'The name that was given to the dataset.' })
  readonly dataset: string | null;

  @Field(() => Int, { description: 'Rows in the dataset.' })
  readonly rowCount: number;

  @Field(() => [UnitEstimateEndpoint], { description: 'The sum by endpoint, dearest first.' })
  readonly endpoints: readonly UnitEstimateEndpoint[];

  @Field(() => Int, {
    description:
      'The sum of the subtotals. A list of unknown length is counted with what is usual: two receipts a month. What stands above the budget is refused before anything is asked.',
  })
  readonly estimatedUnits: number;

  @Field(() => Int, {
    nullable: true,
    description:
      'The most that a run can cost: `estimatedUnits` where the sum is bounded, null where there is no bound but the budget.',
  })
  readonly atMost: number | null;

  @Field(() => Boolean, {
    description:
      'Whether the sum is an upper bound. False where a list of unknown length holds a paid field: the run may then cost more, and stops at the budget.',
  })
  readonly bounded: boolean;

  @Field(() => Int, { description: 'Rows with an identifier that is refused here: what it was for costs nothing.' })
  readonly invalidRows: number;

  @Field(() => [RegistryProblem], {
    description: 'Why something would not be asked, and is free: distinct by code and path, 20 at most.',
  })
  readonly problems: RegistryLookup['problems'];

  @Field(() => Decimal, { nullable: true, description: "The account's balance, where the service tells it." })
  readonly currentBalance: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether the balance covers the sum. Null where the balance is not known.',
  })
  readonly sufficient: boolean | null;
}
