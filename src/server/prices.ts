import { ConfigError } from '../config/config';
import type { Config } from '../config/settings';
import type { Graph } from '../graph/schema/build-schema';
import { loadPriceList, ownPrices, type PriceList, PriceListError, type Terms } from '../registry/endpoint/price-list';
import type { ServiceTerms } from './started-extension';

/** Reads `PRICE_LIST`. Throws a `ConfigError` with each of its mistakes. */
export function readPrices(
  { priceList }: Pick<Config, 'priceList'>,
  { catalogue }: Pick<Graph, 'catalogue'>,
): PriceList {
  try {
    return loadPriceList(
      priceList,
      catalogue.map(({ endpoint }) => endpoint),
    );
  } catch (error) {
    if (!(error instanceof PriceListError)) throw error;
    throw new ConfigError(error.mistakes.map((mistake) => `PRICE_LIST: ${mistake}`));
  }
}

/** An embedded service charges by the list, too. */
export function termsByAddress(prices: PriceList, { catalogue }: Graph): ServiceTerms {
  const terms = catalogue.map(({ endpoint }) => [`${endpoint.method} ${endpoint.path}`, prices.of(endpoint)] as const);
  const byAddress = new Map<string, Terms>(prices === ownPrices ? [] : terms);
  return (address) => byAddress.get(address);
}
