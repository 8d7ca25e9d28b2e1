import { useEffect, useState } from 'react';
import { texts } from '../language/texts';
import { useLastRun } from '../requests/run';
import { parseObject, useActiveTab } from '../tabs/active-tab';
import { days } from './days';
import { fetchCsvUrl, fetchLedger, type LedgerSummary } from './ledger';
import { SpendChart } from './spend-chart';
import { Sum } from './sum';

const debounceMs = 350;

/** The account's recent spending, reloaded after each run. */
export function LedgerSection({ timeZone }: { readonly timeZone: string }) {
  const { headers } = useActiveTab();
  const run = useLastRun();
  const [summary, setSummary] = useState<LedgerSummary>({ kind: 'loading' });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the ledger is reloaded when a run ends.
  useEffect(() => {
    const controller = new AbortController();
    const timer = setTimeout(() => {
      const parsed = parseObject(headers);
      if (parsed === null) return setSummary({ kind: 'unknown', reason: texts.price.headersUnread });
      fetchLedger(parsed, timeZone, controller.signal).then(
        (next) => controller.signal.aborted || setSummary(next),
        () => undefined,
      );
    }, debounceMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [headers, run, timeZone]);
  return (
    <section aria-label={texts.ledger.title}>
      <h2>{texts.ledger.title}</h2>
      <Summary summary={summary} timeZone={timeZone} />
    </section>
  );
}

function Summary({ summary, timeZone }: { readonly summary: LedgerSummary; readonly timeZone: string }) {
  if (summary.kind === 'loading') return <p>…</p>;
  if (summary.kind === 'off') return <p className="padron-quiet">{texts.ledger.off}</p>;
  if (summary.kind === 'unknown') return <p>{texts.ledger.unknown(summary.reason)}</p>;
  const { spend, unsettled, today } = summary;
  const spentToday = spend.filter(({ day }) => day === today).reduce((sum, { units }) => sum + units, 0);
  return (
    <>
      <dl className="padron-sums">
        <Sum name={texts.ledger.spentToday} units={spentToday} />
        <Sum name={texts.ledger.unsettled} units={unsettled.uncertainUnits} />
      </dl>
      {unsettled.calls > 0 && (
        <p>{texts.ledger.unsettledAbout(texts.calls(unsettled.calls), texts.units(unsettled.uncertainUnits))}</p>
      )}
      {spend.some(({ units }) => units > 0) ? (
        <SpendChart spend={spend} days={days(new Date(), timeZone)} />
      ) : (
        <p className="padron-quiet">{texts.ledger.nothing}</p>
      )}
      <Download />
    </>
  );
}

/** A download button. The link is valid for ten minutes, so it is requested when the user clicks. */
function Download() {
  const { headers } = useActiveTab();
  const [message, setMessage] = useState('');
  const download = async (): Promise<void> => {
    const file = await fetchCsvUrl(parseObject(headers) ?? {});
    setMessage('reason' in file ? texts.ledger.unknown(file.reason) : '');
    if ('reason' in file) return;
    const link = document.createElement('a');
    link.href = file.url;
    link.download = '';
    link.click();
  };
  return (
    <>
      <button type="button" onClick={() => void download()}>
        {texts.ledger.download}
      </button>
      <p className="padron-message" role="status">
        {message}
      </p>
    </>
  );
}
