import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { useCallback, useState } from 'react';
import { texts } from '../../language/texts';
import { Downloads } from '../../requests/downloads';
import { Loaded, useLoaded } from '../../requests/loaded';
import { useLastRun } from '../../requests/run';
import { useVisibleTime } from '../../requests/visible-time';
import { useActiveTab } from '../../tabs/active-tab';
import { Breakable, formatUnits, Sum } from '../figures';
import { BudgetList } from './budget-list';
import { FailedEvents } from './failed-events';
import {
  addMonths,
  fetchCsvUrl,
  fetchLedger,
  firstDay,
  type Ledger,
  lastDays,
  lastMonths,
  type UnsettledCall,
} from './ledger';
import { MonthTable, SpendChart } from './spend-tables';

const settleMutation = `mutation SettleCalls($calls: [RegistryBillingInput!]!) {
  settleRegistryBilling(input: $calls) { id at evidence { endpoint } settlement { billing units note } }
}
`;
const commandFor = (month: string): string =>
  `npx padron reconcile statement.csv --from ${firstDay(month)} --to ${firstDay(addMonths(month, 1))} --settle`;

interface LedgerPartProps {
  readonly ledger: Ledger;
  readonly month: string;
  readonly timeZone: string;
}

/** The calls whose billing is unknown, and how to settle them. */
function UnsettledCalls({ ledger, month, timeZone }: LedgerPartProps) {
  const calls = ledger.calls.entries;
  const [unsettled] = ledger.unsettled;
  const words = texts.ledger.settling;
  const openMutation = useSettlementTab(calls);
  const hidden = unsettled.calls - calls.length;
  return (
    <>
      <p>{words.about(texts.calls(unsettled.calls), texts.units(unsettled.uncertainUnits))}</p>
      <details className="padron-unsettled">
        <summary>{words.show(unsettled.calls)}</summary>
        <ul className="padron-list" aria-label={words.list}>
          {calls.map(({ id, at, client, uncertainUnits, uncertainAmount, evidence }) => (
            <li key={id}>
              <span>
                <time dateTime={at}>{words.time(at, timeZone)}</time> · {formatUnits(uncertainUnits, uncertainAmount)}
                {client !== null && ` · ${client}`}
              </span>
              <span className="padron-path">
                <Breakable path={evidence.endpoint} />
              </span>
            </li>
          ))}
        </ul>
        {hidden > 0 && <p>{words.hidden(hidden)}</p>}
        <p>{words.byStatement}</p>
        <pre>{commandFor(month)}</pre>
        <p>{words.byCall}</p>
        <button type="button" onClick={openMutation}>
          {words.open}
        </button>
      </details>
    </>
  );
}

/** Returns a function that opens a tab with the mutation for these calls. The user has to replace each billing before it can run. */
function useSettlementTab(calls: readonly UnsettledCall[]): () => void {
  const { addTab } = useGraphiQLActions();
  const { queryEditor, variableEditor, headerEditor } = useGraphiQL((state) => ({
    queryEditor: state.queryEditor,
    variableEditor: state.variableEditor,
    headerEditor: state.headerEditor,
  }));
  return () => {
    const headers = headerEditor?.getValue() ?? '';
    const items = calls.map(({ id }) => ({ id, billing: 'CHARGED or NOT_CHARGED', note: '' }));
    addTab();
    queryEditor?.setValue(settleMutation);
    variableEditor?.setValue(JSON.stringify({ calls: items }, null, 2));
    headerEditor?.setValue(headers);
  };
}

const delayMs = 350;
const refreshMs = 60_000;

/** The account's budgets and spending, reloaded after each run and each minute. */
export function LedgerSection({ timeZone }: { readonly timeZone: string }) {
  const { headers } = useActiveTab();
  const run = useLastRun();
  const now = useVisibleTime(refreshMs);
  const months = lastMonths(now, timeZone);
  const [chosen, setChosen] = useState<string | null>(null);
  const month = chosen ?? months[0] ?? '';
  const choose = (name: string): void => setChosen(name === months[0] ? null : name);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the ledger is reloaded when a run ends, and each minute.
  const load = useCallback(
    (signal: AbortSignal) => fetchLedger(headers, timeZone, month, signal),
    [headers, run, timeZone, month, now],
  );
  const { reply } = useLoaded(load, { delayMs });
  return (
    <section aria-label={texts.ledger.title}>
      <h2>{texts.ledger.title}</h2>
      <Loaded reply={reply} words={texts.ledger}>
        {(ledger) => (
          <>
            <p className="padron-quiet">{texts.ledger.readAt(ledger.readAt, timeZone)}</p>
            <Overview ledger={ledger} month={month} timeZone={timeZone} />
            <BudgetList budgets={ledger.budgets} timeZone={timeZone} />
            <FailedEvents events={ledger.failed?.events ?? []} timeZone={timeZone} />
            {ledger.today !== null && (
              <>
                <MonthTable ledger={ledger} month={month} months={months} onChoose={choose} />
                <Days ledger={ledger} timeZone={timeZone} />
                <Downloads
                  unread={texts.ledger.unread}
                  files={[
                    { label: texts.ledger.downloadMonth(month), fetchLink: () => fetchCsvUrl(headers, month) },
                    { label: texts.ledger.download, fetchLink: () => fetchCsvUrl(headers, null) },
                  ]}
                />
              </>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

function Overview({ ledger, month, timeZone }: LedgerPartProps) {
  if (ledger.today === null) return <p>{texts.ledger.scopeNeeded}</p>;
  const [today] = ledger.today;
  const [unsettled] = ledger.unsettled;
  const { limitedToClient } = ledger.calls;
  return (
    <>
      {limitedToClient !== null && <p className="padron-note">{texts.ledger.limitedTo(limitedToClient)}</p>}
      {today.amount !== null && <p className="padron-quiet">{texts.ledger.amounts}</p>}
      <dl className="padron-sums">
        <Sum name={texts.ledger.spentToday(today.units)} units={today.units} amount={today.amount} />
        <Sum name={texts.ledger.savedToday(today.savedUnits)} units={today.savedUnits} amount={today.savedAmount} />
        <Sum name={texts.ledger.unsettled} units={unsettled.uncertainUnits} amount={unsettled.uncertainAmount} />
      </dl>
      {unsettled.calls > 0 && <UnsettledCalls ledger={ledger} month={month} timeZone={timeZone} />}
    </>
  );
}

function Days({ ledger: { days, readAt }, timeZone }: Omit<LedgerPartProps, 'month'>) {
  return (
    <>
      <h3>{texts.ledger.chart}</h3>
      {days.some(({ units }) => units > 0) ? (
        <SpendChart spend={days} days={lastDays(readAt, timeZone)} />
      ) : (
        <p className="padron-quiet">{texts.ledger.nothing}</p>
      )}
    </>
  );
}
