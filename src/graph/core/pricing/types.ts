import { Int } from 'type-graphql';
import type { AvailabilityState } from '../../../registry/client/availability';
import type { AnyEndpoint } from '../../../registry/endpoint/endpoint';
import type { Chargeable } from '../../../registry/endpoint/price-list';
import type { Context } from '../context';
import { computed, enumType, fields, Input, nonNull, nullable, Output, optional } from '../fields';
import { type RegistryLookup, RegistryProblem } from '../lookup/types';
import { DateTime, Decimal, Json } from '../scalars/scalars';

const RegistryAvailabilityState = enumType<AvailabilityState>(
  'RegistryAvailabilityState',
  'Whether calls of an endpoint are answered.',
  {
    OPERATIONAL: 'More than three quarters of the last calls were answered.',
    DEGRADED: 'At least a quarter of the last calls failed, took too long or had no usable answer.',
    PAUSED:
      'Calls are refused now, free of charge, because they kept failing: all calls to the registry, or those of this account. The state ends within seconds, so that one call can try again.',
    SESSION_NEEDED:
      'The last call of this account to the registry was rejected because the account has no session with its portal.',
    UNKNOWN: 'Fewer than five calls ended in the last 15 minutes.',
  },
);

@Output('How an endpoint has answered the calls of all accounts. Sandbox mode is separate.')
class RegistryLastDay extends fields({
  answeredPercent: nullable(
    Int,
    'Percentage of calls that the registry answered, also with NOT_FOUND or INVALID_INPUT, rounded down: 100 means all. The others failed, took too long or had no usable answer. Calls that were not sent, or were refused because of the account, do not count. Null if fewer than ten count.',
  ),
  maxPauseSeconds: nonNull(
    Int,
    'Longest time without an answer: from the first to the last of calls of the endpoint that failed in a row, or from the event `registry.paused` to `registry.resumed`. 0 if there was none.',
  ),
}) {}

@Output(
  'Whether an endpoint answers, as this instance of padron has seen it: the last calls of all accounts in 15 minutes, 20 at most, without replays. Sandbox mode is separate.',
)
export class RegistryAvailability extends fields({
  state: nonNull(RegistryAvailabilityState, 'State of the endpoint.'),
  since: nullable<Date>(DateTime, 'When the state began, as far as padron has seen it. Null if it is UNKNOWN.'),
  lastAnswerAt: nullable<Date>(
    DateTime,
    'When the last answer arrived. Null if there is none, or if fewer than five calls ended.',
  ),
  medianMs: nullable(
    Int,
    'Median time of the last answers in milliseconds. Null if there is none, or if fewer than five calls ended.',
  ),
  lastDay: computed(
    RegistryLastDay,
    'The last 24 hours, as all processes with the same store have seen them; a minute old at most. Null without a store.',
    ({ of: endpoint }: { readonly of: AnyEndpoint }, { dataSource, ledger }: Context) =>
      ledger?.reader.lastDay(dataSource.address(endpoint), endpoint.registry, dataSource.sandbox) ?? null,
  ),
}) {}

const RegistryChargeable = enumType<Chargeable>(
  'RegistryChargeable',
  'An end of a call that a price list may charge.',
  {
    FOUND: 'The registry has a record.',
    NOT_FOUND: 'The registry has no record.',
    INVALID_INPUT: 'The service refused the input (400, 422).',
    NOT_PERMITTED: 'The account lacks the permission (403).',
    RATE_LIMITED: 'The account has made too many calls (429).',
  },
);

@Output('An endpoint of the registry service: its price, its permission, and the fields that call it.')
export class RegistryEndpoint extends fields({
  name: nonNull(String, 'Its name in a price list (`PRICE_LIST`).'),
  endpoint: nonNull(String, 'Method and path.'),
  units: nonNull(Int, 'Units for one call that is charged.'),
  charged: nonNull(
    [RegistryChargeable],
    'Ends of a call that are charged. A call without a readable answer is uncertain, whatever the list says.',
  ),
  permission: nullable(String, 'The permission that the account needs. Null if the interface names none.'),
  scope: nonNull(
    String,
    "The scope that a caller's JWT needs if this server holds the token: the permission, or a name defined by padron.",
  ),
  batch: nonNull(Boolean, 'Whether the service allows it in batch processing.'),
  fields: nonNull([String], 'Fields that call it, as schema coordinates, for example `Person.credit`.'),
  availability: nonNull(RegistryAvailability, 'Whether the endpoint answers. Free: padron makes no call to find out.'),
}) {}

@Input('An operation and the dataset that it would run over.')
export class UnitEstimateInput extends fields({
  operation: nonNull(String, 'The GraphQL document to be run.'),
  operationName: optional(String, 'Name of the operation, if the document has several.'),
  rows: optional([Json], 'One set of variables per row, 10,000 at most. Omitted: one empty row.'),
  dataset: optional(String, 'A name for the dataset, returned in the answer.'),
}) {}

@Output('What one endpoint would cost over the whole dataset.')
export class UnitEstimateEndpoint extends fields({
  url: nonNull(String, 'Path of the endpoint.'),
  route: nullable(String, "padron's own name of the endpoint."),
  fields: nonNull(
    [String],
    'The fields that call it, as response names joined by dots (`person.credit`), in the order of their first call; 100 at most.',
  ),
  calls: nonNull(Int, 'Calls over the whole dataset, each distinct question counted once.'),
  unitsPerCall: nonNull(Int, 'Units for one call; 0 in sandbox mode.'),
  subtotal: nonNull(Int, 'Calls times units.'),
}) {}

@Output("What a run would cost, in the shape of the service's own estimate.")
export class UnitEstimate extends fields({
  dataset: nullable(String, 'The name that was given to the dataset.'),
  rowCount: nonNull(Int, 'Rows in the dataset.'),
  endpoints: nonNull([UnitEstimateEndpoint], 'Calls and price of each endpoint, most expensive first.'),
  estimatedUnits: nonNull(
    Int,
    'The sum of the subtotals, and the `maxUnits` of each batch that the operation starts. A list of unknown length is assumed to have two receipts a month. An operation above its budget is rejected before any call.',
  ),
  atMost: nullable(
    Int,
    'Upper bound of the cost of a run: `estimatedUnits` if the sum is bounded. Null if only the budget limits it.',
  ),
  amount: nullable(
    Decimal,
    '`estimatedUnits` in pesos. Null if the operator did not set `UNIT_PRICE`, or without a token that the service knows.',
  ),
  unitsWithPermission: nullable(
    Int,
    'What `estimatedUnits` would be for a caller with every scope. Null if this caller lacks none that the operation needs. Otherwise the lookups without permission are not made: say so, rather than that the operation is free.',
  ),
  bounded: nonNull(
    Boolean,
    'Whether the sum is an upper bound. False if a paid field is below a list of unknown length: then the run may cost more, and stops at the budget.',
  ),
  invalidRows: nonNull(Int, 'Rows with an identifier that padron rejects. Their rejected calls cost nothing.'),
  problems: nonNull<RegistryLookup['problems']>(
    [RegistryProblem],
    'Why calls would not be made and are free: distinct by code and path, 20 at most. Before them LEDGER_UNAVAILABLE, if answers that might be free could not be looked up, and therefore count in full.',
  ),
  currentBalance: nullable(Decimal, "The account's balance, if the service reports it."),
  sufficient: nullable(Boolean, 'Whether the balance covers the sum. Null if the balance is unknown.'),
}) {}
