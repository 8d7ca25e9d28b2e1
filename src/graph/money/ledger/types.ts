import { Directive, ID, Int } from 'type-graphql';
import { amountOf } from '../../../identifiers/decimals';
import type { Blocking, LedgerEntry, Settlement, Spend, SpendKey } from '../../../money/ledger/entries/ledger-api';
import type { OtherIdentifier } from '../../../money/ledger/reading/other-identifiers';
import type { SubjectKind } from '../../../registry/endpoint/endpoint';
import { computed, enumType, fields, Input, nonNull, nullable, Output, optional } from '../../core/fields';
import { isProblemCode, LookupOutcome, ProblemCodes, RegistryBilling, RegistryEvidence } from '../../core/lookup/types';
import {
  CertificateFolio,
  Curp,
  DateScalar,
  DateTime,
  Decimal,
  EmployerRegistration,
  LicenceNumber,
  Nss,
  Rfc,
  Url,
  YearMonth,
} from '../../core/scalars/scalars';
import { PersonNameInput } from '../../domains/person/types';

export const inPesos = <Name extends string>(units: Name) =>
  computed(
    Decimal,
    `\`${units}\` in pesos. Null if the operator did not set \`UNIT_PRICE\`.`,
    (source: Readonly<Record<Name, number>>, { unitPrice }) => amountOf(source[units], unitPrice),
  );

const SavingKinds = enumType<NonNullable<LedgerEntry['saving']>>(
  'RegistrySaving',
  'Why a question was answered without a call.',
  {
    REQUEST: 'Another field of the same request asked it.',
    REPLAY: 'Its answer was shared or replayed (`REPLAY_SECONDS`).',
    KEPT: 'An earlier request has kept its answer (`x-max-age`).',
    JOB: 'The batch, or the operation that lasts, had already paid for it.',
  },
);

@Output("Billing of a call according to the service's statement, after it was UNKNOWN.")
export class RegistrySettlement
  extends fields({
    billing: nonNull<Settlement['billing']>(RegistryBilling, 'Whether the call was charged.'),
    units: nonNull(Int, 'Units of the call: its price if it was charged, otherwise 0.'),
    at: nonNull<Date>(DateTime, 'When the call was settled.'),
    note: nullable(String, 'The note of the settlement, for example a line of the statement.'),
  })
  implements Settlement {}

@Output('Why the links of an erased person are kept, and when they are deleted.')
export class RegistryBlocking extends fields({
  purpose: nonNull(String, 'The purpose of the request, whose period (`PURPOSES`) was running at the erasure.'),
  months: nonNull(Int, 'The period in months, counted from the call.'),
  until: nonNull<Date>(DateTime, 'When the period ends. The next purge, within about an hour, deletes the links.'),
}) {}

@Directive('@key(fields: "id")')
@Output(
  'A call to the service, a shared answer, or what repeated questions saved. It contains no personal data, except in `references`.',
)
export class RegistryLedgerEntry extends fields({
  id: nonNull(ID, 'ID of the entry. `RegistryEvidence.ledgerId` has the same ID.'),
  at: nonNull<Date>(DateTime, 'When the call was sent, or the shared answer was returned.'),
  client: nullable(
    String,
    'The client that made the request: with JWTs the client that the JWT names, if any; otherwise `x-client-name`.',
  ),
  tag: nullable(String, 'Tag of the request, for example a cost centre, from the header `x-tag`.'),
  purpose: nullable(
    String,
    'Purpose of the request, one of those that the operator allows (`PURPOSES`), from the header `x-purpose`.',
  ),
  references: nonNull(
    [String],
    'References of the call (`x-reference`), and of requests and batch rows that got its answer without a call: 20 at most. They may be personal data.',
  ),
  operation: nullable(String, 'The name of the GraphQL operation.'),
  requestId: nullable(ID, 'ID of the request, as in `x-request-id` and the log.'),
  outcome: nonNull(LookupOutcome, 'Outcome of the question.'),
  problem: computed(
    ProblemCodes,
    'The first problem with the answer. With ANSWER_MISMATCH, or with IDENTITY_CONFLICT for the request or row that found it, the answer may belong to another person: it is not a proof about the person in question. A search by reference shows IDENTITY_CONFLICT only if it concerns that reference.',
    ({ problem }: LedgerEntry) => (isProblemCode(problem) ? problem : null),
  ),
  evidence: nonNull<LedgerEntry['evidence']>(
    RegistryEvidence,
    "The proof of the answer. The service's `message` is not stored, and `billing` is what was known at the time of the call: see `settlement`.",
  ),
  units: nonNull(Int, 'Units charged. For a settled call, the units of its `settlement`.'),
  uncertainUnits: nonNull(Int, 'The price, if billing is UNKNOWN and the call is not settled.'),
  savedUnits: nonNull(
    Int,
    'Price of the questions that were answered without a call, because another one had paid. 0 if the entry is a call, or the follow-up of an early response.',
  ),
  saving: nullable(SavingKinds, 'Why `savedUnits` were saved. Null if none were.'),
  settlement: nullable(RegistrySettlement, 'Result of `settleRegistryBilling`. Null until the call is settled.'),
  blocked: nullable<Blocking>(
    RegistryBlocking,
    'Set if the person was erased and the links of this entry are kept nevertheless, because the period of its purpose runs. Only a JWT with the scope `padron_blocked` finds such entries by an identifier or a reference, and sees this. Null for all others.',
  ),
  amount: inPesos('units'),
  uncertainAmount: inPesos('uncertainUnits'),
  savedAmount: inPesos('savedUnits'),
}) {}

