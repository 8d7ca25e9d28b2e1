import { texts } from '../language/texts';

/** Opens a panel by clicking its button in the side bar, because GraphiQL has no other way to show a hidden panel. */
export function openPanel(title: string): void {
  document
    .querySelector<HTMLButtonElement>(`.graphiql-sidebar button[aria-label="${texts.togglePanel(title, false)}"]`)
    ?.click();
}

/** A button at the top of the open panel that closes it. On a narrow window the panel covers the page. */
export function ClosePanel({ title }: { readonly title: string }) {
  return (
    <div className="padron-panel-bar">
      <button type="button" onClick={closePanel} aria-label={texts.closePanel(title)}>
        {texts.close}
      </button>
    </div>
  );
}

/** Closes the open panel by clicking its button in the side bar, because GraphiQL has no other way to hide a panel. */
function closePanel(): void {
  const button = document.querySelector<HTMLButtonElement>('.graphiql-sidebar button[data-index].active');
  button?.click();
  button?.focus();
}
