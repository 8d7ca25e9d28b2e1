import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { useEffect, useRef } from 'react';
import { useActiveTab } from '../tabs/active-tab';

const debounceMs = 600;

/** Loads the schema again after a change of the headers if it could not be loaded before. In production the schema needs a token. */
export function SchemaLoader(): null {
  const { headers } = useActiveTab();
  const isMissing = useGraphiQL(({ schema, isIntrospecting }) => !schema && !isIntrospecting);
  const { introspect } = useGraphiQLActions();
  const lastHeaders = useRef(headers);
  useEffect(() => {
    if (!isMissing || headers === lastHeaders.current) return;
    const timer = setTimeout(() => {
      lastHeaders.current = headers;
      void introspect();
    }, debounceMs);
    return () => clearTimeout(timer);
  }, [headers, isMissing, introspect]);
  return null;
}
