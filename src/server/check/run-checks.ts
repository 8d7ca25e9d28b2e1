import { type Config, ConfigError, misspeltSettings, processEnvironment, readConfig } from '../../config/config';
import { checkKeySet } from './access-check';
import { type CheckResult, failed, ok, type SystemCheck, skipped } from './check-result';
import { checkFolder } from './folder-check';
import { checkRedis } from './redis-check';
import { checkService } from './service-check';
import { checkStore } from './store-check';

export interface CheckReport {
  /** `invalid` if the settings have errors. Nothing else is checked then. */
  readonly outcome: 'passed' | 'failed' | 'invalid';
  readonly checks: readonly CheckResult[];
}

/** Maximum difference between two clocks. Beyond it, padron rejects new JWTs, and its budgets reset at other times. */
const maxClockMs = 5_000;
/** Precision of the comparison: the service reports whole seconds, and its response takes time to arrive. */
const precisionMs = 2_000;

/** Checks the settings of this process and every system that they name. Spends no units and changes no data. */
export async function runChecks(): Promise<CheckReport> {
  const environment = processEnvironment();
  let config: Config;
  try {
    config = readConfig(environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { outcome: 'invalid', checks: error.errors.map((message) => failed('settings', message)) };
  }
  const hints = misspeltSettings(environment).map(
    (misspelt) => `${misspelt.name} is not a setting. Did you mean ${misspelt.nearest}?`,
  );
  const settings = ok('settings', ['The settings are valid.', ...hints].join(' '));
  const [service, store, redis, keySet] = await Promise.all([
    checkService(config),
    checkStore(config),
    checkRedis(config),
    checkKeySet(config),
  ]);
  const clock = checkClock({ 'the service': service, PostgreSQL: store });
  const checks = [settings, ...service.results, ...store.results, checkFolder(config), redis, keySet, clock];
  return { outcome: checks.some(({ status }) => status === 'failed') ? 'failed' : 'passed', checks };
}

/** Compares the clock of this machine with the clocks of other systems. */
function checkClock(systems: Readonly<Record<string, SystemCheck>>): CheckResult {
  const clocks = Object.entries(systems).flatMap(([system, { aheadMs }]) =>
    aheadMs === null ? [] : [{ system, aheadMs }],
  );
  if (clocks.length === 0) return skipped('clock', 'No other clock could be read.');
  const differences = clocks.map(({ system, aheadMs }) => `${describe(aheadMs)} ${system}`).join(' and ');
  if (clocks.every(({ aheadMs }) => Math.abs(aheadMs) <= maxClockMs))
    return ok('clock', `The clock of this machine ${differences}.`);
  return failed('clock', `The clock of this machine ${differences}. Synchronize the clocks (NTP).`);
}

function describe(aheadMs: number): string {
  if (Math.abs(aheadMs) < precisionMs) return 'agrees with';
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  return `is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'}`;
}
