import type { BatchSettings } from './batch-settings';
import { conflictsOfData, type DataSettings } from './data-settings';
import { type Environment, isLoopback } from './env-reader';

/** What is held against each other. */
interface CheckedSettings {
  readonly host: string;
  readonly registryUrl: string | null;
  readonly registryToken: string | null;
  readonly sandbox: string | null;
  readonly sandboxAuthorities: readonly string[];
  readonly data: DataSettings;
  readonly batch: BatchSettings;
}

/** Settings that are right by themselves, and wrong together. One that is wrong by itself counts as set: its own error says enough. */
export function conflictingSettings(config: CheckedSettings, environment: Environment): readonly string[] {
  const isSet = (name: string): boolean => (environment[name] ?? '').trim() !== '';
  // Commas alone are no key.
  const hasKeys = (name: string): boolean => /[^,\s]/.test(environment[name] ?? '');
  const rules: readonly (readonly [broken: boolean, error: string])[] = [
    [
      config.registryToken !== null &&
        !['JWT_JWKS_URL', 'JWT_SECRET', 'SUBGRAPH_SECRET'].some(isSet) &&
        !isLoopback(config.host),
      'REGISTRY_TOKEN would let anyone who reaches HOST spend its units. Set JWT_JWKS_URL or JWT_SECRET, or SUBGRAPH_SECRET, or listen on loopback.',
    ],
    [
      config.registryToken === null && ['JWT_JWKS_URL', 'JWT_SECRET', 'JWT_ISSUER', 'JWT_AUDIENCE'].some(isSet),
      'JWT_* say who may spend REGISTRY_TOKEN, which is not set: callers bring tokens of the service itself.',
    ],
    [
      isSet('JWT_JWKS_URL') && !(isSet('JWT_AUDIENCE') && isSet('JWT_ISSUER')),
      "JWT_JWKS_URL needs JWT_AUDIENCE and JWT_ISSUER: the keys of an identity provider also sign tokens for other applications, which would spend REGISTRY_TOKEN's units.",
    ],
    [isSet('JWT_JWKS_URL') && isSet('JWT_SECRET'), 'Set JWT_JWKS_URL or JWT_SECRET, not both.'],
    [
      config.registryToken !== null &&
        !['JWT_JWKS_URL', 'JWT_SECRET'].some(isSet) &&
        ['JWT_ISSUER', 'JWT_AUDIENCE'].some(isSet),
      'JWT_ISSUER and JWT_AUDIENCE need JWT_JWKS_URL or JWT_SECRET.',
    ],
    [
      isSet('REPLAY_URL') !== hasKeys('REPLAY_KEY'),
      'REPLAY_URL and REPLAY_KEY (at least 32 random characters) belong together: nothing is shared that is not sealed.',
    ],
    [
      !isSet('REGISTRY_URL') && environment.NODE_ENV === 'production' && config.sandbox === null,
      'NODE_ENV=production needs REGISTRY_URL, the registry service. Without it answers would be invented: set SANDBOX=embedded if you want that.',
    ],
    [
      config.registryUrl !== null && config.sandbox !== null,
      'SANDBOX=embedded answers with invented people, REGISTRY_URL with real ones: set one of them.',
    ],
    [
      config.registryUrl !== null && config.sandboxAuthorities.length > 0,
      'SANDBOX_AUTHORITIES belongs to the embedded sandbox, which does not run when REGISTRY_URL is set.',
    ],
    [
      config.batch.role === 'worker' && !isSet('DATABASE_URL') && config.data.store?.kind !== 'folder',
      'ROLE=worker runs the batches that a store holds, and no store is set. Set DATABASE_URL to the database of the processes that serve the graph.',
    ],
    ...conflictsOfData(config.data, hasKeys('DATA_KEYS')),
  ];
  return rules.filter(([broken]) => broken).map(([, error]) => error);
}
