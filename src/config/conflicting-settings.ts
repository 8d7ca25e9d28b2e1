import { isLoopback } from './setting-values';
import type { Config, Environment, IsSet, Rule, SettingsPart } from './settings';

/** Returns an error for each conflict between settings. An invalid setting counts as set, because it has its own error. */
export function findConflicts(
  config: Config,
  environment: Environment,
  parts: readonly SettingsPart[],
): readonly string[] {
  const isSet = isSetIn(environment);
  // A value of commas only has no keys.
  const hasKeys = (name: string): boolean => /[^,\s]/.test(environment[name] ?? '');
  const rules: readonly Rule[] = [
    [
      config.registryToken !== null &&
        !['JWT_JWKS_URL', 'JWT_SECRET', 'SUBGRAPH_SECRET'].some(isSet) &&
        !isLoopback(config.host),
      'REGISTRY_TOKEN would let anyone who can reach HOST spend its units. Set JWT_JWKS_URL, JWT_SECRET or SUBGRAPH_SECRET, or set HOST to a loopback address.',
    ],
    [
      config.registryToken === null && ['JWT_JWKS_URL', 'JWT_SECRET', 'JWT_ISSUER', 'JWT_AUDIENCE'].some(isSet),
      "JWT_* settings need REGISTRY_TOKEN, which is not set. Set it, or remove the JWT_* settings to let callers send the service's own tokens.",
    ],
    [
      isSet('JWT_JWKS_URL') && !(isSet('JWT_AUDIENCE') && isSet('JWT_ISSUER')),
      "JWT_JWKS_URL needs JWT_AUDIENCE and JWT_ISSUER. Set both: an identity provider's keys also sign tokens for other applications, and those tokens could spend the units of REGISTRY_TOKEN.",
    ],
    [isSet('JWT_JWKS_URL') && isSet('JWT_SECRET'), 'Set JWT_JWKS_URL or JWT_SECRET, not both.'],
    [
      config.registryToken !== null &&
        !['JWT_JWKS_URL', 'JWT_SECRET'].some(isSet) &&
        ['JWT_ISSUER', 'JWT_AUDIENCE'].some(isSet),
      'JWT_ISSUER and JWT_AUDIENCE need JWT_JWKS_URL or JWT_SECRET. Set one of them.',
    ],
    [
      isSet('TRUSTED_DOCUMENTS_MODE') && !isSet('TRUSTED_DOCUMENTS'),
      'TRUSTED_DOCUMENTS_MODE needs TRUSTED_DOCUMENTS, the file or folder of the documents. Set it, or remove TRUSTED_DOCUMENTS_MODE.',
    ],
    [
      isSet('TRUSTED_DOCUMENTS') && isSet('SUBGRAPH_SECRET'),
      'TRUSTED_DOCUMENTS and SUBGRAPH_SECRET cannot be set together, because a router plans its own operations, which no frontend can publish. Set the trusted documents in the router, and remove TRUSTED_DOCUMENTS here.',
    ],
    [
      config.purpose.rule === 'required' && !hasKeys('PURPOSES'),
      'PURPOSE=required needs PURPOSES, the purposes that callers may name, separated by commas. Set it, or remove PURPOSE.',
    ],
    [
      isSet('WEBHOOK_URL') !== isSet('WEBHOOK_SECRET'),
      'WEBHOOK_URL and WEBHOOK_SECRET need each other. Set both to receive events, or remove both.',
    ],
    [
      isSet('WEBHOOK_URL') && config.data.store === null,
      'WEBHOOK_URL needs a store that keeps events until they are delivered. Set DATABASE_URL or DATA_DIR.',
    ],
    [
      config.data.store?.kind === 'postgres' && !hasKeys('DATA_KEYS'),
      'DATABASE_URL needs DATA_KEYS. Set it to a secret of at least 32 characters that all processes share, and keep it outside the database.',
    ],
  ];
  return brokenOf([...rules, ...parts.flatMap((part) => part.conflicts?.(config, environment, isSet) ?? [])]);
}

const isSetIn =
  (environment: Environment): IsSet =>
  (name) =>
    (environment[name] ?? '').trim() !== '';

const brokenOf = (rules: readonly Rule[]): readonly string[] =>
  rules.filter(([isBroken]) => isBroken).map(([, message]) => message);

/** Returns a notice for each setting that has no effect and can be removed. */
export function findIgnored({ data: { store } }: Config, environment: Environment): readonly string[] {
  const isSet = isSetIn(environment);
  return brokenOf([
    [
      isSet('DATA_DIR') && store?.kind === 'postgres',
      'DATA_DIR is ignored, because DATABASE_URL is set: padron writes no file. Remove it.',
    ],
  ]);
}
