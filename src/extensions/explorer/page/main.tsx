import './workers';
import 'graphiql/style.css';
import '@graphiql/plugin-explorer/style.css';
import './explorer.css';
import './panels.css';
import './money/money.css';
import './money/ledger/ledger.css';
import './layout/layout.css';
import { createRoot } from 'react-dom/client';
import type { ExplorerSettings } from '../../../../schema/explorer-settings';
import { Explorer } from './explorer';
import { language } from './language/language';
import { texts } from './language/texts';
import type { ExplorerPanel } from './panel';
import { recordService } from './service-badge';
import { translateComment } from './tabs/documents';
import { restoreToken } from './token';

/** Fetches the settings. Their URL is relative to the page, so that the explorer also works behind a proxy with a path. */
async function readSettings(): Promise<ExplorerSettings> {
  const response = await fetch('graphql/explorer/settings.json', { cache: 'no-store' });
  if (!response.ok) throw new Error(texts.settingsUnread(response.status));
  const settings: ExplorerSettings = await response.json();
  recordService(response.headers.get('x-registry-service') ?? settings.service);
  if (settings.needsToken) restoreToken();
  return { ...settings, tabs: settings.tabs.map(translateComment) };
}

/** Shows the explorer with the panels that other extensions bring. The build writes the module that calls it. */
export function main(panels: readonly ExplorerPanel[]): void {
  const root = document.getElementById('explorer');
  document.documentElement.lang = language;
  if (root === null) return;
  readSettings().then(
    (settings) => createRoot(root).render(<Explorer settings={settings} panels={panels} />),
    (error: Error) => {
      root.textContent = `${error.message} ${texts.reload}`;
    },
  );
}
