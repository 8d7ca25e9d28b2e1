import type { UnitCall } from '../requests/graphql-response';

/** The calls of a run as a waterfall: each bar begins when its call did and is as long as it took. */
export function CallBars({ calls }: { readonly calls: readonly UnitCall[] }) {
  const end = Math.max(1, ...calls.map(({ at, ms }) => at + ms));
  if (calls.length === 0) return <p>No call was made.</p>;
  return (
    <ol className="padron-calls" aria-label="Registry calls">
      {calls.map((call, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same endpoint may be called twice, and the order never changes.
        <li key={index}>
          <span className="padron-path">
            <strong>{call.path.join('.')}</strong>
            <br />
            {call.endpoint}
          </span>
          <span className={`padron-outcome padron-${call.outcome.toLowerCase()}`}>{call.outcome}</span>
          <span className="padron-track" aria-hidden="true">
            <span
              className={`padron-bar padron-${call.outcome.toLowerCase()}`}
              style={{ marginLeft: `${(call.at / end) * 100}%`, width: `${(call.ms / end) * 100}%` }}
            />
          </span>
          <span className="padron-facts">
            {call.ms} ms · {call.units === 1 ? '1 unit' : `${call.units} units`} ·{' '}
            {servedFrom[call.servedFrom] ?? call.servedFrom}
          </span>
        </li>
      ))}
    </ol>
  );
}

const servedFrom: Readonly<Record<string, string>> = {
  LIVE: 'asked now',
  REPLAY: 'replayed',
  SANDBOX: 'sandbox mode',
  NOT_SENT: 'not sent',
};
