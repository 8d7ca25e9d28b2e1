import { texts } from './language/texts';

/** Titles of the panels that other components open. */
const titles = { Money: texts.panels.money, Files: texts.panels.files } as const;

/** Opens a panel by clicking its button in the side bar, because GraphiQL has no other way to show a hidden panel. */
export function openPanel(panel: keyof typeof titles): void {
  document
    .querySelector<HTMLButtonElement>(
      `.graphiql-sidebar button[aria-label="${texts.togglePanel(titles[panel], false)}"]`,
    )
    ?.click();
}
