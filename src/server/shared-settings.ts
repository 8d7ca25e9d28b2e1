import type { Config } from '../config/settings';
import type { SharedSettings } from '../money/calls/store/processes';
import type { KeyRing } from '../store/key-ring';

/** Returns the settings that all processes of a store should share. The keys are named by their IDs, which do not reveal them. */
export const sharedSettings = (
  { data, purpose, tagPattern, ...config }: Config,
  keys: KeyRing | null,
): SharedSettings => ({
  DATA_KEYS: keys?.versions.map(({ id }) => id).join() ?? null,
  LEDGER_MONTHS: data.ledgerMonths,
  SUBJECT_MONTHS: data.subjectMonths,
  KEEP_DAYS: config.keepDays,
  KEEP_ACCOUNT_BYTES: config.keepAccountBytes,
  REUSE_DAYS: config.reuseDays,
  REPLAY_SECONDS: config.replaySeconds,
  REGISTRY_CONCURRENCY: config.registryConcurrency,
  TIME_ZONE: data.timeZone,
  UNIT_PRICE: config.unitPrice,
  PURPOSES: purpose.allowed.map((name) => [name, purpose.months.get(name) ?? []].flat().join(':')).join() || null,
  PURPOSE: purpose.rule,
  TAG_PATTERN: tagPattern?.source ?? null,
});

/** Describes each setting that a process has otherwise: `REUSE_DAYS is 30 here and 0 elsewhere`. */
export function compareSettings(own: SharedSettings, others: readonly SharedSettings[]): readonly string[] {
  return Object.entries(own).flatMap(([name, value]) => {
    const values = new Set(others.map((settings) => settings[name] ?? null).filter((found) => found !== value));
    return values.size === 0
      ? []
      : `${name} is ${show(value)} here and ${[...values].map(show).join(' or ')} elsewhere`;
  });
}

const show = (value: string | number | null): string => `${value ?? 'not set'}`;
