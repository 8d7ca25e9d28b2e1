import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { useEffect, useState } from 'react';
import { texts } from '../../language/texts';
import { useLastRun } from '../../requests/run';
import { parseObject, useActiveTab } from '../../tabs/active-tab';
import { Breakable, inParentheses, Sum } from '../figures';
import { BudgetList } from './budget-list';
import {
  addMonths,
  type DaySpend,
  fetchCsvUrl,
  fetchLedger,
  firstDay,
  type LedgerReply,
  lastDays,
  lastMonths,
  type SpendSummary,
  type UnsettledCall,
} from './ledger';
import { MonthTable, SpendChart } from './spend-tables';

const mutation = `mutation SettleCalls($calls: [RegistryBillingInput!]!) {
  settleRegistryBilling(input: $calls) { id at evidence { endpoint } settlement { billing units note } }
}
`;
const commandFor = (month: string): string =>
  `npx padron reconcile statement.csv --from ${firstDay(month)} --to ${firstDay(addMonths(month, 1))} --settle`;

interface UnsettledCallsProps {
  readonly unsettled: SpendSummary['unsettled'];
  readonly calls: readonly UnsettledCall[];
  readonly month: string;
  readonly timeZone: string;
}

/** The calls whose billing is unknown, and how to settle them. */
function UnsettledCalls({ unsettled, calls, month, timeZone }: UnsettledCallsProps) {
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
                <time dateTime={at}>{words.time(new Date(at), timeZone)}</time> · {texts.units(uncertainUnits)}
                {inParentheses(uncertainAmount)}
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
        <pre className="padron-command">{commandFor(month)}</pre>
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
    queryEditor?.setValue(mutation);
    variableEditor?.setValue(JSON.stringify({ calls: items }, null, 2));
    headerEditor?.setValue(headers);
  };
}

/** Buttons that download the entries of the chosen month or all entries. A link is valid for ten minutes, so it is requested on a click. */
function Downloads({ month }: { readonly month: string }) {
  const { headers } = useActiveTab();
  const [message, setMessage] = useState('');
  const download = async (wanted: string | null): Promise<void> => {
    const reply = await fetchCsvUrl(parseObject(headers) ?? {}, wanted);
    const url = 'value' in reply ? reply.value : null;
    setMessage(url === null ? texts.ledger.unknown('reason' in reply ? reply.reason : '') : '');
    if (url === null) return;
    const link = document.createElement('a');
    link.href = url;
    link.download = '';
    link.click();
  };
  return (
    <>
      <div className="padron-row">
        <button type="button" onClick={() => void download(month)}>
          {texts.ledger.downloadMonth(month)}
        </button>
        <button type="button" onClick={() => void download(null)}>
          {texts.ledger.download}
        </button>
      </div>
      <p className="padron-message" role="status">
        {message}
      </p>
    </>
  );
}

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
