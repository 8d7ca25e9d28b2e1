import { useGraphiQL } from '@graphiql/react';
import { useEffect } from 'react';
import { texts } from '../language/texts';

const options = { tabIndex: 0, wordWrap: 'on', wrappingIndent: 'indent', lineNumbersMinChars: 3 } as const;

/** Makes the editors easier to use: lines wrap, Tab enters and leaves an editor, and each tab's close button has its own name. */
export function EditorAccess(): null {
  const editors = useGraphiQL(({ queryEditor, variableEditor, headerEditor, responseEditor }) => [
    queryEditor,
    variableEditor,
    headerEditor,
    responseEditor,
  ]);
  const titles = useGraphiQL(({ tabs }) => tabs.map(({ title }) => title).join('\n'));
  useEffect(() => {
    for (const editor of editors) editor?.updateOptions(options);
  }, [editors]);
  useEffect(() => {
    document.addEventListener('keydown', leaveByTab, { capture: true });
    return () => document.removeEventListener('keydown', leaveByTab, { capture: true });
  }, []);
  useEffect(() => {
    for (const tab of document.querySelectorAll('.graphiql-tab')) {
      const title = titles === '' ? '' : (tab.querySelector('.graphiql-tab-button')?.textContent ?? '');
      tab.querySelector('.graphiql-tab-close')?.setAttribute('aria-label', texts.closeTab(title));
    }
  }, [titles]);
  return null;
}

/** Lets Tab leave the editor, which would otherwise indent the line. If suggestions are open, Tab still accepts one. */
function leaveByTab(event: KeyboardEvent): void {
  const isInEditor = event.target instanceof Element && event.target.closest('.monaco-editor') !== null;
  const isChoosing = document.querySelector('.suggest-widget.visible') !== null;
  if (event.key === 'Tab' && isInEditor && !isChoosing) event.stopPropagation();
}
