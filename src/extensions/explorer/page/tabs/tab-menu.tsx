import { DropdownMenu, useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { useEffect } from 'react';
import { texts } from '../language/texts';

/** Scrolls the row of tabs to the open tab when the user opens another tab or the row becomes narrower. */
export function TabInView(): null {
  const index = useGraphiQL(({ activeTabIndex }) => activeTabIndex);
  useEffect(() => {
    const row = document.querySelector('.graphiql-tabs');
    if (row === null) return;
    const scrollToTab = (): void => {
      row.querySelectorAll('[role="tab"]')[index]?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    };
    const observer = new ResizeObserver(scrollToTab);
    observer.observe(row);
    return () => observer.disconnect();
  }, [index]);
  return null;
}

/**
 * Gives the role of a tab to the button of each tab, and names the button that closes it. GraphiQL gives the role to the list item, whose
 * buttons screen readers then ignore. `TabMenu` has the list of tabs.
 */
export function TabNames(): null {
  const tabs = useGraphiQL((state) => state.tabs);
  const activeTab = useGraphiQL(({ activeTabIndex }) => activeTabIndex);
  useEffect(() => {
    document.querySelector('.graphiql-tabs')?.removeAttribute('role');
    for (const [index, item] of document.querySelectorAll('.graphiql-tab').entries()) {
      item.removeAttribute('role');
      item.removeAttribute('aria-selected');
      const button = item.querySelector('.graphiql-tab-button');
      button?.setAttribute('role', 'tab');
      button?.setAttribute('aria-selected', String(index === activeTab));
      item.querySelector('.graphiql-tab-close')?.setAttribute('aria-label', texts.closeTab(tabs[index]?.title ?? ''));
    }
  }, [tabs, activeTab]);
  return null;
}

/** A menu of all tabs, because the row of tabs rarely has room for them. */
export function TabMenu() {
  const tabs = useGraphiQL((state) => state.tabs);
  const activeTab = useGraphiQL(({ activeTabIndex }) => activeTabIndex);
  const { changeTab } = useGraphiQLActions();
  return (
    <>
      {/* The list of tabs for screen readers, without the buttons that close them. */}
      <span
        role="tablist"
        aria-label={texts.tabs}
        aria-owns={tabs.map((_, index) => `graphiql-session-tab-${index}`).join(' ')}
      />
      <DropdownMenu>
        <DropdownMenu.Button className="padron-button" aria-label={texts.allTabs(tabs.length)}>
          {texts.allTabs(tabs.length)} <span aria-hidden="true">▾</span>
        </DropdownMenu.Button>
        <DropdownMenu.Content>
          {tabs.map(({ id, title }, index) => (
            <DropdownMenu.Item
              key={id}
              className="graphiql-dropdown-item"
              aria-current={index === activeTab ? 'page' : undefined}
              onSelect={() => changeTab(index)}
            >
              {title}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu>
    </>
  );
}
