import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { parse, print, stripIgnoredCharacters } from 'graphql';
import { useEffect } from 'react';
import { texts } from '../language/texts';
import { createStore, useStore } from '../store';
import { redactValues } from './documents';

/** Opens a link to an operation that the user enters while the page is open, and shows a message if a link is not valid. */
export function LinkedOperation() {
  const isIgnored = useStore(isLinkIgnored);
  const { addTab } = useGraphiQLActions();
  const editor = useGraphiQL(({ queryEditor }) => queryEditor);
  useEffect(() => {
    const open = (): void => {
      isLinkIgnored.set(false);
      const query = takeLinkedOperation();
      if (query === null) return;
      addTab();
      editor?.setValue(query);
    };
    window.addEventListener('hashchange', open);
    return () => window.removeEventListener('hashchange', open);
  }, [addTab, editor]);
  return (
    <p className="padron-footnote padron-message" role="status">
      {isIgnored && texts.linkIgnored}
    </p>
  );
}

const parameter = 'operation';

export const isLinkIgnored = createStore(false);

/** Returns a link to an operation without the values in it. Returns null if the document has a syntax error. */
export function createOperationLink(query: string): string | null {
  try {
    const document = stripIgnoredCharacters(print(parse(redactValues(query), { noLocation: true })));
    return `${location.origin}${location.pathname}#${new URLSearchParams({ [parameter]: document })}`;
  } catch {
    return null;
  }
}

/**
 * Takes the operation out of the page's URL: out of the fragment of a link of padron, or the query string of a link of another tool.
 * Returns null if there is no valid operation.
 */
export function takeLinkedOperation(): string | null {
  const inFragment = new URLSearchParams(location.hash.slice(1)).get(parameter);
  const linked = inFragment ?? new URLSearchParams(location.search).get('query');
  if (linked === null) return null;
  // The URL is cleared, so that a reload does not open the operation again.
  history.replaceState(history.state, '', location.pathname);
  try {
    return print(parse(linked, { noLocation: true, maxTokens: 15_000 }));
  } catch {
    isLinkIgnored.set(true);
    return null;
  }
}
