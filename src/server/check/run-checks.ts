import { randomUUID } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ConfigError, loadEnvFile, misspeltSettings } from '../../config/config';
import { findIgnored } from '../../config/conflicting-settings';
import type { Config, Environment } from '../../config/settings';
import { buildGraph } from '../../graph/schema/build-schema';
import { UnauthenticatedError } from '../../registry/answer/answer';
import type { Exchange } from '../../registry/answer/interpret';
import type { Problem } from '../../registry/answer/problem';
import { accountId, type Caller } from '../../registry/caller';
import { RegistryClient } from '../../registry/client/client';
import { getHeader, type HttpResult } from '../../registry/transport/transport';
import { createRemoteKeySet } from '../auth/authentication';
import { checkAccount } from '../auth/known-accounts';
import { type Extension, extensionsFor } from '../extension';
import { partsOf } from '../persistence';
import { readConfigAndPrices, readPrices } from '../prices';
import { describeProxies } from './proxied-systems';
import { type CheckResult, checkStore, failed, ok, type SystemCheck, skipped } from './store-check';

const timeoutMs = 5_000;

/** Writes a file into `DATA_DIR`, or into the folder in which padron would create it, and removes the file. */
function checkFolder({ data: { store } }: Config): CheckResult {
  if (store?.kind !== 'folder') return skipped('data folder', 'padron writes no file with these settings.');
  const folder = store.path;
  const place = findExisting(resolve(folder));
  const file = join(place, `.padron-check-${randomUUID()}`);
  try {
    writeFileSync(file, '', { flag: 'wx' });
    rmSync(file);
    return ok('data folder', place === resolve(folder) ? `${folder} can be written.` : `${folder} can be created.`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return failed(
      'data folder',
      `${folder} cannot be written (${code}). Set DATA_DIR to a folder that this user can write.`,
    );
  }
}

const findExisting = (folder: string): string => (existsSync(folder) ? folder : findExisting(dirname(folder)));

export interface CheckReport {
  /** `invalid` if the settings have errors. Nothing else is checked then. */
  readonly outcome: 'passed' | 'failed' | 'invalid';
  readonly checks: readonly CheckResult[];
}

/** Maximum difference between two clocks. Beyond it, padron rejects new JWTs, and its budgets reset at other times. */
const maxClockMs = 5_000;
/** Precision of the comparison: the service reports whole seconds, and its response takes time to arrive. */
const precisionMs = 2_000;

/** Checks the settings of an environment, with those of a `.env` file, and every system that they name. Spends no units and changes no data. */
export async function runChecks(environment: Environment, ownExtensions: readonly Extension[]): Promise<CheckReport> {
  loadEnvFile();
  const extensions = await extensionsFor(environment, ownExtensions);
  let config: Config;
  try {
    config = readConfigAndPrices(environment, extensions);
    if (config.priceList !== null) readPrices(config, buildGraph(extensions.flatMap(({ graph }) => graph ?? [])));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { outcome: 'invalid', checks: error.errors.map((message) => failed('settings', message)) };
  }
  const hints = misspeltSettings(environment, extensions).map(
    (misspelt) => `${misspelt.name} is not a setting. Did you mean ${misspelt.nearest}?`,
  );
  const ignored = findIgnored(config, environment);
  const proxied = describeProxies(config, environment);
  const settings = ok('settings', ['The settings are valid.', ...hints, ...ignored, ...proxied].join(' '));
  const [service, store, keySet] = await Promise.all([
    checkService(config),
    checkStore(config, partsOf(extensions)),
    checkKeySet(config),
  ]);
  const clock = checkClock({ 'the service': service, PostgreSQL: store });
  const checks = [settings, ...service.results, ...store.results, checkFolder(config), keySet, clock];
  return { outcome: checks.some(({ status }) => status === 'failed') ? 'failed' : 'passed', checks };
}

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

async function checkKeySet({ jwt }: Config): Promise<CheckResult> {
  if (jwt === null) return skipped('JWT keys', 'JWT_JWKS_URL is not set.');
  if (jwt.jwksUrl === null) return skipped('JWT keys', 'JWT_SECRET is set, so no keys are fetched.');
  const { host } = new URL(jwt.jwksUrl);
  try {
    await createRemoteKeySet(jwt.jwksUrl, jwt.proxies, () => undefined).reload();
    return ok('JWT keys', `${host} returns a key set.`);
  } catch {
    return failed('JWT keys', `${host} returns no key set. Check JWT_JWKS_URL, the network and the identity provider.`);
  }
}

/** Token of the request if callers bring their own tokens. The service rejects it, which shows that the service answers. */
const unknownToken = 'padron-check';

/** Sends one request that is never charged. It shows whether the service answers, and whether it knows `REGISTRY_TOKEN`. */
async function checkService(config: Config): Promise<SystemCheck> {
  const { registryUrl, registryToken } = config;
  if (registryUrl === null)
    return {
      results: [
        skipped('service', 'REGISTRY_URL is not set: the embedded sandbox answers with invented people.'),
        skipped('token', 'The embedded sandbox has its own tokens.'),
      ],
      aheadMs: null,
    };
  const client = createClient(config, registryUrl);
  let exchange: Exchange | null = null;
  try {
    const bearer = registryToken ?? unknownToken;
    const usesServerToken = registryToken !== null;
    const account = accountId(bearer);
    const caller: Caller = { bearer, account, tenant: account, sandbox: true, usesServerToken, permissions: null };
    const problem = await checkAccount(client, caller, (received) => {
      exchange = received;
    }).catch((error: unknown) => (error instanceof UnauthenticatedError ? 'UNAUTHENTICATED' : Promise.reject(error)));
    const result = (exchange as Exchange | null)?.result ?? null;
    const isTokenRefused = problem === 'UNAUTHENTICATED' || problem?.code === 'TOKEN_REFUSED';
    const outage = isTokenRefused || typeof problem === 'string' ? null : describeOutage(problem, result);
    const { host } = new URL(registryUrl);
    const service = outage === null ? ok('service', `${host} answers.`) : failed('service', `${host}: ${outage}`);
    return {
      results: [service, describeToken(registryToken !== null, outage !== null, isTokenRefused)],
      aheadMs: result?.kind === 'delivered' ? compareClocks(getHeader(result.headers, 'date')) : null,
    };
  } finally {
    await client.close();
  }
}

function createClient({ registryTimeoutMs, identityPath, proxies }: Config, url: string): RegistryClient {
  return new RegistryClient({
    url,
    timeoutMs: Math.min(timeoutMs, registryTimeoutMs),
    concurrency: 1,
    proxies,
    now: () => new Date(),
    paths: identityPath === null ? {} : { identityPath },
  });
}

/** Returns what is wrong with the service and what to do. Returns null if the service answers as documented. */
function describeOutage(problem: Problem | null, result: HttpResult | null): string | null {
  if (problem === null) return null;
  const status = result?.kind === 'delivered' ? ` (HTTP ${result.status})` : ` (${result?.detail ?? 'not sent'})`;
  return `${problem.message}${status} Check REGISTRY_URL, the network and the service.`;
}

function describeToken(isSet: boolean, isServiceDown: boolean, isRefused: boolean): CheckResult {
  if (!isSet) return skipped('token', 'REGISTRY_TOKEN is not set: callers bring their own tokens.');
  if (isServiceDown) return skipped('token', 'The service must answer first.');
  return isRefused
    ? failed('token', 'The service does not know REGISTRY_TOKEN. Set it to a valid token of the account.')
    : ok('token', 'The service knows REGISTRY_TOKEN.');
}

/** Returns by how many milliseconds this machine is ahead. The header has whole seconds, so half a second is added. */
function compareClocks(date: string | null): number | null {
  const time = Date.parse(date ?? '');
  return Number.isNaN(time) ? null : Date.now() - (time + 500);
}
