import type { Commands } from '../../../terminal/command';
import { batchUsage } from './batch-arguments';

export const batchCommands: Commands = {
  batch: {
    summary: 'runs an operation for each row of a file, within a limit of units',
    usage: batchUsage,
    async run(args, environment) {
      const { runBatch } = await import('./batch-command.js');
      return runBatch(args, environment);
    },
  },
};
