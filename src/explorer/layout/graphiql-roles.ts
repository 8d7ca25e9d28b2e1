import { useGraphiQL } from '@graphiql/react';
import { useEffect } from 'react';
import { texts } from '../language/texts';

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

/** Adds the landmarks of the page. */
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
