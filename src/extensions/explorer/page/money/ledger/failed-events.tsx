import { texts } from '../../language/texts';
import type { FailedEvent } from './ledger';

interface FailedEventsProps {
  readonly events: readonly FailedEvent[];
  readonly timeZone: string;
}

/** The events that the operator's webhook did not accept, and how to send them again. */
export function FailedEvents({ events, timeZone }: FailedEventsProps) {
  const words = texts.ledger.events;
  if (events.length === 0) return null;
  return (
    <>
      <h3>{words.title}</h3>
      <ul className="padron-list" aria-label={words.title}>
        {events.map(({ id, type, at, attempts, lastStatus }) => (
          <li key={id}>
            <span>
              <strong>{type}</strong> · <time dateTime={at}>{texts.ledger.settling.time(at, timeZone)}</time>
            </span>
            <span className="padron-facts">{words.attempts(attempts, lastStatus)}</span>
            <code className="padron-path">{id}</code>
          </li>
        ))}
      </ul>
      <p className="padron-quiet">{words.resend}</p>
    </>
  );
}
