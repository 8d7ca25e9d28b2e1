import { generateKeyPairSync, type JsonWebKey, type KeyObject } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSigner } from 'fast-jwt';

/** A pair of keys: the private one signs, the public one stands in the set. */
export interface SigningKey {
  readonly kid: string;
  readonly pem: string;
  readonly publicPem: string;
  readonly jwk: JsonWebKey;
}

/** Who issues the callers' tokens: its set of keys is on real HTTP. */
export interface IdentityProvider {
  readonly url: string;
  /** How often the set was fetched. */
  fetches(): number;
  /** The keys that are in the set from now on. */
  publish(...keys: readonly SigningKey[]): void;
  /** Answers otherwise from now on; null: with the set again. */
  misbehave(how: ((response: ServerResponse) => void) | null): void;
  close(): Promise<void>;
}

export async function startIdentityProvider(...first: readonly SigningKey[]): Promise<IdentityProvider> {
  let keys = first;
  let fetches = 0;
  let misbehaviour: ((response: ServerResponse) => void) | null = null;
  const server = createServer((request, response) => {
    fetches += 1;
    if (misbehaviour !== null) return misbehaviour(response);
    response.writeHead(request.url === '/tenant/keys' ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ keys: keys.map(({ jwk }) => jwk) }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/tenant/keys`,
    fetches: () => fetches,
    publish: (...next) => {
      keys = next;
    },
    misbehave: (how) => {
      misbehaviour = how;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function rsaKey(kid: string): SigningKey {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return signingKey(kid, publicKey, privateKey, 'RS256');
}

export function ed25519Key(kid: string): SigningKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return signingKey(kid, publicKey, privateKey, 'EdDSA');
}

function signingKey(kid: string, publicKey: KeyObject, privateKey: KeyObject, alg: string): SigningKey {
  return {
    kid,
    pem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg, use: 'sig' },
  };
}

export type Claims = Readonly<Record<string, unknown>>;

/** Seconds of the clock, so many from now. */
export const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1_000) + seconds;

/** A token signed by a shared secret; it holds for a minute unless the claims say otherwise. */
export function signedBySecret(secret: string, claims: Claims): string {
  return createSigner({ algorithm: 'HS256', key: secret })({ exp: inSeconds(60), ...claims });
}

/** A token signed by a key of a set. */
export function signedByKey({ kid, pem, jwk }: SigningKey, claims: Claims): string {
  const algorithm = jwk.alg === 'EdDSA' ? 'EdDSA' : 'RS256';
  return createSigner({ algorithm, key: pem, kid })({ exp: inSeconds(60), ...claims });
}

/** A token put together by hand, for what no library would sign. */
export function handMade(header: object, claims: Claims, signature = ''): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part(header)}.${part({ exp: inSeconds(60), ...claims })}.${signature}`;
}
