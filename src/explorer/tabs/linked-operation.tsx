import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { useEffect } from 'react';
import { texts } from '../language/texts';
import { useStore } from '../store';
import { isLinkIgnored, takeLinkedOperation } from './operation-link';

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
    <p className="padron-link-message" role="status">
      {isIgnored && texts.linkIgnored}
    </p>
  );
}
