import {
  Ctx,
  Extensions,
  Field,
  FieldResolver,
  ID,
  Int,
  InterfaceType,
  Resolver,
  Root,
  registerEnumType,
} from 'type-graphql';
import type { ProblemEntry } from '../../../identifiers/code-entry';
import type { Billing, Evidence, Outcome, ServedFrom } from '../../../registry/answer/answer';
import { inLanguage, isRemark, type Problem, type ProblemCode } from '../../../registry/answer/problem';
import type { Context } from '../context';
import { enumType, type FieldTable, fields, nonNull, nullable, type ObjectOf, Output, optional } from '../fields';
import { DateTime } from '../scalars/scalars';

export const LookupOutcome = enumType<Outcome>('LookupOutcome', 'Outcome of a question to a registry.', {
  FOUND:
    "The registry answered with data (or confirmed what it was asked to verify). Read the data to know whether it is good news: a negative opinion is FOUND too. With the problem ANSWER_MISMATCH or IDENTITY_CONFLICT the data may belong to another person: do not show it as this person's.",
  NOT_FOUND:
    'The registry has no record for this input, or only records of others (then with the problem NO_RECORD_MATCHES). A correct, paid answer with its own validation code.',
  INVALID_INPUT: 'The input is wrong; see `problems`. Where possible padron detects this itself, at no cost.',
  NOT_PERMITTED: 'The account or the caller may not use this endpoint.',
  UNAVAILABLE:
    'The registry, the portal behind it or its session failed. `problems` says whether to retry. With the problem STILL_RUNNING the registry has not answered yet: send the same operation again.',
  NOT_RUN: 'No call was made: an identifier is missing, the unit budget is used up, or the caller disconnected.',
});

const ServedFromValues = enumType<ServedFrom>('ServedFrom', 'Where an answer came from.', {
  LIVE: 'A call was made.',
  REPLAY:
    'A shared answer, which cost no units. The same question was just answered for this account, was running, or was asked by another field of this request, which reports the cost.',
  KEPT: 'An answer that was kept, which cost no units: an earlier request with this `x-operation-id` asked the same question, or one of the account that is not older than `x-max-age` allows. `checkedAt` and `validationCode` are those of the call.',
  SANDBOX: "The service's sandbox mode: invented data, no units. Also if a sandbox answer is replayed.",
  NOT_SENT: 'No call was made.',
});

export const RegistryBilling = enumType<Billing>('RegistryBilling', 'Whether a call took units from the account.', {
  CHARGED: 'The call took its price in units.',
  NOT_CHARGED: 'The call took no units.',
  UNKNOWN: "The call was sent but no usable answer arrived. Only the account's statement shows whether it was charged.",
});

@Output('The proof of an answer. Keep it with your decision.')
export class RegistryEvidence
  extends fields({
    validationCode: nullable(
      String,
      'Validation code of the service (`codigoValidacion`). Null if the endpoint has none or no call was sent.',
    ),
    endpoint: nonNull(String, 'Method and path, for example `POST /api/infonavit/grupo/buscar-credito`.'),
    status: nullable(Int, 'HTTP status of the registry service.'),
    message: nullable(String, 'Message of the service, in Spanish.'),
    checkedAt: nullable<Date>(DateTime, 'Time of the call to the registry.'),
    servedFrom: nonNull(
      ServedFromValues,
      'Source of the answer: a call, a shared or kept answer, invented data, or no call.',
    ),
    units: nonNull(Int, 'Units that this answer cost; 0 while billing is UNKNOWN.'),
    billing: nonNull(RegistryBilling, 'Whether the account was charged for the call, by the price list in force.'),
    ledgerId: nullable(ID, 'ID of the ledger entry. Null without a ledger, or if no call was sent.'),
    age: nullable(
      Int,
      'Seconds between the call and this answer to you, if the answer was paid for before (`servedFrom` is REPLAY or KEPT). Null if it was just asked.',
    ),
  })
  implements Evidence {}

const codes: Record<string, string> = {};
const codeDescriptions: Record<string, { readonly description: string }> = {};
registerEnumType(codes, {
  name: 'ProblemCode',
  description:
    'Code of a problem or a warning. The error reference says for each code whether it is charged and what to do. Later versions add codes: a client should handle an unknown code by `retryable` and `message`.',
  valuesConfig: codeDescriptions,
});
export const ProblemCodes = codes as { readonly [Code in ProblemCode]: Code };

