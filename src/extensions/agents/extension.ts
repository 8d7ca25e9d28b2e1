import * as kinds from '../../config/setting-values';
import { Setting, settingsOf } from '../../config/settings';
import type { Extension } from '../../server/extension';

const part = {
  name: 'agents',
  settings: {
    enabled: new Setting('MCP', kinds.boolean.default(false)),
    /** Maximum units of a call, unless the person agrees to its price. Null for no limit. */
    maxUnits: new Setting('MCP_MAX_UNITS', kinds.optionalInteger(0, 999_999_999)),
  },
};

/** Trusted documents as tools of agents, at /mcp. */
export const agents: Extension = {
  ...part,
  conflicts(config, _environment, isSet) {
    const { enabled } = settingsOf(config, part);
    const isRemote = config.registryUrl !== null;
    return [
      [
        enabled && isRemote && !isSet('TRUSTED_DOCUMENTS'),
        'MCP=on needs TRUSTED_DOCUMENTS, whose queries are the tools of agents. Set it to the file or folder of the documents, or remove MCP.',
      ],
      [
        enabled && isRemote && !['MCP_MAX_UNITS', 'MAX_UNITS'].some(isSet),
        'MCP=on needs a limit, because agents spend units without a person. Set MCP_MAX_UNITS, above which the person is asked, or MAX_UNITS.',
      ],
      [isSet('MCP_MAX_UNITS') && !enabled, 'MCP_MAX_UNITS needs MCP=on. Set it, or remove MCP_MAX_UNITS.'],
    ];
  },
  async start(core) {
    const { enabled, maxUnits } = settingsOf(core.config, part);
    if (!enabled) return (await import('./disabled-route.js')).disabledRoute;
    // Loaded on demand: without agents the protocol would only cost memory and time.
    const { createToolRoutes } = await import('./mcp-route.js');
    return createToolRoutes(core, maxUnits);
  },
};
