import { loadEnvFile } from '../../config/config';
import { type Command, exitCodes, parseOptions } from '../../terminal/command';
import { parsePrice, pricesUsage, priceUsage } from './price-arguments';

/** Returns the command of a program: `padron` or `padron-client`. */
export const priceCommand = (program: string): Command => ({
  summary: 'prints the highest price of each operation, without a server',
  usage: priceUsage(program),
  run: async (args, environment) => {
    loadEnvFile();
    const { prices = environment.PRICE_LIST || null, ...parsed } = parsePrice(args);
    // Loaded on demand, because it loads the graph.
    const { reportPrices } = await import('./price-command.js');
    return reportPrices({ ...parsed, prices }, environment);
  },
});

/** Prints a price list to begin with, or the list in `PRICE_LIST` with the terms of every endpoint. */
export const pricesCommand: Command = {
  summary: 'prints what each endpoint costs, as a file for PRICE_LIST',
  usage: pricesUsage,
  run: async (args, environment) => {
    loadEnvFile();
    parseOptions(args, {});
    const { printPrices } = await import('./price-command.js');
    return { text: await printPrices(environment), isData: true, code: exitCodes.done };
  },
};
