import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { texts } from '../../language/texts';
import { Breakable } from '../../layout/breakable';
import { inParentheses } from './amount-text';
import { addMonths, firstDay } from './days';
import type { SpendSummary, UnsettledCall } from './ledger';

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
export function UnsettledCalls({ unsettled, calls, month, timeZone }: UnsettledCallsProps) {
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
