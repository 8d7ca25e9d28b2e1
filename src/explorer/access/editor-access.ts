import { useGraphiQL } from '@graphiql/react';
import { useEffect } from 'react';
import { texts } from '../language/texts';

/** What GraphiQL leaves out for those who have no mouse or no screen: Tab leaves an editor, and each tab's close button has a name of its own. */
export function EditorAccess(): null {
  const editors = useGraphiQL(({ queryEditor, variableEditor, headerEditor, responseEditor }) => [
    queryEditor,
    variableEditor,
    headerEditor,
    responseEditor,
  ]);
  const titles = useGraphiQL(({ tabs }) => tabs.map(({ title }) => title).join('\n'));
  useEffect(() => {
    for (const editor of editors) editor?.updateOptions({ tabFocusMode: true });
  }, [editors]);
  useEffect(() => {
    for (const tab of document.querySelectorAll('.graphiql-tab')) {
      const title = titles === '' ? '' : (tab.querySelector('.graphiql-tab-button')?.textContent ?? '');
      tab.querySelector('.graphiql-tab-close')?.setAttribute('aria-label', texts.closeTab(title));
    }
  }, [titles]);
  return null;
}
