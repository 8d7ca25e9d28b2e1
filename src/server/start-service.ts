import { ConfigError } from '../config/config';
import type { Config } from '../config/settings';
import type { Sandbox } from '../sandbox/service';

/** The registry service that padron calls: the service of `REGISTRY_URL`, or the embedded sandbox. */
interface Service {
  readonly url: string;
  readonly sandbox: Sandbox | null;
}

/** Returns the service of `REGISTRY_URL`. Without that setting, starts the embedded sandbox. */
export async function startService(config: Config, clock: () => Date): Promise<Service> {
  const { registryUrl, sandboxAuthorities: authorities, identityPath } = config;
  if (registryUrl !== null) return { url: registryUrl, sandbox: null };
  // The modules are loaded on demand: with a real service they would only cost memory and time.
  const [{ startSandbox }, { readAuthorities }] = await Promise.all([
    import('../sandbox/service.js'),
    import('../sandbox/efirma/verify-signature.js'),
  ]);
  try {
    readAuthorities(authorities);
  } catch (error) {
    throw new ConfigError([`SANDBOX_AUTHORITIES: ${error instanceof Error ? error.message : 'unreadable.'}`]);
  }
  const sandbox = await startSandbox({ clock, authorities, ...(identityPath === null ? {} : { identityPath }) });
  return { url: sandbox.url, sandbox };
}
