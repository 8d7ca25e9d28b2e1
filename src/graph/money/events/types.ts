import { ID, Int } from 'type-graphql';
import type { DeliveredEvent, EventState } from '../../../money/events/event-store';
import { enumType } from '../../core/enum-type';
import { fields, nonNull, nullable, Output } from '../../core/fields';
import { DateTime, Json } from '../../core/scalars/scalars';

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
