import { texts } from './language/texts';

/** The panels that others open, by what they are called here. */
const titles = { Money: texts.panels.money, Files: texts.panels.files } as const;

/** Opens a panel as its button in the side bar does: GraphiQL shows a panel of a hidden pane in no other way. */
export function openPanel(panel: keyof typeof titles): void {
  document.querySelector<HTMLButtonElement>(`.graphiql-sidebar button[aria-label="Show ${titles[panel]}"]`)?.click();
}
