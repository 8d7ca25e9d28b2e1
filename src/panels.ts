import { batchPanel } from './extensions/batch/panel/batch-panel';
import type { ExplorerPanel } from './extensions/explorer/page/panel';

/** Panels of the explorer that other extensions provide. They run in the browser, so `extensions.ts` cannot list them. */
export const panels: readonly ExplorerPanel[] = [batchPanel];
