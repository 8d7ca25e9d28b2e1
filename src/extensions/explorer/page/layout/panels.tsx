import type { GraphiQLPlugin } from '@graphiql/react';
import { type ReactNode, useEffect, useRef } from 'react';
import { texts } from '../language/texts';

/** Returns a panel with a button that closes it. On a narrow window the panel covers the page. */
export function framePanel({ title, icon, content: Content }: GraphiQLPlugin): GraphiQLPlugin {
  const content = () => (
    <div>
      <div className="padron-panel-bar">
        <button type="button" onClick={closePanel} aria-label={texts.closePanel(title)}>
          {texts.close}
        </button>
      </div>
      <Content />
    </div>
  );
  return { title, icon, content };
}

/** Opens a panel by clicking its button in the side bar, because GraphiQL has no other way to show a hidden panel. */
export function openPanel(title: string): void {
  document.querySelector<HTMLButtonElement>(`.graphiql-sidebar button[aria-label="Show ${title}"]`)?.click();
}

/** Closes the open panel by clicking its button in the side bar, because GraphiQL has no other way to hide a panel. */
function closePanel(): void {
  const button = document.querySelector<HTMLButtonElement>('.graphiql-sidebar button[data-index].active');
  button?.click();
  button?.focus();
}

/** Names the menus in the tree of fields, which has no property for it. */
export function NamedMenus({ children }: { readonly children: ReactNode }) {
  const tree = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (tree.current === null) return;
    const nameMenus = (): void => {
      for (const menu of tree.current?.querySelectorAll('select:not([aria-label])') ?? []) {
        const argument = menu.closest<HTMLElement>('[data-arg-name]');
        menu.setAttribute('aria-label', argument?.dataset.argName ?? texts.operationKind);
      }
    };
    nameMenus();
    const observer = new MutationObserver(nameMenus);
    observer.observe(tree.current, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, []);
  return <div ref={tree}>{children}</div>;
}
