import { Directive, Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { LedgerEntry, Settlement, Spend, SpendKey } from '../../ledger/reading/port';
import { ProblemCodes } from '../lookup/problem-code';
import { LookupOutcome, RegistryBilling, RegistryEvidence } from '../lookup/types';
import { DateScalar, DateTime, Url, YearMonth } from '../scalars/scalars';

@ObjectType({ description: "What the service's statement says of a call whose billing was not known." })
export class RegistrySettlement implements Settlement {
  @Field(() => RegistryBilling, { description: 'Whether the call was charged.' })
  readonly billing: Settlement['billing'];

  @Field(() => Int, { description: 'Units that the call took: its price where it was charged, else 0.' })
  readonly units: number;

  @Field(() => DateTime, { description: 'When it was settled.' })
  readonly at: Date;

  @Field(() => String, { nullable: true, description: 'The note that was given, for example a line of the statement.' })
  readonly note: string | null;
}

@Directive('@key(fields: "id")')
@ObjectType({
  description: 'One call to the service, or an answer that was shared. Holds no personal data.',
})
export class RegistryLedgerEntry {
  @Field(() => ID, { description: 'The entry, as `RegistryEvidence.ledgerId` names it.' })
  readonly id: string;

  @Field(() => DateTime, { description: 'When the question was put, or its shared answer given.' })
  readonly at: Date;

  @Field(() => String, {
    nullable: true,
    description:
      'The client that asked: where callers have JWTs, the one that the JWT names, if any; else `x-client-name`.',
  })
  readonly client: string | null;

  @Field(() => String, { nullable: true, description: 'What the request was for, as `x-tag` named it.' })
  readonly tag: string | null;

  @Field(() => String, { nullable: true, description: 'The name of the GraphQL operation.' })
  readonly operation: string | null;

  @Field(() => ID, { nullable: true, description: 'The request, as its `x-request-id` and the log name it.' })
  readonly requestId: string | null;

  @Field(() => LookupOutcome, { description: 'What became of the question.' })
  readonly outcome: LedgerEntry['outcome'];

  @Field(() => ProblemCodes, {
    nullable: true,
    description:
      "The first problem with the answer. With ANSWER_MISMATCH it may be a stranger's, and is no proof about whom it was asked for.",
  })
  readonly problem: LedgerEntry['problem'];

  @Field(() => RegistryEvidence, {
    description:
      "The proof of the answer. The service's `message` is not kept, and `billing` stays what was known at the call: see `settlement`.",
  })
  readonly evidence: LedgerEntry['evidence'];

  @Field(() => Int, { description: 'The price, where billing is UNKNOWN and nobody has settled it.' })
  readonly uncertainUnits: number;

  @Field(() => RegistrySettlement, {
    nullable: true,
    description: 'What `settleRegistryBilling` said of the call; null until it does.',
  })
  readonly settlement: RegistrySettlement | null;
}

@ObjectType({ description: 'Entries of the ledger, newest first.' })
export class RegistryLedgerPage {
  @Field(() => [RegistryLedgerEntry], { description: 'The entries of this page.' })
  readonly entries: readonly RegistryLedgerEntry[];

  @Field(() => String, {
    nullable: true,
    description: 'Give it as `after` for the next page; null on the last one.',
  })
  readonly next: string | null;

  @Field(() => Url, {
    nullable: true,
    description:
      'All entries, of every page, as a CSV file for a browser or a spreadsheet: newest first, for ten minutes, for whoever has the link. 100,000 entries at most.',
  })
  readonly csvUrl: string | null;
}

export const SpendKeys = {
  DAY: 'DAY',
  MONTH: 'MONTH',
  CLIENT: 'CLIENT',
  TAG: 'TAG',
  OPERATION: 'OPERATION',
  ENDPOINT: 'ENDPOINT',
  BATCH: 'BATCH',
} as const satisfies Record<SpendKey, SpendKey>;

registerEnumType(SpendKeys, {
  name: 'RegistrySpendKey',
  description: 'By what the ledger is summed up.',
  valuesConfig: {
    DAY: { description: 'By calendar day in the time zone of the server (`TIME_ZONE`).' },
    MONTH: { description: 'By calendar month in the same zone.' },
    CLIENT: { description: 'By the client that asked.' },
    TAG: { description: 'By the tag of the request.' },
    OPERATION: { description: 'By the name of the operation.' },
    ENDPOINT: { description: 'By endpoint of the service.' },
    BATCH: { description: 'By batch.' },
  },
});

@ObjectType({ description: 'A sum of ledger entries. What it is not summed up by is null.' })
export class RegistrySpend implements Spend {
  @Field(() => DateScalar, { nullable: true, description: 'The day, summed up by DAY.' })
  readonly day: string | null;

  @Field(() => YearMonth, { nullable: true, description: 'The month, summed up by MONTH.' })
  readonly month: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The client, summed up by CLIENT; null too where none was named.',
  })
  readonly client: string | null;

  @Field(() => String, { nullable: true, description: 'The tag, summed up by TAG; null too where none was given.' })
  readonly tag: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The operation, summed up by OPERATION; null too where it has no name.',
  })
  readonly operation: string | null;

  @Field(() => String, { nullable: true, description: 'Method and path, summed up by ENDPOINT.' })
  readonly endpoint: string | null;

  @Field(() => ID, { nullable: true, description: 'The batch, summed up by BATCH; null too for calls of no batch.' })
  readonly batch: string | null;

  @Field(() => Int, { description: 'Calls that were put to the service. Answers that were shared are not counted.' })
  readonly calls: number;

  @Field(() => Int, { description: 'Units that were charged, those of settled calls included.' })
  readonly units: number;

  @Field(() => Int, {
    description:
      'The price of calls whose billing is UNKNOWN and not settled: the statement lies between `units` and the sum of both.',
  })
  readonly uncertainUnits: number;

  @Field(() => Int, { description: 'What shared answers would have cost.' })
  readonly savedUnits: number;
}

@ObjectType({
  description:
    'Receipt of an erasure. It says what was forgotten of a person or an employer, and nothing of whom: keep it with the request that it answers.',
})
export class RegistryErasure {
  @Field(() => ID, {
    description: 'The record of the erasure in the audit trail: `registryAudit(filter: { id })` finds it.',
  })
  readonly id: string;

  @Field(() => DateTime, { description: 'When the erasure began.' })
  readonly at: Date;

  @Field(() => Int, { description: 'Entries that no identifier leads to any more. They stay, as accounting.' })
  readonly entries: number;

  @Field(() => Int, { description: 'Rows of batches that hold nothing of the person any more.' })
  readonly rows: number;
}
