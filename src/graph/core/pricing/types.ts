import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { type RegistryLookup, RegistryProblem } from '../lookup/types';
import { Decimal, Json } from '../scalars/scalars';

@ObjectType({
  description: 'An endpoint of the registry service: its price, its permission, and the fields that call it.',
})
export class RegistryEndpoint {
  @Field(() => String, { description: 'Method and path.' })
  readonly endpoint: string;

  @Field(() => Int, { description: 'Units for one call.' })
  readonly units: number;

  @Field(() => String, {
    nullable: true,
    description: 'The permission that the account needs. Null if the interface names none.',
  })
  readonly permission: string | null;

  @Field(() => String, {
    description:
      "The scope that a caller's JWT needs if this server holds the token: the permission, or a name defined by padron.",
  })
  readonly scope: string;

  @Field(() => Boolean, { description: 'Whether the service allows it in batch processing.' })
  readonly batch: boolean;

  @Field(() => [String], {
    description: 'Fields that call it, as schema coordinates, for example `Person.credit`.',
  })
  readonly fields: readonly string[];
}

@InputType({ description: 'An operation and the dataset that it would run over.' })
export class UnitEstimateInput {
  @Field(() => String, { description: 'The GraphQL document to be run.' })
  readonly operation: string;

  @Field(() => String, { nullable: true, description: 'Name of the operation, if the document has several.' })
  readonly operationName?: string | null;

  @Field(() => [Json], {
    nullable: true,
    description: 'One set of variables per row, 10,000 at most. Omitted: one empty row.',
  })
  readonly rows?: readonly unknown[] | null;

  @Field(() => String, { nullable: true, description: 'A name for the dataset, returned in the answer.' })
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
      'The fields that call it, as response names joined by dots (`person.credit`), in the order of their first call; 100 at most.',
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

  @Field(() => [UnitEstimateEndpoint], { description: 'Calls and price of each endpoint, most expensive first.' })
  readonly endpoints: readonly UnitEstimateEndpoint[];

  @Field(() => Int, {
    description:
      'The sum of the subtotals, and the `maxUnits` of each batch that the operation starts. A list of unknown length is assumed to have two receipts a month. An operation above its budget is rejected before any call.',
  })
  readonly estimatedUnits: number;

  @Field(() => Int, {
    nullable: true,
    description:
      'Upper bound of the cost of a run: `estimatedUnits` if the sum is bounded. Null if only the budget limits it.',
  })
  readonly atMost: number | null;

  @Field(() => Decimal, {
    nullable: true,
    description:
      '`estimatedUnits` in pesos. Null if the operator did not set `UNIT_PRICE`, or without a token that the service knows.',
  })
  readonly amount: string | null;

  @Field(() => Boolean, {
    description:
      'Whether the sum is an upper bound. False if a paid field is below a list of unknown length: then the run may cost more, and stops at the budget.',
  })
  readonly bounded: boolean;

  @Field(() => Int, { description: 'Rows with an identifier that padron rejects. Their rejected calls cost nothing.' })
  readonly invalidRows: number;

  @Field(() => [RegistryProblem], {
    description: 'Why calls would not be made and are free: distinct by code and path, 20 at most.',
  })
  readonly problems: RegistryLookup['problems'];

  @Field(() => Decimal, { nullable: true, description: "The account's balance, if the service reports it." })
  readonly currentBalance: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether the balance covers the sum. Null if the balance is unknown.',
  })
  readonly sufficient: boolean | null;
}
