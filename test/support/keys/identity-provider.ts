import { createHmac, generateKeyPairSync, type JsonWebKey, type KeyObject, sign } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { startServer } from '../start-server';

export interface SigningKey {
  readonly kid: string;
  readonly pem: string;
  readonly publicPem: string;
  readonly jwk: JsonWebKey;
}

export interface IdentityProvider {
  readonly url: string;
  fetches(): number;
  publish(...keys: readonly SigningKey[]): void;
  /** Answers otherwise from now on; null: with the set again. */
  misbehave(how: ((response: ServerResponse) => void) | null): void;
  close(): Promise<void>;
}

export async function startIdentityProvider(...first: readonly SigningKey[]): Promise<IdentityProvider> {
  let keys = first;
  let fetches = 0;
  let misbehaviour: ((response: ServerResponse) => void) | null = null;
  const { url, close } = await startServer((request, response) => {
    fetches += 1;
    if (misbehaviour !== null) return misbehaviour(response);
    response.writeHead(request.url === '/tenant/keys' ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ keys: keys.map(({ jwk }) => jwk) }));
  });
  return {
    url: `${url}/tenant/keys`,
    fetches: () => fetches,
    publish: (...next) => {
      keys = next;
    },
    misbehave: (how) => {
      misbehaviour = how;
    },
    close,
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

export const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1_000) + seconds;

/** Returns a token signed with a shared secret, which is valid for ten minutes unless the claims say otherwise. */
export function signedBySecret(secret: string, claims: Claims): string {
  return signed({ alg: 'HS256' }, claims, (text) => createHmac('sha256', secret).update(text).digest('base64url'));
}

/** The secret of the tests whose callers have JWTs. */
export const JWT_SECRET = 'a-secret-shared-with-the-identity-provider';

/** Returns the header of a caller whose token is signed with this secret. */
export const bearer = (claims: Claims) => ({ authorization: `Bearer ${signedBySecret(JWT_SECRET, claims)}` });

export function signedByKey({ kid, pem, jwk: { alg } }: SigningKey, claims: Claims): string {
  const hash = alg === 'EdDSA' ? null : 'sha256';
  return signed({ alg, kid }, claims, (text) => sign(hash, Buffer.from(text), pem).toString('base64url'));
}

function signed(header: object, claims: Claims, signature: (text: string) => string): string {
  const unsigned = handMade(header, claims);
  return unsigned + signature(unsigned.slice(0, -1));
}

/** A token put together by hand, for what no library would sign. */
export function handMade(header: object, claims: Claims, signature = ''): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part(header)}.${part({ exp: inSeconds(600), ...claims })}.${signature}`;
}
