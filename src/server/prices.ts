import { ConfigError, readConfig } from '../config/config';
import type { Config, Environment } from '../config/settings';
import { buildGraph, type Graph } from '../graph/schema/build-schema';
import { loadPriceList, ownPrices, type PriceList, PriceListError, type Terms } from '../registry/endpoint/price-list';
import type { Extension } from './extension';
import type { ServiceTerms } from './started-extension';

/** Reads `PRICE_LIST`. Throws a `ConfigError` with each of its mistakes. */
export function readPrices(
  { priceList }: Pick<Config, 'priceList'>,
  { catalogue }: Pick<Graph, 'catalogue'>,
): PriceList {
  try {
    return loadPriceList(priceList, catalogue);
  } catch (error) {
    if (!(error instanceof PriceListError)) throw error;
    throw new ConfigError(error.mistakes.map((mistake) => `PRICE_LIST: ${mistake}`));
  }
}

/** Reads the settings. If they have errors, those of the price list are thrown with them, so that the operator can fix all in one pass. */
export function readConfigAndPrices(environment: Environment, extensions: readonly Extension[]): Config {
  try {
    return readConfig(environment, extensions);
  } catch (error) {
    const priceList = environment.PRICE_LIST?.trim();
    if (!(error instanceof ConfigError) || !priceList) throw error;
    const graph = buildGraph(extensions.flatMap((extension) => extension.graph ?? []));
    throw new ConfigError([...error.errors, ...mistakesIn(() => readPrices({ priceList }, graph))]);
  }
}

function mistakesIn(read: () => PriceList): readonly string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.errors;
    throw error;
  }
}

/** An embedded service charges by the list, too. */
export function termsByAddress(prices: PriceList, { catalogue }: Graph): ServiceTerms {
  const terms = catalogue.map(({ endpoint }) => [`${endpoint.method} ${endpoint.path}`, prices.of(endpoint)] as const);
  const byAddress = new Map<string, Terms>(prices === ownPrices ? [] : terms);
  return (address) => byAddress.get(address);
}