@Output('A kind of identifier that a person has in the ledger and that a search or an erasure did not name.')
export class RegistryOtherIdentifier
  extends fields({
    kind: nonNull<SubjectKind>(String, 'The kind, as `RegistrySubjectInput` names it.'),
    entries: nonNull(
      Int,
      "Further entries of the person that an identifier of this kind finds: those with the same NSS or CURP, and those of the same `Person` of a request if nothing contradicted that its identifiers are one person's. 0 if all of them were found.",
    ),
  })
  implements OtherIdentifier {}

@Output('Entries of the ledger, newest first.')
export class RegistryLedgerPage extends fields({
  entries: nonNull([RegistryLedgerEntry], 'The entries of this page.'),
  next: nullable(String, 'Pass it as `after` to get the next page. Null on the last page.'),
  csvUrl: nullable(
    Url,
    'All entries, of every page, as a CSV file for a browser or a spreadsheet: newest first, 100,000 entries at most, with days and times of `TIME_ZONE`. The link works for ten minutes, for anyone who has it.',
  ),
  otherIdentifiers: nullable(
    [RegistryOtherIdentifier],
    'Identifiers that this person has in the ledger and that `subject` lacks. Null unless `registryProofs` has a `subject`.',
  ),
  limitedToClient: nullable(
    String,
    "The client of the caller's JWT, if the JWT lacks the scope `padron_ledger` and therefore only sees this client's entries. Null if the caller sees the whole account.",
  ),
}) {}

export const SpendKeys = enumType<SpendKey>('RegistrySpendKey', 'Keys of sums of the ledger.', {
  DAY: 'By calendar day in the time zone of the server (`TIME_ZONE`).',
  MONTH: 'By calendar month in the same time zone.',
  CLIENT: 'By the client that made the request.',
  TAG: 'By the tag of the request.',
  PURPOSE: 'By the purpose of the request.',
  OPERATION: 'By the name of the operation.',
  ENDPOINT: 'By the endpoint of the service.',
  OUTCOME: 'By what the calls ended with, as a price list names it.',
  BATCH: 'By batch.',
  SAVING: 'By the reason why units were saved. The calls are in a sum without one.',
});

@Output('A sum of ledger entries. Fields that are not in `by` are null.')
export class RegistrySpend
  extends fields({
    day: nullable(DateScalar, 'The day, if `by` has DAY.'),
    month: nullable(YearMonth, 'The month, if `by` has MONTH.'),
    client: nullable(String, 'The client, if `by` has CLIENT. Null also for calls without a client.'),
    tag: nullable(String, 'The tag, if `by` has TAG. Null also for calls without a tag.'),
    purpose: nullable(String, 'The purpose, if `by` has PURPOSE. Null also for calls without a purpose.'),
    operation: nullable(String, 'The operation, if `by` has OPERATION. Null also for operations without a name.'),
    endpoint: nullable(String, 'Method and path of the endpoint, if `by` has ENDPOINT.'),
    outcome: nullable(String, 'What the calls ended with, if `by` has OUTCOME: their outcome, or RATE_LIMITED.'),
    batch: nullable(ID, 'The batch, if `by` has BATCH. Null also for calls outside of batches.'),
    saving: nullable<Spend['saving']>(
      SavingKinds,
      'Why the units were saved, if `by` has SAVING. Null also for calls.',
    ),
    calls: nonNull(Int, 'Calls to the service. Shared answers are not counted.'),
    units: nonNull(Int, 'Units that were charged, including settled calls.'),
    uncertainUnits: nonNull(
      Int,
      'Price of the calls whose billing is UNKNOWN and not settled. If the price list is that of the contract, the service charged at least `units` and at most the sum of both.',
    ),
    savedUnits: nonNull(Int, 'Price of the questions that were answered without a call, because another one had paid.'),
    refusedCalls: nullable(
      Int,
      'Calls, and operations as a whole, that a budget or a limit refused on the days that begin in the interval. Null if `by` has another key than DAY, MONTH and CLIENT, or the filter more than the interval and the client.',
    ),
    amount: inPesos('units'),
    uncertainAmount: inPesos('uncertainUnits'),
    savedAmount: inPesos('savedUnits'),
  })
  implements Spend {}

