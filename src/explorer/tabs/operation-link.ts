import { parse, print, stripIgnoredCharacters } from 'graphql';
import { createStore } from '../store';
import { redactValues } from './documents';

const parameter = 'operation';

/** Why the link that opened the page was ignored. */
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

/** Takes the operation out of the fragment of the page's URL. Returns null if the fragment has no valid operation. */
export function takeLinkedOperation(): string | null {
  const linked = new URLSearchParams(location.hash.slice(1)).get(parameter);
  if (linked === null) return null;
  // Without the fragment, a reload does not open the operation again.
  history.replaceState(history.state, '', location.pathname + location.search);
  try {
    return print(parse(linked, { noLocation: true, maxTokens: 15_000 }));
  } catch {
    isLinkIgnored.set(true);
    return null;
  }
}
