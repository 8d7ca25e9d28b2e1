import type { Command } from '../../terminal/command';
import { parsePrice, priceUsage } from './price-arguments';

/** Returns the command of a program: `padron` or `padron-client`. */
export const priceCommand = (program: string): Command => ({
  summary: 'prints the highest price of each operation, without a server',
  usage: priceUsage(program),
  run: async (args) => {
    const parsed = parsePrice(args);
    // Loaded on demand, because it loads the graph.
    const { reportPrices } = await import('./price-command.js');
    return reportPrices(parsed);
  },
});
