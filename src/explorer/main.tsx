import './workers';
import 'graphiql/style.css';
import '@graphiql/plugin-explorer/style.css';
import './explorer.css';
import './panels.css';
import './money/money.css';
import { createRoot } from 'react-dom/client';
import type { ExplorerSettings } from '../server/explorer/settings';
import { Explorer } from './explorer';

/** Relative to the page, so that the explorer also works behind a path of a proxy. */
async function readSettings(): Promise<ExplorerSettings> {
  const response = await fetch('graphql/explorer/settings.json', { cache: 'no-store' });
  if (!response.ok) throw new Error(`The settings of the explorer could not be read (HTTP ${response.status}).`);
  return response.json();
}

const root = document.getElementById('explorer');
if (root !== null)
  readSettings().then(
    (settings) => createRoot(root).render(<Explorer settings={settings} />),
    (error: Error) => {
      root.textContent = `${error.message} Reload the page when padron runs again.`;
    },
  );
