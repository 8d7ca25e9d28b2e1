import { UnusableStoreError } from '../../store/store';
import type { RedisClient } from './connection/redis-client';

type Step = () => Promise<unknown>;

export async function checkPolicy(client: RedisClient): Promise<void> {
  const info = String(await client.call('INFO', 'memory'));
  const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1];
  if (policy === undefined || policy === 'noeviction') return;
  throw new UnusableStoreError(
    `its maxmemory-policy is ${policy}: evicted answers would be paid for again. Set maxmemory-policy to noeviction.`,
  );
}

/** Runs every branch of the scripts on test entries, so that a missing right is reported at the start. */
export async function checkRights(client: RedisClient, checkName: string, channelPrefix: string): Promise<void> {
  const [pause, operation, instances] = [`${checkName}:pause`, `${checkName}:operation`, `${checkName}:instances`];
  const claim = (call: string, intent: string) =>
    client.run('padronClaim', [checkName, pause, operation], call, 1, 1_000, 'check', '', intent, 1_000, 1_000, 100);
  const completeAs = (call: string, result: 'A' | 'D') =>
    client.run('padronComplete', [checkName, operation], call, result, 'sealed', 9_999_999_999_999, 1, channelPrefix);
  const steps: readonly Step[] = [
    () => client.run('padronBeat', [instances], 'check', channelPrefix),
    () => client.run('padronBeat', [instances], 'check', channelPrefix),
    () => client.run('padronReserve', [operation], 1, 100),
    () => client.run('padronReserve', [operation], 1, 100),
    () => claim('check.1', 'replace'),
    // Another claimer waits, and is notified.
    () => claim('check.2', 'join'),
    () => completeAs('check.1', 'A'),
    () => claim('check.2', 'join'),
    () => claim('check.2', 'replace'),
    () => completeAs('check.2', 'D'),
    () => client.run('padronLeave', [instances], 'check', channelPrefix),
    () => client.run('padronLeave', [instances], 'check', channelPrefix),
    () => client.call('HGET', checkName, 'b'),
    () => client.run('padronPause', [pause], 9_999_999_999_999),
    () => client.run('padronPause', [pause], 9_999_999_999_999),
    () => client.run('padronPeek', [checkName], 1_000),
    () => client.run('padronPeek', [checkName], 1_000),
    () => client.call('SET', checkName, '1', 'PX', 1),
    () => client.call('PUBSUB', 'NUMSUB', `${channelPrefix}check`),
    () => client.call('DEL', operation, pause),
  ];
  for (const step of steps) await step();
}

/** Returns why the store is unusable until an operator changes something. Null if it is only unavailable for now. */
export function explainRefusal(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (error instanceof UnusableStoreError) return error.message;
  // The client of a cluster wraps the errors of the nodes.
  if ('lastNodeError' in error && error.lastNodeError !== undefined) return explainRefusal(error.lastNodeError);
  const { message } = error;
  if (/^(?:MOVED|CLUSTERDOWN|CROSSSLOT)\b/.test(message)) return 'it is a cluster: add ?cluster=true to REPLAY_URL.';
  if (/DB index is out of range|SELECT is not allowed/.test(message)) return 'it has no database with that number.';
  if (/cluster support disabled/.test(message)) return 'it is not a cluster: leave ?cluster=true out of REPLAY_URL.';
  if (/\bWRONGPASS\b|invalid password|\bERR AUTH\b|without any password configured/.test(message))
    return 'it rejects the user name or the password.';
  if (/\bNOAUTH\b/.test(message)) return 'it requires a password, and REPLAY_URL has none.';
  if (/\bNOPERM\b|The user executing the script/.test(message))
    return `its access list (ACL) is too narrow: ${missingRight(message)}.`;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (certificateCodes.test(code)) return `its certificate cannot be trusted (${code}).`;
  if (/EPROTO|ERR_SSL/.test(code)) return 'it does not use TLS, which rediss:// requires.';
  return null;
}

const certificateCodes = /CERT|SIGNATURE|ISSUER|ERR_TLS/;

/** Returns the missing right without the name of the user. Within a script the server does not name the command. */
function missingRight(message: string): string {
  const command = /'([\w|]+)' (?:sub)?command/.exec(message)?.[1];
  if (command !== undefined) return `it lacks the command ${command}`;
  if (/this command/.test(message)) return 'it lacks a command that the scripts use (docs/operations.md lists them)';
  return /channel/i.test(message) ? 'it lacks the channels padron:1:*' : 'it lacks the keys padron:1:*';
}
