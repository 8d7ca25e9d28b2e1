import type { Config } from '../../config/config';
import { UnauthenticatedError } from '../../registry/answer/answer';
import type { Exchange } from '../../registry/answer/exchange';
import type { Problem } from '../../registry/answer/problem';
import { accountId, type Caller } from '../../registry/caller';
import { RegistryClient } from '../../registry/client/client';
import { getHeader, type HttpResult } from '../../registry/transport/transport';
import { checkAccount } from '../batch/check-account';
import { type CheckResult, failed, ok, type SystemCheck, skipped } from './check-result';

const timeoutMs = 5_000;
/** Token of the request if callers bring their own tokens. The service rejects it, which shows that the service answers. */
const unknownToken = 'padron-check';

/** Sends one request that is never charged. It shows whether the service answers, and whether it knows `REGISTRY_TOKEN`. */
export async function checkService(config: Config): Promise<SystemCheck> {
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
    const caller: Caller = { bearer, account: accountId(bearer), sandbox: true, usesServerToken, permissions: null };
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

function createClient({ registryTimeoutMs, identityPath }: Config, url: string): RegistryClient {
  return new RegistryClient({
    url,
    timeoutMs: Math.min(timeoutMs, registryTimeoutMs),
    concurrency: 1,
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
