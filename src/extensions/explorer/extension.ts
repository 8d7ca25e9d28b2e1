import * as kinds from '../../config/setting-values';
import { type Config, Setting, settingsOf } from '../../config/settings';
import type { Extension } from '../../server/extension';

const part = {
  name: 'explorer',
  settings: { enabled: new Setting('EXPLORER', kinds.boolean.optional()) },
};

/** GraphiQL for this graph, at /graphql: prices, tokens, files, and the panels of other extensions. */
export const explorer: Extension = {
  ...part,
  conflicts: (config, _environment, isSet) => [
    [
      isOn(config) &&
        !config.introspection &&
        config.registryToken !== null &&
        !['JWT_JWKS_URL', 'JWT_SECRET'].some(isSet),
      'EXPLORER=on needs callers that padron can authenticate, but with REGISTRY_TOKEN and without JWTs it trusts every caller. Set JWT_JWKS_URL or JWT_SECRET, or set INTROSPECTION=on to let every caller read the schema.',
    ],
  ],
  readsSchema: (config) => isOn(config),
  async start({ config, serviceUrl, now }) {
    if (!isOn(config)) return null;
    const { addExplorer } = await import('./routes.js');
    return { routes: async (http) => addExplorer(http, config, serviceUrl, now) };
  },
};

const isOn = (config: Config): boolean => settingsOf(config, part).enabled ?? config.introspection;
