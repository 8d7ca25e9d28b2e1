import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import type { IntrospectionQuery } from 'graphql';
import { useEffect, useRef } from 'react';
import { useActiveTab } from '../tabs/active-tab';
import type { GraphqlResponse } from './request';

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

/** Returns the introspected schema in the order in which people look for its fields and types: federation's own come last. */
export function orderSchema(response: GraphqlResponse): GraphqlResponse {
  const data = response.data as IntrospectionQuery | null | undefined;
  if (!data) return response;
  const { __schema: schema } = data;
  const roots = [schema.queryType.name, schema.mutationType?.name];
  const types = schema.types
    .map((type) => {
      if (type.kind !== 'OBJECT' || !roots.includes(type.name)) return type;
      return { ...type, fields: type.fields.toSorted((left, right) => rank(left.name) - rank(right.name)) };
    })
    .toSorted(
      (left, right) => rank(left.name, left.kind) - rank(right.name, right.kind) || left.name.localeCompare(right.name),
    );
  return { ...response, data: { ...data, __schema: { ...schema, types } } };
}

function rank(name: string, kind = ''): number {
  if (/^(_|link__|federation__)/.test(name)) return 5;
  if (/^person$/i.test(name)) return 0;
  if (/^employer$/i.test(name)) return 1;
  if (kind === 'SCALAR') return 4;
  // Money, batches and the ledger.
  return /registry|^unit/i.test(name) ? 3 : 2;
}
