import { Arg, Ctx, ID, Int, Mutation, Query, Resolver } from 'type-graphql';
import type { DeliveredEvent, EventState } from '../../../money/ledger/events/event-store';
import { invalidInput } from '../../core/client-error';
import type { Context } from '../../core/context';
import { enumType, fields, nonNull, nullable, Output } from '../../core/fields';
import { DateTime, Json } from '../../core/scalars/scalars';
import { recordChange, requireKnownAccount } from '../audit/recording';
import { OwnScope, requireLedger, requireScope } from '../ledger/access';
import { pageOf, readPageRequest } from '../ledger/read-input';

export const EventStates = enumType<EventState>('RegistryEventState', 'State of the delivery of an event.', {
  PENDING: 'The webhook has not accepted the event yet. padron sends it again, with growing pauses.',
  DELIVERED: 'The webhook answered with 2xx.',
  FAILED:
    'The webhook did not accept the event in three days, or answered 410. Only `resendRegistryEvent` sends it again.',
});

@Output(
  'An event, and its delivery to the webhook of the operator. It has no personal data: ask the graph for the rest.',
)
export class RegistryEvent
  extends fields({
    id: nonNull(ID, 'ID of the event: `webhook-id`, the same in every attempt.'),
    type: nonNull(String, 'Type of the event, for example `batch.done`.'),
    at: nonNull<Date>(DateTime, 'When the event happened.'),
    state: nonNull(EventStates, 'State of the delivery.'),
    attempts: nonNull(Int, 'Number of attempts to send the event.'),
    lastStatus: nullable(Int, 'HTTP status of the last attempt. Null if it had no response.'),
    data: nonNull(Json, '`data` in the body: IDs, codes and counts.'),
  })
  implements Omit<DeliveredEvent, 'data'> {}

@Output('A page of events, newest first.')
export class RegistryEventPage extends fields({
  events: nonNull([RegistryEvent], 'The events of this page.'),
  next: nullable(String, 'Pass it as `after` to get the next page. Null on the last page.'),
}) {}

@Resolver()
export class EventResolver {
  @Query(() => RegistryEventPage, {
    nullable: true,
    description:
      'The events of this account, of prices and of the registries, newest first, and whether the webhook of the operator accepted them. Empty if the operator has not set WEBHOOK_URL. Free. A JWT needs the scope `padron_events`.',
  })
  @OwnScope('padron_events')
  async registryEvents(
    @Arg('state', () => EventStates, { nullable: true, description: 'Events in this state. Omitted: all events.' })
    state: EventState | null,
    @Arg('first', () => Int, { defaultValue: 100, description: 'Page size, 1,000 at most.' }) first: number,
    @Arg('after', () => String, { nullable: true, description: '`next` of the previous page.' }) after: string | null,
    @Ctx() context: Context,
  ): Promise<RegistryEventPage> {
    const { accounts } = requireScope(context, 'padron_events');
    const page = readPageRequest(first, after);
    const { events } = requireLedger(context);
    if (events === null) return { events: [], next: null };
    // Events of registries concern all accounts, so an invented token would see them.
    await requireKnownAccount(context);
    return pageOf(events.page(accounts, state, page));
  }

  @Mutation(() => RegistryEvent, {
    nullable: true,
    description:
      'Sends an event to the webhook again, with the same ID and data, in the order of its batch, budget, endpoint or registry. Free. A JWT needs the scope `padron_events`. An event of prices or of a registry concerns all accounts, so it needs such a JWT.',
  })
  @OwnScope('padron_events')
  async resendRegistryEvent(
    @Arg('id', () => ID, { description: 'The event.' }) id: string,
    @Ctx() context: Context,
  ): Promise<RegistryEvent> {
    const { accounts } = requireScope(context, 'padron_events');
    return recordChange(
      context,
      { action: 'RESEND_EVENT', scope: 'padron_events' },
      async () => {
        const hasScope = context.caller.permissions !== null;
        const event = await requireLedger(context).events?.resend(accounts, id, hasScope);
        if (event) return event;
        throw invalidInput(
          '`id` is not an event of this account. `registryEvents` lists them. An event of prices or of a registry needs a JWT with the scope `padron_events`.',
        );
      },
      ({ id: event }) => ({ event }),
    );
  }
}
