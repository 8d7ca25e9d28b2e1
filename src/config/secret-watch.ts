import { isDeepStrictEqual } from 'node:util';
import { times } from '../times';
import { ConfigError, readConfig } from './config';
import { readSecretFiles } from './secret-files';
import { type Config, type Environment, type SettingsPart, secretNames } from './settings';

/** Secrets that a running process exchanges. Others are shared with callers or among processes, so these are restarted in order. */
const renewable = ['WEBHOOK_URL', 'WEBHOOK_SECRET'];

export interface SecretChange {
  /** The settings with the new secrets. Null with errors, which quote no secret. */
  readonly config: Config | null;
  /** Names of the secrets that differ from those of the start. */
  readonly changed: readonly string[];
  readonly needRestart: readonly string[];
  readonly errors: readonly string[];
}

/** Polls the files of secrets, because Kubernetes swaps a link above them. Reports each change once. */
export function watchSecretFiles(
  variables: Environment,
  parts: readonly SettingsPart[],
  onChange: (change: SecretChange) => void,
): void {
  const started = readSecretFiles(variables, parts);
  // Without files the environment is returned as it is.
  if (started.environment === variables) return;
  let seen = started;
  const check = (): void => {
    const found = readSecretFiles(variables, parts);
    if (isDeepStrictEqual(found, seen)) return;
    seen = found;
    const changed = secretNames(parts).filter((name) => found.environment[name] !== started.environment[name]);
    const needRestart = changed.filter((name) => !renewable.includes(name));
    try {
      onChange({ config: readConfig(variables, parts), changed, needRestart, errors: [] });
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      onChange({ config: null, changed, needRestart, errors: error.errors });
    }
  };
  setInterval(check, times.secretFiles).unref();
}
