import { Webhook } from 'standardwebhooks';
import { eventExamples } from '../../../src/money/ledger/events/event-store';
import { waitUntil } from '../proxies/deferred';
import { type Receiver, startReceiver } from '../proxies/receiver';

export const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

export interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  // biome-ignore lint/suspicious/noExplicitAny: the border to JSON; every test asserts what it reads.
  readonly data: any;
}

export interface EventReceiver extends Receiver {
  readonly environment: Readonly<Record<'WEBHOOK_URL' | 'WEBHOOK_SECRET', string>>;
  /** Returns what was received, in order. Fails if a signature is wrong, or if an event does not have the form of its example. */
  events(): readonly ReceivedEvent[];
  untilEvents(count: number, type?: string): Promise<readonly ReceivedEvent[]>;
}

/** Starts a receiver that verifies events with the library of Standard Webhooks. `respond` returns the status of a response, or null for none. */
export async function startEventReceiver(
  respond: (count: number) => number | null = () => 204,
  port = 0,
): Promise<EventReceiver> {
  const receiver = await startReceiver(respond, port);
  const webhook = new Webhook(WEBHOOK_SECRET);
  const examples: Readonly<Record<string, object>> = eventExamples;
  const events = (): readonly ReceivedEvent[] =>
    receiver.received.map(({ headers, body }) => {
      const event = webhook.verify(body, headers as Record<string, string>) as Omit<ReceivedEvent, 'id'>;
      expect([event.type, Object.keys(event.data)]).toEqual([event.type, Object.keys(examples[event.type] ?? {})]);
      return { id: String(headers['webhook-id']), ...event };
    });
  const of = (type?: string) => events().filter((event) => type === undefined || event.type === type);
  return {
    ...receiver,
    environment: { WEBHOOK_URL: receiver.url, WEBHOOK_SECRET },
    events,
    untilEvents: async (count, type) => {
      await waitUntil(() => of(type).length >= count);
      return of(type);
    },
  };
}
