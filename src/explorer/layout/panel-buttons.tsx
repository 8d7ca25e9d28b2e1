import { useGraphiQL } from '@graphiql/react';
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { texts } from '../language/texts';

const titles = { Money: texts.panels.money, Files: texts.panels.files } as const;

/** Opens a panel by clicking its button in the side bar, because GraphiQL has no other way to show a hidden panel. */
export function openPanel(panel: keyof typeof titles): void {
  document
    .querySelector<HTMLButtonElement>(
      `.graphiql-sidebar button[aria-label="${texts.togglePanel(titles[panel], false)}"]`,
    )
    ?.click();
}

/** A button at the top of the open panel that closes it. On a narrow window the panel covers the page. */
export function ClosePanel() {
  const panel = useGraphiQL(({ visiblePlugin }) => visiblePlugin);
  const [bar, setBar] = useState<HTMLElement | null>(null);
  useEffect(() => {
    const container = document.querySelector('.graphiql-plugin');
    if (panel === null || container === null) return;
    const added = document.createElement('div');
    added.className = 'padron-panel-bar';
    container.prepend(added);
    setBar(added);
    return () => {
      added.remove();
      setBar(null);
    };
  }, [panel]);
  if (bar === null || panel === null) return null;
  return createPortal(
    <button type="button" onClick={closePanel} aria-label={texts.closePanel(panel.title)}>
      {texts.close}
    </button>,
    bar,
  );
}

/** Closes the open panel by clicking its button in the side bar, because GraphiQL has no other way to hide a panel. */
function closePanel(): void {
  const button = document.querySelector<HTMLButtonElement>('.graphiql-sidebar button[data-index].active');
  button?.click();
  button?.focus();
}
