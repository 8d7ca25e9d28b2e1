/** Opens a panel as its button in the side bar does: GraphiQL shows a panel of a hidden pane in no other way. */
export function openPanel(title: string): void {
  document.querySelector<HTMLButtonElement>(`.graphiql-sidebar button[aria-label="Show ${title}"]`)?.click();
}
