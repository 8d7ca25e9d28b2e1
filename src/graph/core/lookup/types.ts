import { Field, ID, Int, InterfaceType, ObjectType, registerEnumType } from 'type-graphql';
import type { Billing, Evidence, Outcome, ServedFrom } from '../../../registry/answer/answer';
import type { Problem } from '../../../registry/answer/problem';
import { DateTime } from '../scalars/scalars';
import { ProblemCodes } from './problem-code';

export const LookupOutcome = {
  FOUND: 'FOUND',
  NOT_FOUND: 'NOT_FOUND',
  INVALID_INPUT: 'INVALID_INPUT',
  NOT_PERMITTED: 'NOT_PERMITTED',
  UNAVAILABLE: 'UNAVAILABLE',
  NOT_RUN: 'NOT_RUN',
} as const satisfies Record<Outcome, Outcome>;

registerEnumType(LookupOutcome, {
  name: 'LookupOutcome',
  description: 'Outcome of a question to a registry.',
  valuesConfig: {
    FOUND: {
      description:
        "The registry answered with data (or confirmed what it was asked to verify). Read the data to know whether it is good news: a negative opinion is FOUND too. With the problem ANSWER_MISMATCH or IDENTITY_CONFLICT the data may belong to another person: do not show it as this person's.",
    },
    NOT_FOUND: {
      description:
        'The registry has no record for this input, or only records of others (then with the problem NO_RECORD_MATCHES). A correct, paid answer with its own validation code.',
    },
    INVALID_INPUT: {
      description: 'The input is wrong; see `problems`. Where possible padron detects this itself, at no cost.',
    },
    NOT_PERMITTED: { description: 'The account or the caller may not use this endpoint.' },
    UNAVAILABLE: {
      description:
        'The registry, the portal behind it or its session failed. `problems` says whether to retry. With the problem STILL_RUNNING the registry has not answered yet: send the same operation again.',
    },
    NOT_RUN: {
      description:
        'No call was made: an identifier is missing, the unit budget is used up, or the caller disconnected.',
    },
  },
});

const ServedFromValues = {
  LIVE: 'LIVE',
  REPLAY: 'REPLAY',
  SANDBOX: 'SANDBOX',
  NOT_SENT: 'NOT_SENT',
} as const satisfies Record<ServedFrom, ServedFrom>;

registerEnumType(ServedFromValues, {
  name: 'ServedFrom',
  description: 'Where an answer came from.',
  valuesConfig: {
    LIVE: { description: 'A call was made.' },
    REPLAY: {
      description:
        'A shared answer, which cost no units. The same question was just answered for this account, was running, or was asked by another field of this request, which reports the cost.',
    },
    SANDBOX: {
      description: "The service's sandbox mode: invented data, no units. Also if a sandbox answer is replayed.",
    },
    NOT_SENT: { description: 'No call was made.' },
  },
});

export const RegistryBilling = {
  CHARGED: 'CHARGED',
  NOT_CHARGED: 'NOT_CHARGED',
  UNKNOWN: 'UNKNOWN',
} as const satisfies Record<Billing, Billing>;

registerEnumType(RegistryBilling, {
  name: 'RegistryBilling',
  description: 'Whether a call took units from the account.',
  valuesConfig: {
    CHARGED: { description: 'The call took its price in units.' },
    NOT_CHARGED: { description: 'The call took no units.' },
    UNKNOWN: {
      description:
        "The call was sent but no usable answer arrived. Only the account's statement shows whether it was charged.",
    },
  },
});

@ObjectType({ description: 'The proof of an answer. Keep it with your decision.' })
export class RegistryEvidence implements Evidence {
  @Field(() => String, {
    nullable: true,
    description:
      'Validation code of the service (`codigoValidacion`). Null if the endpoint has none or no call was sent.',
  })
  readonly validationCode: string | null;

  @Field(() => String, { description: 'Method and path, for example `POST /api/infonavit/grupo/buscar-credito`.' })
  readonly endpoint: string;

  @Field(() => Int, { nullable: true, description: 'HTTP status of the registry service.' })
  readonly status: number | null;

  @Field(() => String, { nullable: true, description: 'Message of the service, in Spanish.' })
  readonly message: string | null;

  @Field(() => DateTime, { nullable: true, description: 'Time of the call to the registry.' })
  readonly checkedAt: Date | null;

  @Field(() => ServedFromValues, {
    description: 'Source of the answer: a call, a shared answer, invented data, or no call.',
  })
  readonly servedFrom: ServedFrom;

  @Field(() => Int, { description: 'Units that this answer cost; 0 while billing is UNKNOWN.' })
  readonly units: number;

  @Field(() => RegistryBilling, { description: 'Whether the account was charged for the call.' })
  readonly billing: Billing;

  @Field(() => ID, {
    nullable: true,
    description: 'ID of the ledger entry. Null without a ledger, or if no call was sent.',
  })
  readonly ledgerId: string | null;
}

@ObjectType({ description: 'Why a question has no answer, or a warning about the answer.' })
export class RegistryProblem implements Problem {
  @Field(() => ProblemCodes, { description: 'A stable code, listed in the error reference.' })
  readonly code: Problem['code'];

  @Field(() => String, {
    description:
      'What is wrong, for developers, in Spanish if `accept-language` prefers it. If the service refused, its own message.',
  })
  readonly message: string;

  @Field(() => [String], {
    nullable: true,
    description: 'The wrong input, as a path of argument and field names.',
  })
  readonly path: string[] | null;

  @Field(() => Boolean, { description: 'Whether the same question may succeed later without a change.' })
  readonly retryable: boolean;

  @Field(() => Int, { nullable: true, description: 'Seconds to wait before a retry. Null if the time is unknown.' })
  readonly retryAfter: number | null;
}

@InterfaceType({
  description:
    'A paid question and its answer. Every field that calls a registry returns one. Its record is null unless the outcome is FOUND. A list of `records` is empty if the outcome is NOT_FOUND, and null for the other outcomes.',
})
export abstract class RegistryLookup {
  @Field(() => LookupOutcome, { description: 'Outcome of the question.' })
  readonly outcome: Outcome;

  @Field(() => RegistryEvidence, { description: "The proof of this field's own call: validation code, time, price." })
  readonly evidence: Evidence;

  @Field(() => [RegistryProblem], { description: 'Problems and warnings. Empty if there are none.' })
  readonly problems: readonly Problem[];
}
