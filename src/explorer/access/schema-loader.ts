import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { useEffect, useRef } from 'react';
import { useActiveTab } from '../tabs/active-tab';

const debounceMs = 600;

/** Loads the schema again after a change of the headers or the token if it could not be loaded before. In production the schema needs a token. */
export function SchemaLoader(): null {
  const { headers } = useActiveTab();
  const isMissing = useGraphiQL(({ schema, isIntrospecting }) => !schema && !isIntrospecting);
  const error = useGraphiQL(({ fetchError }) => fetchError);
  const editor = useGraphiQL(({ responseEditor }) => responseEditor);
  const { introspect } = useGraphiQLActions();
  const lastHeaders = useRef(headers);
  const shownError = useRef(error);
  useEffect(() => {
    if (!isMissing || headers === lastHeaders.current) return;
    const timer = setTimeout(() => {
      lastHeaders.current = headers;
      void introspect();
    }, debounceMs);
    return () => clearTimeout(timer);
  }, [headers, isMissing, introspect]);
  useEffect(() => {
    // GraphiQL shows the error as a response, and leaves it there when the schema has arrived.
    if (error === null && shownError.current && editor?.getValue() === shownError.current) editor.setValue('');
    shownError.current = error;
  }, [error, editor]);
  return null;
}
