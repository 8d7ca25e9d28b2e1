import { useGraphiQL } from '@graphiql/react';
import { useEffect } from 'react';

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
