import { type Exchange, mapExchange } from '@urql/core';
import { type OnUnits, readUnits } from './units';

/**
 * Returns an exchange for `[cacheExchange(…), unitsExchange(onUnits), fetchExchange]`, after the cache. It reports `extensions.units` of
 * each response.
 */
export function unitsExchange(onUnits: OnUnits): Exchange {
  return mapExchange({
    onResult: ({ extensions, operation }) => {
      const usage = readUnits(extensions);
      const [definition] = operation.query.definitions.filter(({ kind }) => kind === 'OperationDefinition');
      const name = definition?.kind === 'OperationDefinition' ? definition.name?.value : undefined;
      if (usage !== null) onUnits(usage, { name, variables: operation.variables });
    },
  });
}
