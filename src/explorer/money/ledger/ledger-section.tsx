import { useEffect, useState } from 'react';
import { texts } from '../../language/texts';
import { useLastRun } from '../../requests/run';
import { parseObject, useActiveTab } from '../../tabs/active-tab';
import { Sum } from '../sum';
import { BudgetList } from './budget-list';
import { lastDays, lastMonths } from './days';
import { Downloads } from './downloads';
import { type DaySpend, fetchLedger, type LedgerReply, type SpendSummary } from './ledger';
import { MonthTable } from './month-table';
import { SpendChart } from './spend-chart';
import { UnsettledCalls } from './unsettled-calls';

const debounceMs = 350;

/** The account's budgets and spending, reloaded after each run. */
export function LedgerSection({ timeZone }: { readonly timeZone: string }) {
  const { headers } = useActiveTab();
  const run = useLastRun();
  const [months] = useState(() => lastMonths(new Date(), timeZone));
  const [month, setMonth] = useState(months[0] ?? '');
  const [reply, setReply] = useState<LedgerReply>({ kind: 'loading' });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the ledger is reloaded when a run ends.
  useEffect(() => {
    const controller = new AbortController();
    const timer = setTimeout(() => {
      const parsed = parseObject(headers);
      if (parsed === null) return setReply({ kind: 'unknown', reason: texts.price.headersUnread });
      fetchLedger(parsed, timeZone, month, controller.signal).then(
        (next) => controller.signal.aborted || setReply(next),
        () => undefined,
      );
    }, debounceMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [headers, run, timeZone, month]);
  return (
    <section aria-label={texts.ledger.title}>
      <h2>{texts.ledger.title}</h2>
      {reply.kind === 'known' ? (
        <>
          <Overview spend={reply.ledger.spend} month={month} timeZone={timeZone} />
          <BudgetList budgets={reply.ledger.budgets} timeZone={timeZone} />
          {reply.ledger.spend !== null && (
            <>
              <MonthTable spend={reply.ledger.spend} month={month} months={months} onChoose={setMonth} />
              <Days days={reply.ledger.spend.days} timeZone={timeZone} />
              <Downloads month={month} />
            </>
          )}
        </>
      ) : (
        <p className="padron-quiet">{describe(reply)}</p>
      )}
    </section>
  );
}

function describe(reply: Exclude<LedgerReply, { readonly kind: 'known' }>): string {
  if (reply.kind === 'loading') return '…';
  if (reply.kind === 'off') return texts.ledger.off;
  return reply.kind === 'no token' ? texts.ledger.noToken : texts.ledger.unknown(reply.reason);
}

interface OverviewProps {
  readonly spend: SpendSummary | null;
  readonly month: string;
  readonly timeZone: string;
}

/** The spending of today, and the calls that are not settled. */
function Overview({ spend, month, timeZone }: OverviewProps) {
  if (spend === null) return <p>{texts.ledger.scopeNeeded}</p>;
  const { today, unsettled, unsettledCalls, limitedToClient } = spend;
  return (
    <>
      {limitedToClient !== null && <p className="padron-note">{texts.ledger.limitedTo(limitedToClient)}</p>}
      {today.amount !== null && <p className="padron-quiet">{texts.ledger.amounts}</p>}
      <dl className="padron-sums">
        <Sum name={texts.ledger.spentToday} units={today.units} amount={today.amount} />
        <Sum name={texts.ledger.unsettled} units={unsettled.uncertainUnits} amount={unsettled.uncertainAmount} />
      </dl>
      {unsettled.calls > 0 && (
        <UnsettledCalls unsettled={unsettled} calls={unsettledCalls} month={month} timeZone={timeZone} />
      )}
    </>
  );
}

function Days({ days, timeZone }: { readonly days: readonly DaySpend[]; readonly timeZone: string }) {
  return (
    <>
      <h3>{texts.ledger.chart}</h3>
      {days.some(({ units }) => units > 0) ? (
        <SpendChart spend={days} days={lastDays(new Date(), timeZone)} />
      ) : (
        <p className="padron-quiet">{texts.ledger.nothing}</p>
      )}
    </>
  );
}
