import { Directive, Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { LedgerEntry, Settlement, Spend, SpendKey } from '../../../ledger/reading/ledger-api';
import { ProblemCodes } from '../../core/lookup/problem-code';
import { LookupOutcome, RegistryBilling, RegistryEvidence } from '../../core/lookup/types';
import { DateScalar, DateTime, Url, YearMonth } from '../../core/scalars/scalars';

@ObjectType({ description: "Billing of a call according to the service's statement, after it was UNKNOWN." })
export class RegistrySettlement implements Settlement {
  @Field(() => RegistryBilling, { description: 'Whether the call was charged.' })
  readonly billing: Settlement['billing'];

  @Field(() => Int, { description: 'Units of the call: its price if it was charged, otherwise 0.' })
  readonly units: number;

  @Field(() => DateTime, { description: 'When the call was settled.' })
  readonly at: Date;

  @Field(() => String, {
    nullable: true,
    description: 'The note of the settlement, for example a line of the statement.',
  })
  readonly note: string | null;
}

@Directive('@key(fields: "id")')
@ObjectType({
  description:
    'A call to the service, a shared answer, or what repeated questions saved. It contains no personal data.',
})
export class RegistryLedgerEntry {
  @Field(() => ID, { description: 'ID of the entry. `RegistryEvidence.ledgerId` has the same ID.' })
  readonly id: string;

  @Field(() => DateTime, { description: 'When the call was sent, or the shared answer was returned.' })
  readonly at: Date;

  @Field(() => String, {
    nullable: true,
    description:
      'The client that made the request: with JWTs the client that the JWT names, if any; otherwise `x-client-name`.',
  })
  readonly client: string | null;

  @Field(() => String, { nullable: true, description: 'Purpose of the request, from the header `x-tag`.' })
  readonly tag: string | null;

  @Field(() => String, { nullable: true, description: 'The name of the GraphQL operation.' })
  readonly operation: string | null;

  @Field(() => ID, { nullable: true, description: 'ID of the request, as in `x-request-id` and the log.' })
  readonly requestId: string | null;

  @Field(() => LookupOutcome, { description: 'Outcome of the question.' })
  readonly outcome: LedgerEntry['outcome'];

  @Field(() => ProblemCodes, {
    nullable: true,
    description:
      'The first problem with the answer. With ANSWER_MISMATCH the answer may belong to another person: it is not a proof about the person in question.',
  })
  readonly problem: LedgerEntry['problem'];

  @Field(() => RegistryEvidence, {
    description:
      "The proof of the answer. The service's `message` is not stored, and `billing` is what was known at the time of the call: see `settlement`.",
  })
  readonly evidence: LedgerEntry['evidence'];

  @Field(() => Int, { description: 'Units charged. For a settled call, the units of its `settlement`.' })
  readonly units: number;

  @Field(() => Int, { description: 'The price, if billing is UNKNOWN and the call is not settled.' })
  readonly uncertainUnits: number;

  @Field(() => Int, {
    description:
      'Price of the questions that were answered without a call, because another one had paid. 0 if the entry is a call.',
  })
  readonly savedUnits: number;

  @Field(() => RegistrySettlement, {
    nullable: true,
    description: 'Result of `settleRegistryBilling`. Null until the call is settled.',
  })
  readonly settlement: RegistrySettlement | null;
}

@ObjectType({ description: 'Entries of the ledger, newest first.' })
export class RegistryLedgerPage {
  @Field(() => [RegistryLedgerEntry], { description: 'The entries of this page.' })
  readonly entries: readonly RegistryLedgerEntry[];

  @Field(() => String, {
    nullable: true,
    description: 'Pass it as `after` to get the next page. Null on the last page.',
  })
  readonly next: string | null;

  @Field(() => Url, {
    nullable: true,
    description:
      'All entries, of every page, as a CSV file for a browser or a spreadsheet: newest first, 100,000 entries at most, with days and times of `TIME_ZONE`. The link works for ten minutes, for anyone who has it.',
  })
  readonly csvUrl: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      "The client of the caller's JWT, if the JWT lacks the scope `padron_ledger` and therefore only sees this client's entries. Null if the caller sees the whole account.",
  })
  readonly limitedToClient: string | null;
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
  description: 'Keys of sums of the ledger.',
  valuesConfig: {
    DAY: { description: 'By calendar day in the time zone of the server (`TIME_ZONE`).' },
    MONTH: { description: 'By calendar month in the same time zone.' },
    CLIENT: { description: 'By the client that made the request.' },
    TAG: { description: 'By the tag of the request.' },
    OPERATION: { description: 'By the name of the operation.' },
    ENDPOINT: { description: 'By the endpoint of the service.' },
    BATCH: { description: 'By batch.' },
  },
});

@ObjectType({ description: 'A sum of ledger entries. Fields that are not in `by` are null.' })
export class RegistrySpend implements Spend {
  @Field(() => DateScalar, { nullable: true, description: 'The day, if `by` has DAY.' })
  readonly day: string | null;

  @Field(() => YearMonth, { nullable: true, description: 'The month, if `by` has MONTH.' })
  readonly month: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The client, if `by` has CLIENT. Null also for calls without a client.',
  })
  readonly client: string | null;

  @Field(() => String, { nullable: true, description: 'The tag, if `by` has TAG. Null also for calls without a tag.' })
  readonly tag: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The operation, if `by` has OPERATION. Null also for operations without a name.',
  })
  readonly operation: string | null;

  @Field(() => String, { nullable: true, description: 'Method and path of the endpoint, if `by` has ENDPOINT.' })
  readonly endpoint: string | null;

  @Field(() => ID, {
    nullable: true,
    description: 'The batch, if `by` has BATCH. Null also for calls outside of batches.',
  })
  readonly batch: string | null;

  @Field(() => Int, { description: 'Calls to the service. Shared answers are not counted.' })
  readonly calls: number;

  @Field(() => Int, { description: 'Units that were charged, including settled calls.' })
  readonly units: number;

  @Field(() => Int, {
    description:
      'Price of the calls whose billing is UNKNOWN and not settled. The service charged at least `units` and at most the sum of both.',
  })
  readonly uncertainUnits: number;

  @Field(() => Int, {
    description: 'Price of the questions that were answered without a call, because another one had paid.',
  })
  readonly savedUnits: number;
}

@ObjectType({
  description:
    "Receipt of an erasure. It reports how much was erased, but not whose data it was. Keep it with the person's request.",
})
export class RegistryErasure {
  @Field(() => ID, {
    description: 'ID of the record in the audit trail. `registryAudit(filter: { id })` finds it.',
  })
  readonly id: string;

  @Field(() => DateTime, { description: 'When the erasure began.' })
  readonly at: Date;

  @Field(() => Int, {
    description:
      'Entries that can no longer be found by an identifier, including those of calls that are under way in this process. They stay, as accounting.',
  })
  readonly entries: number;

  @Field(() => Int, {
    description: 'Rows of batches whose data about the person was deleted, including rows that are running.',
  })
  readonly rows: number;
}
