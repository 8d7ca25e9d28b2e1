import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { findPaidFields, paidEndpoints } from '../../explorer/page/money/field-prices';
import { useStore } from '../../explorer/page/store';
import { findOperation, useActiveTab } from '../../explorer/page/tabs/active-tab';
import { batchTexts as words } from './batch-texts';

/** Returns the names of the fields of the open tab that the service does not allow in batches. */
export function useBarredFields(batchesCallAny: boolean): readonly string[] {
  const { query } = useActiveTab();
  const schema = useGraphiQL((state) => state.schema);
  const barred = useStore(paidEndpoints).filter(({ batch }) => !batch && !batchesCallAny);
  return schema ? [...new Set(findPaidFields(query, schema, barred).map(({ name }) => name))] : [];
}

/** The fields of the open tab that the service does not allow in batches, and the tabs that a batch can run. Nothing if there are none. */
export function BarredFields({ names }: { readonly names: readonly string[] }) {
  const schema = useGraphiQL((state) => state.schema);
  const tabs = useGraphiQL((state) => state.tabs);
  const { changeTab } = useGraphiQLActions();
  const endpoints = useStore(paidEndpoints);
  if (!schema || names.length === 0) return null;
  const barred = endpoints.filter(({ batch }) => !batch);
  const allowed = endpoints.filter(({ batch }) => batch);
  const runnable = tabs.flatMap(({ query: text, title }, index) => {
    const operation = findOperation(text ?? '', undefined);
    const isRunnable =
      operation?.operation === 'query' &&
      (operation.variableDefinitions ?? []).length > 0 &&
      findPaidFields(text ?? '', schema, allowed).length > 0 &&
      findPaidFields(text ?? '', schema, barred).length === 0;
    return isRunnable ? [{ title, index }] : [];
  });
  return (
    <div role="alert" className="padron-disallowed">
      <p>{words.barredFields(names)}</p>
      {runnable.length > 0 && (
        <p className="padron-row">
          {words.runnable}{' '}
          {runnable.map(({ title, index }) => (
            <button key={index} type="button" className="padron-chip" onClick={() => changeTab(index)}>
              {title}
            </button>
          ))}
        </p>
      )}
    </div>
  );
}
