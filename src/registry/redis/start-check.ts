import type { RedisClient } from './connection/redis-client';

/** The store is there, and will not do: the operator must mend that before it is relied on. Holds no secret. */
export class StoreRefusedError extends Error {
  override readonly name = 'StoreRefusedError';
}

/** What must be allowed beside the scripts, which name their commands in their errors. */
type Step = (client: RedisClient) => Promise<unknown>;

/** Whether the store is set up so that it can be relied on; throws what the server says where it is not. */
export async function checkPolicy(client: RedisClient): Promise<void> {
  const info = String(await client.call('INFO', 'memory'));
  const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1];
  if (policy === undefined || policy === 'noeviction') return;
  throw new StoreRefusedError(
    `its maxmemory-policy is ${policy}: what it evicts is paid again. Set maxmemory-policy to noeviction.`,
  );
}

/** Tries everything that will be needed, on names of its own; `checkName` stands for a question. */
export async function checkRights(client: RedisClient, checkName: string, channelPrefix: string): Promise<void> {
  const keys = [checkName, `${checkName}:pause`];
  const steps: readonly Step[] = [
    () => client.run('padronBeat', [`${checkName}:instances`], 'check', channelPrefix),
    () => client.run('padronLeave', [`${checkName}:instances`], 'check', channelPrefix),
    () => client.run('padronReserve', [`${checkName}:operation`], 0, 0),
    () => client.run('padronClaim', keys, 'check.1', 0, 1_000, 'check', '', 'replace', 1_000, 1_000, 0),
    () => client.run('padronLand', [checkName], 'check.1', 'D', '', 1, 0, channelPrefix),
    () => client.call('HMGET', checkName, 's', 'b'),
    () => client.call('HGET', checkName, 'b'),
    () => client.call('SET', `${checkName}:pause`, '1', 'PX', 1),
    () => client.call('PUBSUB', 'NUMSUB', `${channelPrefix}check`),
    () => client.call('DEL', `${checkName}:operation`),
  ];
  for (const step of steps) await step(client);
}

/** Why an error must be mended before the start; null where the store is only not there now. */
export function explainRefusal(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (error instanceof StoreRefusedError) return error.message;
  // A cluster's client wraps what its nodes say.
  if ('lastNodeError' in error && error.lastNodeError !== undefined) return explainRefusal(error.lastNodeError);
  const { message } = error;
  if (/^(?:MOVED|CLUSTERDOWN|CROSSSLOT)\b/.test(message)) return 'it is a cluster: add ?cluster=true to REPLAY_URL.';
  if (/cluster support disabled/.test(message)) return 'it is no cluster: leave ?cluster=true out of REPLAY_URL.';
  if (/\bWRONGPASS\b|invalid password|\bERR AUTH\b|without any password configured/.test(message))
    return 'it refuses the user or the password.';
  if (/\bNOAUTH\b/.test(message)) return 'it wants a password, and REPLAY_URL has none.';
  if (/\bNOPERM\b/.test(message)) return `its access list (ACL) is too narrow: ${missingRight(message)}.`;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (certificateCodes.test(code)) return `its certificate cannot be trusted (${code}).`;
  if (/EPROTO|ERR_SSL/.test(code)) return 'it does not speak TLS, which rediss:// asks for.';
  return null;
}

const certificateCodes = /CERT|SIGNATURE|ISSUER|ERR_TLS/;

/** Of the server's words only what is no name of a user. */
function missingRight(message: string): string {
  const command = /'([\w|]+)' (?:sub)?command/.exec(message)?.[1];
  if (command !== undefined) return `it lacks the command ${command}`;
  return /channel/i.test(message) ? 'it lacks the channels padron:1:*' : 'it lacks the keys padron:1:*';
}
