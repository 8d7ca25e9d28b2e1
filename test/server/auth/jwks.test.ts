import { createHmac } from 'node:crypto';
import { errors, jwtVerify } from 'jose';
import { OTHER_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { createRemoteKeySet } from '../../../src/server/auth/authentication';
import {
  type Claims,
  ed25519Key,
  handMade,
  type IdentityProvider,
  rsaKey,
  signedByKey,
  startIdentityProvider,
} from '../../support/keys/identity-provider';
import { CREDIT } from '../../support/operations/people-endpoints';
import { type RunningPadron, runPadron } from '../../support/padrons/padron';
import { KEY_SET } from '../../support/padrons/settings';
import { withPadron } from '../../support/padrons/with-padron';
import { noProxies } from '../../support/proxies/no-proxies';
import { nss } from '../../support/requests/credit-request';

const query = `{ person(nss: "${nss}") { credit { outcome } } }`;
const claims: Claims = { iss: KEY_SET.JWT_ISSUER, aud: KEY_SET.JWT_AUDIENCE, scope: 'use_buscar_credito' };
const [first, second, stranger, edwards] = [rsaKey('first'), rsaKey('second'), rsaKey('first'), ed25519Key('edwards')];

let provider: IdentityProvider;
let padron: RunningPadron;
beforeAll(async () => {
  provider = await startIdentityProvider(first, edwards);
  padron = await runPadron({ environment: { REGISTRY_TOKEN: OTHER_TOKEN, ...KEY_SET, JWT_JWKS_URL: provider.url } });
});
afterAll(() => Promise.all([padron.stop(), provider.close()]));
beforeEach(() => void padron.calls());

const outcomeWith = async (token: string, of = padron): Promise<string> => {
  const { data, errors } = await of.ask(query, {}, { authorization: `Bearer ${token}` });
  return data.person.credit?.outcome ?? errors?.[0].extensions.code;
};

describe("callers whose tokens are signed by the identity provider's keys", () => {
  it('are accepted, and their requests share one fetch of the keys', async () => {
    const tokens = [first, first, edwards].map((key) => signedByKey(key, claims));
    expect(await Promise.all(tokens.map((token) => outcomeWith(token)))).toEqual(['FOUND', 'FOUND', 'FOUND']);
    expect(provider.fetches()).toBe(1);
    const [account] = new Set(padron.callsInFull().map((call) => call.account));
    expect([account, padron.calls()[0]]).toEqual([OTHER_TOKEN, CREDIT]);
  });

  const hmacByPublicKey = (alg: string): string => {
    const unsigned = handMade({ alg, kid: 'first' }, claims).slice(0, -1);
    return `${unsigned}.${createHmac('sha256', first.publicPem).update(unsigned).digest('base64url')}`;
  };

  it.each([
    ['another key under a name of the set', () => signedByKey(stranger, claims)],
    ['a key of the set under the name of another', () => signedByKey({ ...first, kid: 'second' }, claims)],
    ['HMAC with the public key as secret', () => hmacByPublicKey('HS256')],
    ['HMAC said to be RSA', () => hmacByPublicKey('RS256')],
    ['alg none', () => handMade({ alg: 'none', kid: 'first' }, claims)],
    ['no name of a key', () => handMade({ alg: 'RS256' }, claims, signedByKey(first, claims).split('.')[2])],
    ['a name that is no text', () => handMade({ alg: 'RS256', kid: { $ne: 1 } }, claims, 'eA')],
    ['a name of every object', () => handMade({ alg: 'RS256', kid: '__proto__' }, claims, 'eA')],
  ])('are rejected without a call: %s', async (_, token) => {
    expect(await outcomeWith(token())).toBe('UNAUTHENTICATED');
    expect(padron.calls()).toEqual([]);
  });

  it('cannot make padron fetch the keys for each invented key ID', async () => {
    const before = provider.fetches();
    const invented = Array.from({ length: 40 }, (_, index) =>
      signedByKey({ ...first, kid: `invented-${index}` }, claims),
    );
    for (const token of invented) await outcomeWith(token);
    expect(provider.fetches() - before).toBeLessThanOrEqual(10);
    expect(await outcomeWith(signedByKey(first, claims))).toBe('FOUND');
  });
});

describe('an identity provider that does not respond', () => {
  it.each([
    ['is down', (response: Parameters<Misbehaviour>[0]) => response.destroy()],
    ['fails', (response: Parameters<Misbehaviour>[0]) => void response.writeHead(500).end('{"keys":[]}')],
    ['answers a page', (response: Parameters<Misbehaviour>[0]) => void response.writeHead(200).end('<html>')],
    ['answers something else', (response: Parameters<Misbehaviour>[0]) => void response.writeHead(200).end('[1]')],
    [
      'leads elsewhere',
      (response: Parameters<Misbehaviour>[0]) => void response.writeHead(302, { location: provider.url }).end(),
    ],
  ])('leads to the rejection of all tokens and to a log line: it %s', async (_, misbehaviour) => {
    const broken = await startIdentityProvider(first);
    broken.misbehave(misbehaviour);
    const token = signedByKey(first, claims);
    const environment = { REGISTRY_TOKEN: OTHER_TOKEN, ...KEY_SET, JWT_JWKS_URL: broken.url };
    await withPadron({ environment }, async (own) => {
      expect(await outcomeWith(token, own)).toBe('UNAUTHENTICATED');
      expect(own.calls()).toEqual([]);
      expect(own.log.filter((line) => line.includes('JWT_JWKS_URL'))).toHaveLength(1);
      expect(own.log.join()).not.toContain(token);
      broken.misbehave(null);
      expect(await outcomeWith(token, own)).toBe('FOUND');
    }).finally(() => broken.close());
  });
});

describe('a key set', () => {
  let failures = 0;
  const countFailure = (): void => {
    failures += 1;
  };
  const keySet = (times: Parameters<typeof createRemoteKeySet>[3]) =>
    createRemoteKeySet(provider.url, noProxies, countFailure, times);
  const signers = { first, second };
  const verify = (keys: ReturnType<typeof keySet>, kid: keyof typeof signers) =>
    jwtVerify(signedByKey(signers[kid], claims), keys);
  beforeEach(() => {
    failures = 0;
    provider.publish(first, second, edwards);
  });
  afterEach(() => provider.misbehave(null));

  it('makes callers wait no longer than its limit', async () => {
    provider.misbehave(() => undefined);
    await expect(verify(keySet({ timeoutDuration: 50 }), 'first')).rejects.toThrow();
    expect(failures).toBe(1);
  });

  it('has a new key at once, and no longer a removed one', async () => {
    provider.publish(first);
    const keys = keySet({ cooldownDuration: 0 });
    await expect(verify(keys, 'second')).rejects.toThrow(errors.JWKSNoMatchingKey);
    provider.publish(second);
    expect((await verify(keys, 'second')).payload).toMatchObject(claims);
    await expect(verify(keys, 'first')).rejects.toThrow(errors.JWKSNoMatchingKey);
  });

  it('is rejected above one megabyte', async () => {
    const body = `{"keys":[${JSON.stringify(first.jwk)}],"more":"${'x'.repeat(1_000_000)}"}`;
    provider.misbehave((response) => void response.writeHead(200).end(body));
    await expect(verify(keySet({}), 'first')).rejects.toThrow();
    expect(failures).toBe(1);
  });

  it('is used while the provider is unavailable, until it is stale', async () => {
    const keys = keySet({});
    await verify(keys, 'first');
    const forgetful = keySet({ cacheMaxAge: 0 });
    await verify(forgetful, 'first');
    provider.misbehave((response) => response.destroy());
    expect((await verify(keys, 'first')).payload).toMatchObject(claims);
    await expect(verify(forgetful, 'first')).rejects.toThrow();
    expect(failures).toBe(1);
  });

  it('only uses keys for signatures', async () => {
    const encryption = { ...first, jwk: { ...first.jwk, use: 'enc' } };
    const secret = { ...second, jwk: { kty: 'oct', k: 'c2VjcmV0', kid: 'second' } };
    provider.publish(encryption, secret);
    const keys = keySet({});
    await expect(verify(keys, 'first')).rejects.toThrow();
    await expect(jwtVerify(handMade({ alg: 'HS256', kid: 'second' }, claims, 'eA'), keys)).rejects.toThrow(
      'Unsupported',
    );
  });
});

type Misbehaviour = NonNullable<Parameters<IdentityProvider['misbehave']>[0]>;
