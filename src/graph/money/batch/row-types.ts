import { Field, Int, ObjectType } from 'type-graphql';
import type { RefusedRow, RowState } from '../../../batch/batch';
import { RegistryEvidence, type RegistryLookup, RegistryProblem } from '../../core/lookup/types';
import { Json } from '../../core/scalars/scalars';
import { RegistryRowState } from './states';

@ObjectType({
  description: 'A row of the dataset that was refused. It costs nothing, and the other rows run.',
})
export class RegistryBatchRefusedRow implements Omit<RefusedRow, 'reason'> {
  @Field(() => Int, { description: 'The line of the file where the row begins.' })
  readonly line: number;

  @Field(() => String, {
    nullable: true,
    description: 'The variable whose value is missing or invalid. Null for other reasons.',
  })
  readonly column: string | null;

  @Field(() => String, { description: 'Why the row was refused. Does not quote the value.' })
  readonly message: string;
}

@ObjectType({ description: 'One row of a batch: one run of its operation.' })
export class RegistryBatchRow {
  @Field(() => Int, { description: 'The position in the file, from 1. Refused rows are counted too.' })
  readonly number: number;

  @Field(() => Int, {
    nullable: true,
    description: 'The line of the file where the row begins, or the row of the sheet. Null if the row was erased.',
  })
  readonly line: number | null;

  @Field(() => String, { nullable: true, description: 'Your label of the row: the column `ref` of the dataset.' })
  readonly ref: string | null;

  @Field(() => RegistryRowState, { description: 'State of the row.' })
  readonly state: RowState;

  @Field(() => Int, { description: 'Number of times that the row was run.' })
  readonly attempts: number;

  @Field(() => Int, {
    description: "Units of the row's own calls. Answers to calls of other rows are free.",
  })
  readonly units: number;

  @Field(() => Int, { description: "Price of the row's calls whose billing is unknown." })
  readonly uncertainUnits: number;

  @Field(() => [String], {
    description: 'What padron did to the values of the row when it read them. For a REFUSED row, why it was refused.',
  })
  readonly remarks: readonly string[];

  @Field(() => [RegistryProblem], { description: 'Problems of all fields and calls of the row.' })
  readonly problems: RegistryLookup['problems'];

  @Field(() => Json, {
    nullable: true,
    description: 'The answer of the operation for this row. Null before the row has ended.',
  })
  readonly data: unknown;

  @Field(() => [RegistryEvidence], { description: 'The evidence of each question of the row.' })
  readonly evidence: readonly RegistryEvidence[];
}

@ObjectType({ description: 'A page of rows, in the order of the dataset.' })
export class RegistryBatchRowPage {
  @Field(() => [RegistryBatchRow], { description: 'The rows.' })
  readonly rows: readonly RegistryBatchRow[];

  @Field(() => String, { nullable: true, description: 'Value of `after` for the next page. Null if there is none.' })
  readonly next: string | null;
}
