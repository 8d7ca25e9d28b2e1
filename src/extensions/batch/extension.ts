import type { Extension } from '../../server/extension';
import { batchCommands } from './command/commands';
import { batchGraph } from './graph/part';
import { batchSettings, settingsOfBatches } from './settings';
import { batchStore } from './storage/store-part';

/** Operations over the rows of a file: their dataset, price, run, results and panel. A row is a request of the core. */
export const batch: Extension = {
  ...batchSettings,
  graph: batchGraph,
  store: batchStore,
  commands: batchCommands,
  conflicts: (config, _environment, isSet) => [
    [
      settingsOfBatches(config).role === 'worker' && !isSet('DATABASE_URL') && config.data.store?.kind !== 'folder',
      'ROLE=worker needs a store to read batches from. Set DATABASE_URL to the database of the processes that serve the graph.',
    ],
  ],
  async start(core) {
    if (core.persistence === null) return null;
    const { startBatches } = await import('./server/start-batches.js');
    return startBatches(core, core.persistence);
  },
};
