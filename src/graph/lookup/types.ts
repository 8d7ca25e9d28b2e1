import { Field, ID, Int, InterfaceType, ObjectType, registerEnumType } from 'type-graphql';
import type { Billing, Evidence, Outcome, ServedFrom } from '../../registry/answer/answer';
import type { Problem } from '../../registry/answer/problem';
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
  description: 'What became of one question put to a registry.',
  valuesConfig: {
    FOUND: {
      description:
        "The registry answered with data (or confirmed what it was asked to verify). Whether the data are good news, only they say: a negative opinion is FOUND too. With the problem ANSWER_MISMATCH or IDENTITY_CONFLICT they may be a stranger's: do not show them as this person's.",
    },
    NOT_FOUND: {
      description:
        'The registry answered: it holds nothing for this input, or records none of which is of whom you asked about (then with the problem NO_RECORD_MATCHES). A correct, paid answer with its own validation code.',
    },
    INVALID_INPUT: { description: 'The input is wrong; see `problems`. Caught here when it can be, at no cost.' },
    NOT_PERMITTED: { description: 'The account or the caller may not use this endpoint.' },
    UNAVAILABLE: {
      description: 'The registry, the portal behind it or its session failed; see `problems` for whether to try again.',
    },
    NOT_RUN: {
      description: 'Not asked: an identifier is missing, the unit budget is used up, or the caller gave up.',
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
    LIVE: { description: 'Asked now.' },
    REPLAY: {
      description:
        'The same question was under way or just answered for this account, or another field of this request reports its cost: no units.',
    },
    SANDBOX: {
      description: "The service's sandbox mode: invented data, no units; a replayed sandbox answer stays SANDBOX.",
    },
    NOT_SENT: { description: 'Nothing was sent.' },
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
    UNKNOWN: { description: "Sent, but no answer came back: only the account's statement can tell." },
  },
});

@ObjectType({ description: 'The proof of one answer. Keep it with whatever you decide on it.' })
export class RegistryEvidence implements Evidence {
  @Field(() => String, {
    nullable: true,
    description: '`codigoValidacion`; null where the endpoint gives none or nothing was sent.',
  })
  readonly validationCode: string | null;

  @Field(() => String, { description: 'Method and path, for example `POST /api/infonavit/grupo/buscar-credito`.' })
  readonly endpoint: string;

  @Field(() => Int, { nullable: true, description: 'HTTP status of the registry service.' })
  readonly status: number | null;

  @Field(() => String, { nullable: true, description: "The service's own words, in Spanish." })
  readonly message: string | null;

  @Field(() => DateTime, { nullable: true, description: 'When the registry was really asked.' })
  readonly checkedAt: Date | null;

  @Field(() => ServedFromValues, { description: 'Whether this answer was asked now, shared, invented or never sent.' })
  readonly servedFrom: ServedFrom;

  @Field(() => Int, { description: 'Units that this answer cost; 0 while billing is UNKNOWN.' })
  readonly units: number;

  @Field(() => RegistryBilling, { description: 'Whether the account was charged for the call.' })
  readonly billing: Billing;

  @Field(() => ID, {
    nullable: true,
    description: 'The entry of the ledger; null where no ledger is kept, or nothing was sent.',
  })
  readonly ledgerId: string | null;
}

@ObjectType({ description: 'Why a question has no answer, or what to mind in the one it has.' })
export class RegistryProblem implements Problem {
  @Field(() => ProblemCodes, { description: 'A stable code, listed in the error reference.' })
  readonly code: Problem['code'];

  @Field(() => String, {
    description:
      "What is wrong, for a developer to read, in Spanish where `accept-language` prefers it; the service's own words where it refused.",
  })
  readonly message: string;

  @Field(() => [String], {
    nullable: true,
    description: 'The input at fault, as a path of argument and field names.',
  })
  readonly path: string[] | null;

  @Field(() => Boolean, { description: 'Whether the same question may succeed later without a change.' })
  readonly retryable: boolean;

  @Field(() => Int, { nullable: true, description: 'Seconds to wait, where the service said so or a pause ends then.' })
  readonly retryAfter: number | null;
}

@InterfaceType({
  description:
    'One paid question and its answer. Every field that asks a registry returns one. Its record is null unless the outcome is FOUND; a list of `records` is empty when it is NOT_FOUND and null otherwise.',
})
export abstract class RegistryLookup {
  @Field(() => LookupOutcome, { description: 'What became of the question.' })
  readonly outcome: Outcome;

  @Field(() => RegistryEvidence, { description: "The proof of this field's own call: validation code, time, price." })
  readonly evidence: Evidence;

  @Field(() => [RegistryProblem], { description: 'What went wrong, or what to mind; empty when all is well.' })
  readonly problems: readonly Problem[];
}
