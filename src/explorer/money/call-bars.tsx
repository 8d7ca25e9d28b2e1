import { texts } from '../language/texts';
import { Breakable } from '../layout/breakable';
import type { ReportedCall } from '../requests/graphql-response';

/** A waterfall of the calls of a run, with the start and the duration of each call. */
export function CallBars({ calls }: { readonly calls: readonly ReportedCall[] }) {
  const end = Math.max(1, ...calls.map(({ at, ms }) => at + ms));
  if (calls.length === 0) return <p>{texts.money.noCall}</p>;
  return (
    <ol className="padron-calls" aria-label={texts.money.callList}>
      {calls.map((call, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same endpoint may be called twice, and the order never changes.
        <li key={index}>
          <span className="padron-path">
            <strong>
              <Breakable path={call.path.join('.')} />
            </strong>
            <br />
            <Breakable path={call.endpoint} />
          </span>
          <span className={`padron-outcome padron-${call.outcome.toLowerCase()}`}>{call.outcome}</span>
          <span className="padron-track" aria-hidden="true">
            <span
              className={`padron-bar padron-${call.outcome.toLowerCase()}`}
              style={{ marginLeft: `${(call.at / end) * 100}%`, width: `${(call.ms / end) * 100}%` }}
            />
          </span>
          <span className="padron-facts">
            {call.ms} ms · {texts.units(call.units)} · {texts.money.servedFrom[call.servedFrom] ?? call.servedFrom}
          </span>
        </li>
      ))}
    </ol>
  );
}
