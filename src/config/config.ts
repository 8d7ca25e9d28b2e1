import { existsSync } from 'node:fs';
import { findConflicts } from './conflicting-settings';
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
export function readConfig(environment: Environment, parts: readonly SettingsPart[]): Config {
  const { errors: invalid, ...read } = readSettings(environment, parts);
  const core = toConfig(read, environment.NODE_ENV === 'production');
  const callersReadSchema = parts.some((part) => part.readsSchema?.(core)) || core.introspection;
  const config = { ...core, callersReadSchema };
  const errors = [...invalid, ...findConflicts(config, environment, parts)];
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
  const names = settingNames(parts);
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

/** Returns the number of letters left out, added, changed or swapped (optimal string alignment distance). */
export function countEdits(left: string, right: string): number {
  let beforePrevious: readonly number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1];
      const isSwapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      current[column] = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (beforePrevious[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[right.length] ?? 0;
}