@Output(
  "Receipt of an erasure. It reports how much was erased, but not whose data it was. Keep it with the person's request.",
)
export class RegistryErasure extends fields({
  id: nonNull(ID, 'ID of the record in the audit trail. `registryAudit(filter: { id })` finds it.'),
  at: nonNull<Date>(DateTime, 'When the erasure began.'),
  entries: nonNull(
    Int,
    'Entries that can no longer be found by an identifier, including those of calls that are under way. They stay, as accounting.',
  ),
  blockedEntries: nonNull(
    Int,
    'Those of these entries whose links are blocked, because the period of their purpose (`PURPOSES`) runs. The links of the others were deleted. Links that an earlier erasure has blocked only count for a token with `padron_blocked`.',
  ),
  blockedUntil: nullable<Date>(DateTime, 'When the last of the blocked links are deleted. Null if none are blocked.'),
  rows: nonNull(Int, 'Rows of batches whose data about the person was deleted, including rows that are running.'),
  notSearched: nonNull(
    [String],
    'Kinds of identifiers that this person has in the ledger and that were not given, as `RegistrySubjectInput` names them. Entries that are linked only to one of these stay linked, with their references.',
  ),
  otherIdentifiers: nonNull(
    [RegistryOtherIdentifier],
    'The kinds in `notSearched`, with the numbers of entries that stay linked. Erase the person by these identifiers, too.',
  ),
  keysNotSearched: nonNull(
    [String],
    'IDs of keys that `DATA_KEYS` lacks. What was stored under them was not found, and is not erased. Empty unless `despiteMissingKeys` is true.',
  ),
}) {}

@Input('Filter of the ledger. An entry has to match all fields.')
export class RegistryLedgerFilter extends fields({
  from: optional(
    DateTime,
    'Start of the interval, included. A day such as `2026-11-01` begins at midnight in `TIME_ZONE`.',
  ),
  to: optional(
    DateTime,
    'End of the interval, excluded. A day such as `2026-11-01` begins at midnight in `TIME_ZONE`.',
  ),
  client: optional(String, 'Entries of this client.'),
  tag: optional(String, 'Entries with this tag.'),
  purpose: optional(String, 'Entries with this purpose.'),
  operation: optional(String, 'Entries of operations with this name.'),
  endpoint: optional(
    String,
    'Entries of this endpoint: method and path, for example `POST /api/infonavit/grupo/buscar-credito`.',
  ),
  batch: optional(ID, 'Entries of this batch.'),
  reference: optional(
    String,
    'Entries with this reference: from the header `x-reference`, or the label of a batch row. Only by POST. The search is recorded in the audit trail.',
  ),
  actor: optional(
    String,
    'Entries of this person, of all clients: the `sub` of JWTs that also name an application. A JWT needs the scope `padron_audit`. Only by POST. The search is recorded in the audit trail.',
  ),
  billing: optional(RegistryBilling, 'Billing at the time of the call, regardless of later settlements.'),
  unsettled: optional(Boolean, 'True: entries whose billing is UNKNOWN and not settled. False: all other entries.'),
}) {}

@Input('A person or an employer, by any identifiers that you have. Entries linked to any of them are found.')
export class RegistrySubjectInput extends fields({
  nss: optional(Nss, 'Social security number.'),
  curp: optional(Curp, 'Population registry code.'),
  rfc: optional(Rfc, 'Taxpayer code.'),
  registration: optional(EmployerRegistration, 'Employer registration.'),
  licence: optional(LicenceNumber, 'Professional licence number.'),
  certificate: optional(CertificateFolio, 'Folio of a study certificate.'),
  name: optional(
    PersonNameInput,
    'A name that was used to search licences. Case and accents are ignored. People with the same name are found too.',
  ),
}) {}

@Input("Billing of one call according to the service's statement.")
export class RegistryBillingInput extends fields({
  id: nonNull(ID, 'The entry of the ledger. Its billing must be UNKNOWN.'),
  billing: nonNull(RegistryBilling, 'CHARGED or NOT_CHARGED.'),
  note: optional(
    String,
    'A note for accounting, for example `January, line 12`. At most 100 characters, and no identifier or e-mail address of a person.',
  ),
}) {}
