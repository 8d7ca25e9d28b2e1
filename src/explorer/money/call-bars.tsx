import { texts } from '../language/texts';
import { Breakable } from '../layout/breakable';
import type { ReportedCall } from '../requests/graphql-response';

interface CallBarsProps {
  readonly calls: readonly ReportedCall[];
  /** Paths of the lookups that are still running. */
  readonly pending: ReadonlySet<string>;
}

/** A waterfall of the calls of a run, with the start and the duration of each call. */
export function CallBars({ calls, pending }: CallBarsProps) {
  const end = Math.max(1, ...calls.map(({ at, ms }) => at + ms));
  if (calls.length === 0) return <p>{texts.money.noCall}</p>;
  return (
    <ol className="padron-calls" aria-label={texts.money.callList}>
      {calls.map((call, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same endpoint may be called twice, and the order never changes.
        <CallBar key={index} call={call} end={end} isRunning={pending.has(call.path.join('.'))} />
      ))}
    </ol>
  );
}

interface CallBarProps {
  readonly call: ReportedCall;
  /** Milliseconds from the start of the run to the end of its last call. */
  readonly end: number;
  readonly isRunning: boolean;
}

function CallBar({ call, end, isRunning }: CallBarProps) {
  const kind = isRunning ? 'pending' : call.outcome.toLowerCase();
  return (
    <li>
      <span className="padron-path">
        <strong>
          <Breakable path={call.path.join('.')} />
        </strong>
        <br />
        <Breakable path={call.endpoint} />
      </span>
      <span className={`padron-outcome padron-${kind}`}>{isRunning ? texts.money.stillRunning : call.outcome}</span>
      <span className="padron-track" aria-hidden="true">
        <span
          className={`padron-bar padron-${kind}`}
          style={{
            marginLeft: `${(call.at / end) * 100}%`,
            width: `${((isRunning ? end - call.at : call.ms) / end) * 100}%`,
          }}
        />
      </span>
      <span className="padron-facts">
        {call.ms} ms · {texts.units(call.units)} · {texts.money.servedFrom[call.servedFrom] ?? call.servedFrom}
      </span>
    </li>
  );
}
