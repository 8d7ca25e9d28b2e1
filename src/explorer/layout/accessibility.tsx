import { useGraphiQL } from '@graphiql/react';
import { useEffect } from 'react';
import { texts } from '../language/texts';

/** The first link that Tab reaches. It skips panels, tabs and editors and leads to the Run button. */
export function SkipLink() {
  return (
    <button
      type="button"
      className="padron-skip"
      onClick={() => document.querySelector<HTMLButtonElement>('.graphiql-execute-button')?.focus()}
    >
      {texts.skipToRun}
    </button>
  );
}

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

/** Corrects roles and names in GraphiQL's markup, for which GraphiQL has no property. */
export function GraphiqlRoles(): null {
  const tabs = useGraphiQL((state) => state.tabs.map(({ id, title }) => `${id} ${title}`).join('\n'));
  const activeTab = useGraphiQL(({ activeTabIndex }) => activeTabIndex);
  const panel = useGraphiQL(({ visiblePlugin }) => visiblePlugin?.title ?? '');
  // biome-ignore lint/correctness/useExhaustiveDependencies: React sets the attributes of the tabs again when the tabs change.
  useEffect(correctTabs, [tabs, activeTab]);
  useEffect(() => correctLandmarks(panel), [panel]);
  useEffect(nameMenusOfExplorer, []);
  return null;
}

/** Moves the role of a tab to its button. GraphiQL gives it to the list item, which may not contain two buttons. `TabMenu` has the list of tabs. */
function correctTabs(): void {
  document.querySelector('.graphiql-tabs')?.removeAttribute('role');
  for (const item of document.querySelectorAll('.graphiql-tab')) {
    item.removeAttribute('role');
    item.removeAttribute('aria-selected');
    const button = item.querySelector('.graphiql-tab-button');
    button?.setAttribute('role', 'tab');
    button?.setAttribute('aria-selected', String(item.classList.contains('graphiql-tab-active')));
  }
}

function correctLandmarks(panel: string): void {
  setAttributes('.graphiql-sidebar', { role: 'navigation', 'aria-label': texts.sideBar });
  setAttributes('.graphiql-sessions', { role: 'main' });
  if (panel === '') return;
  setAttributes('.graphiql-plugin', { role: 'complementary', 'aria-label': panel });
}

/** Names the menus of GraphiQL's own Explorer panel after their arguments. They come and go with the operation. */
function nameMenusOfExplorer(): (() => void) | undefined {
  const panel = document.querySelector('.graphiql-plugin');
  if (panel === null) return;
  const observer = new MutationObserver(() => {
    for (const menu of panel.querySelectorAll('.graphiql-explorer-root select:not([aria-label])')) {
      const argument = menu.closest('[data-arg-name]')?.getAttribute('data-arg-name');
      menu.setAttribute('aria-label', argument ?? texts.operationKind);
    }
  });
  observer.observe(panel, { childList: true, subtree: true });
  return () => observer.disconnect();
}

function setAttributes(selector: string, attributes: Readonly<Record<string, string>>): void {
  const element = document.querySelector(selector);
  for (const [name, value] of Object.entries(attributes)) element?.setAttribute(name, value);
}
