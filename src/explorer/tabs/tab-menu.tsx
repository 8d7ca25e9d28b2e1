import { DropdownMenu, useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { texts } from '../language/texts';

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
        <DropdownMenu.Button className="padron-header-button" aria-label={texts.allTabs(tabs.length)}>
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
