import { randomBytes } from 'node:crypto';
import { makeTlsFiles } from '../../support/keys/tls-files';
import { type PadronProcess, startProcess } from '../../support/processes/process';
import { type RedisServer, startRedis } from '../../support/stores/redis';
import { newReplayKey } from '../instances/shared-store';

const password = randomBytes(12).toString('hex');
const started: PadronProcess[] = [];
const servers: RedisServer[] = [];
const startServer = async (...options: Parameters<typeof startRedis>): Promise<RedisServer> => {
  const redis = await startRedis(...options);
  servers.push(redis);
  return redis;
};
afterEach(async () => {
  for (const { child } of started.splice(0)) child.kill('SIGKILL');
  for (const redis of servers.splice(0)) await redis.stop();
});

type Settings = Readonly<Record<string, string>>;

function start(url: string, settings: Settings = {}): PadronProcess {
  const padron = startProcess({ PORT: '0', REPLAY_URL: url, REPLAY_KEY: newReplayKey(), ...settings });
  started.push(padron);
  return padron;
}

/** `redis://127.0.0.1` with a user and a password. */
const withUser = ({ url }: RedisServer, user: string, word: string): string => url.replace('//', `//${user}:${word}@`);

/** Returns the output of a process that ends with 1. Throws if the process starts. */
async function refusal(padron: PadronProcess): Promise<string> {
  // It has an address once it has started.
  const isStarted = (await padron.address()) !== '';
  const code = isStarted ? 'started' : await padron.ended();
  expect(code).toBe(1);
  expect(padron.output()).not.toMatch(/^\s+at /m);
  return padron.output();
}

describe('padron does not start', () => {
  it('with a wrong password, and keeps it to itself', async () => {
    const said = await refusal(start(withUser(await startServer({ password }), '', 'a-wrong-password')));
    expect(said).toMatch(/REPLAY_URL.*password/);
    expect(said).not.toContain('a-wrong-password');
  });

  it('without the password that is needed', async () => {
    const { url } = await startServer({ password });
    expect(await refusal(start(url))).toMatch(/REPLAY_URL.*password/);
  });

  it('with a certificate that nobody vouches for', async () => {
    const redis = await startServer({ tls: await makeTlsFiles() });
    expect(await refusal(start(redis.url))).toMatch(/REPLAY_URL.*certificate/);
  });

  it('with a certificate of another server', async () => {
    const tls = await makeTlsFiles(['somewhere-else.example']);
    const redis = await startServer({ tls });
    expect(await refusal(start(redis.url, { NODE_EXTRA_CA_CERTS: tls.authority }))).toMatch(/REPLAY_URL.*certificate/);
  });

  it('with a user who may not do what is needed', async () => {
    const acl = `user default off\nuser padron on >${password} ~padron:* &padron:* +get +set +ping +info\n`;
    const said = await refusal(start(withUser(await startServer({ acl }), 'padron', password)));
    expect(said).toMatch(/REPLAY_URL.*access list/);
    expect(said).not.toContain(password);
  });

  it('with a user who may not touch its keys', async () => {
    const acl = `user default off\nuser padron on >${password} ~elsewhere:* &* +@all\n`;
    const said = await refusal(start(withUser(await startServer({ acl }), 'padron', password)));
    expect(said).toMatch(/REPLAY_URL.*access list/);
  });

  it.each(['allkeys-lru', 'volatile-ttl'])('over a store that evicts: %s', async (policy) => {
    const options = ['--maxmemory', '64mb', '--maxmemory-policy', policy];
    expect(await refusal(start((await startServer({ options })).url))).toMatch(/REPLAY_URL.*noeviction/);
  });

  it.each([
    ['no key', ''],
    ['a short one', 'short-but-secret'],
    ['a short one among several', `${newReplayKey()},short-but-secret`],
  ])('with %s', async (_what, key) => {
    const { url } = await startServer();
    const said = await refusal(start(url, { REPLAY_KEY: key }));
    expect(said).toMatch(/REPLAY_KEY/);
    if (key !== '') expect(said).toContain('32');
    expect(said).not.toContain('short-but-secret');
  });

  it.each([
    ['unencrypted outside loopback', `redis://:${password}@replay.example:6379`],
    ['of another protocol', `https://:${password}@127.0.0.1:6379`],
    ['that is none', `redis:/${password}`],
  ])('with an address %s', async (_what, url) => {
    const said = await refusal(start(url));
    expect(said).toMatch(/REPLAY_URL/);
    expect(said).not.toContain(password);
  });
});

describe('padron starts', () => {
  it('over TLS, by a password, with the authority that it is told to trust', async () => {
    const tls = await makeTlsFiles();
    const redis = await startServer({ tls, password });
    const padron = start(withUser(redis, '', password), { NODE_EXTRA_CA_CERTS: tls.authority });
    expect(await padron.address()).not.toBe('');
    expect(padron.output()).not.toContain(password);
  });
});
