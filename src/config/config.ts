import { existsSync } from 'node:fs';
import { countEdits } from '../identifiers/edit-distance';
import { findConflicts } from './conflicting-settings';
import { readSecretFiles, secretFileNames } from './secret-files';
import { type Config, type Environment, readSettings, type SettingsPart, settingNames, toConfig } from './settings';

/** All errors of the settings, so that the operator can fix them in one pass. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly errors: readonly string[]) {
    super(
      `padron cannot start with these settings. Fix these errors and start it again:\n${errors.map((error) => `  - ${error}`).join('\n')}`,
    );
  }
}

/** Sets variables of the process that are not set to those of a `.env` file in the working directory. */
export function loadEnvFile(): void {
  if (existsSync('.env')) process.loadEnvFile('.env');
}

/** Sets variables of the process that are not set, for a library that reads them itself. */
export function setMissingVariables(values: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(values)) process.env[name] ??= value;
}

/** Reads the settings, or throws a `ConfigError` that lists every error. */
export function readConfig(variables: Environment, parts: readonly SettingsPart[]): Config {
  const { environment, errors: unread } = readSecretFiles(variables, parts);
  const { errors: invalid, ...read } = readSettings(environment, parts);
  const core = toConfig(read, environment.NODE_ENV === 'production');
  const callersReadSchema = parts.some((part) => part.readsSchema?.(core)) || core.introspection;
  const config = { ...core, callersReadSchema };
  // A secret that was not read is missing for other settings.
  const conflicts = unread.length > 0 ? [] : findConflicts(config, environment, parts);
  const errors = [...unread, ...invalid, ...conflicts];
  if (errors.length === 0) return config;
  // A missing setting may be present under a misspelt name.
  const hints = misspeltSettings(environment, parts).map(
    ({ name, nearest }) => `${name} is not a setting. Did you mean ${nearest}?`,
  );
  throw new ConfigError([...errors, ...hints]);
}

/** Returns the variables whose names resemble a setting. Other variables belong to other programs and are ignored. */
export function misspeltSettings(
  environment: Environment,
  parts: readonly SettingsPart[],
): readonly { readonly name: string; readonly nearest: string }[] {
  const names = [...settingNames(parts), ...secretFileNames(parts)];
  const candidates = Object.keys(environment).filter(
    (name) => name.length <= maxLength && !names.includes(name) && (environment[name] ?? '').trim() !== '',
  );
  return candidates.flatMap((name) => {
    const nearest = names
      .map((setting) => ({ setting, edits: countEdits(name.toUpperCase(), setting) }))
      .filter(({ setting, edits }) => edits <= maxEdits(setting))
      .sort((left, right) => left.edits - right.edits)[0];
    return nearest === undefined ? [] : [{ name, nearest: nearest.setting }];
  });
}

const maxLength = 40;

/** Returns the number of edits allowed. Short names such as `PORT` resemble too many others, so only their case may differ. */
const maxEdits = (setting: string): number => (setting.length < 8 ? 0 : setting.length < 12 ? 1 : 2);
