import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { useEffect, useState } from 'react';
import { texts } from '../language/texts';
import { findPaidFields } from '../money/field-prices';
import { fetchValue, type Headers } from '../requests/request';
import { findOperation, useActiveTab } from '../tabs/active-tab';

const words = texts.batch;

type Endpoints = readonly { readonly batch: boolean; readonly fields: readonly string[] }[];

/** The fields of the open tab that the service does not allow in batches, and the tabs that a batch can run. Nothing if there are none. */
export function BarredFields({ headers }: { readonly headers: Headers }) {
  const { query } = useActiveTab();
  const schema = useGraphiQL((state) => state.schema);
  const tabs = useGraphiQL((state) => state.tabs);
  const { changeTab } = useGraphiQLActions();
  const [endpoints, setEndpoints] = useState<Endpoints>([]);
  useEffect(() => {
    const controller = new AbortController();
    fetchValue<Endpoints>(headers, '{ value: registryEndpoints { batch fields } }', {}, controller.signal).then(
      (reply) => controller.signal.aborted || setEndpoints(('value' in reply && reply.value) || []),
      () => undefined,
    );
    return () => controller.abort();
  }, [headers]);
  if (!schema) return null;
  const fieldsOf = (isAllowed: boolean) =>
    new Map(
      endpoints.filter(({ batch }) => batch === isAllowed).flatMap(({ fields }) => fields.map((name) => [name, 1])),
    );
  const barred = fieldsOf(false);
  const found = new Set(findPaidFields(query, schema, barred).map(({ name }) => name));
  if (found.size === 0) return null;
  const allowed = fieldsOf(true);
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
      <p>{words.barredFields([...found])}</p>
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
