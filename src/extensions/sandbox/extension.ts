import * as kinds from '../../config/setting-values';
import { Setting, settingsOf } from '../../config/settings';
import type { Extension } from '../../server/extension';

const part = {
  name: 'sandbox',
  settings: {
    /** `embedded` if the sandbox may answer in production too. */
    mode: new Setting('SANDBOX', kinds.oneOf('embedded').nullable().default(null)),
    /** Files of certificate authorities whose e.firmas the sandbox accepts beside its own. */
    authorities: new Setting('SANDBOX_AUTHORITIES', kinds.texts),
  },
};

/** A registry service with invented people, for a first minute without a token, and for tests. */
export const sandbox: Extension = {
  ...part,
  conflicts(config, { NODE_ENV }, isSet) {
    const { mode, authorities } = settingsOf(config, part);
    const isRemote = config.registryUrl !== null;
    return [
      [
        !isSet('REGISTRY_URL') && NODE_ENV === 'production' && !isSet('SANDBOX'),
        'NODE_ENV=production needs REGISTRY_URL, the base URL of the registry service. To answer with invented people instead, set SANDBOX=embedded.',
      ],
      [
        isRemote && mode !== null,
        'SANDBOX=embedded and REGISTRY_URL cannot be set together. Set SANDBOX=embedded for invented people, or REGISTRY_URL for real ones.',
      ],
      [
        isRemote && authorities.length > 0,
        'SANDBOX_AUTHORITIES has no effect when REGISTRY_URL is set, because the embedded sandbox does not run. Remove one of them.',
      ],
    ];
  },
  async startService(config, now, service) {
    const { startEmbedded } = await import('./start.js');
    return startEmbedded(config, settingsOf(config, part).authorities, now, service);
  },
};