/** Names the values of the enum. Rooms above and extensions have codes of their own, so it is done before the graph is built. */
export function nameProblemCodes(entries: readonly ProblemEntry[]): void {
  for (const code of Object.keys(codes)) delete codes[code];
  for (const { code, message } of entries) {
    codes[code] = code;
    codeDescriptions[code] = { description: message };
  }
}

/** Whether a text is a code of this version. A newer version may have stored another one. */
export const isProblemCode = (code: string | null): code is ProblemCode => code !== null && Object.hasOwn(codes, code);

@Output('Why a question has no answer, or a warning about the answer.')
export class RegistryProblem
  extends fields({
    code: nonNull(ProblemCodes, 'A stable code, listed in the error reference.'),
    message: nonNull(
      String,
      'What is wrong, for developers, in Spanish if `accept-language` prefers it. If the service refused, its own message.',
    ),
    path: nullable<string[]>(
      [String],
      'The wrong input, as a path of argument and field names. With FIELD_UNREADABLE, the column of the service, which the description of its field names.',
    ),
    retryable: nonNull(Boolean, 'Whether the same question may succeed later without a change.'),
    retryAfter: nullable(Int, 'Seconds to wait before a retry. Null if the time is unknown.'),
    given: optional(String, 'What you gave, if a remark is about a difference. No message repeats it.'),
    recorded: optional(String, 'What the registry has, if a remark is about a difference. No message repeats it.'),
  })
  implements Problem {}

@InterfaceType({
  description:
    'A paid question and its answer. Every field that calls a registry returns one. Its record is null unless the outcome is FOUND. A list of `records` is empty if the outcome is NOT_FOUND, and null for the other outcomes. A field that is null although the registry has a value has the remark FIELD_UNREADABLE.',
})
export abstract class RegistryLookup {
  @Field(() => LookupOutcome, { description: 'Outcome of the question.' })
  readonly outcome: Outcome;

  @Field(() => RegistryEvidence, { description: "The proof of this field's own call: validation code, time, price." })
  readonly evidence: Evidence;

  @Extensions({ compute: withReview })
  @Field(() => [RegistryProblem], { description: 'Problems and warnings. Empty if there are none.' })
  readonly problems: readonly Problem[];

  /** Returns the problems that are found when all lookups about the person have settled. It is not a field of the graph. */
  readonly review?: () => Promise<readonly Problem[]>;
}

/** Returns the problems of a lookup, and those that are found when all lookups about the person have settled. */
function withReview({ problems, review }: RegistryLookup): readonly Problem[] | Promise<readonly Problem[]> {
  return review === undefined ? problems : review().then((found) => [...found, ...problems]);
}

export const lookupFields = <Table extends FieldTable>(table: Table): (new () => ObjectOf<Table> & RegistryLookup) =>
  fields(table, RegistryLookup);

@Resolver(() => RegistryEvidence)
export class EvidenceResolver {
  @FieldResolver(() => Boolean, {
    nullable: true,
    description:
      'Whether later requests with `x-max-age` can use this answer, which was just paid for. False if the quota of the account is used up, or if the person was erased meanwhile. Null if the request has no `x-max-age`, if the answer was kept before or cost nothing, or if the store does not say so within a second.',
  })
  isKept(@Root() { ledgerId, servedFrom }: Evidence, @Ctx() { dataSource }: Context): Promise<boolean | null> | null {
    const isNew = ledgerId !== null && servedFrom !== 'KEPT';
    return (isNew && dataSource.isKept?.(ledgerId)) || null;
  }
}

@Resolver(() => RegistryProblem)
export class ProblemResolver {
  @FieldResolver(() => Boolean, {
    description:
      'Whether it is only a remark: it changes no outcome, and padron uses the answer for further questions.',
  })
  isRemark(@Root() problem: Problem): boolean {
    return isRemark(problem);
  }

  /** Translated here, because requests in different languages may share an answer. */
  @FieldResolver()
  message(@Root() problem: Problem, @Ctx() { language }: Context): string {
    return inLanguage(problem, language).message;
  }
}
