import { createSecretKey } from 'node:crypto';
import { type JWTPayload, jwtVerify } from 'jose';
import type { JwtConfig } from '../../config/config';
import type { Logger } from '../telemetry/logger';
import { remoteKeySet } from './key-set';

/** A caller that proved who it is: what it may ask, by permission names. */
export interface Verified {
  readonly permissions: ReadonlySet<string>;
}

export type VerifyJwt = (token: string) => Promise<Verified | null>;

const secretAlgorithms = ['HS256', 'HS384', 'HS512'];
const publicKeyAlgorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/** Verifies the tokens of those who may spend the units that this server holds. Null: not one of them, for whatever reason. */
export function jwtVerifier({ issuer, audience, secret, jwksUrl }: JwtConfig, log: Logger): VerifyJwt {
  const claims = {
    requiredClaims: ['exp'],
    clockTolerance: 5,
    ...(issuer === null ? {} : { issuer }),
    ...(audience === null ? {} : { audience }),
  };
  const getKey = secret === null ? remoteKeySet(jwksUrl, () => log.jwksUnavailable()) : createKeyGetter(secret);
  const algorithms = secret === null ? publicKeyAlgorithms : secretAlgorithms;
  return async (token) => {
    try {
      const { payload } = await jwtVerify(token, getKey, { ...claims, algorithms });
      return { permissions: parsePermissions(payload) };
    } catch {
      return null;
    }
  };
}

function createKeyGetter(secret: string) {
  const key = createSecretKey(secret, 'utf8');
  return () => key;
}

/** `scope` as OAuth writes it, or the arrays that identity providers use instead. */
function parsePermissions({ scope, scopes, scp, permissions }: JWTPayload): ReadonlySet<string> {
  const listed = [scope, scopes, scp, permissions].flatMap((claim) =>
    typeof claim === 'string' ? claim.split(/\s+/) : Array.isArray(claim) ? claim : [],
  );
  return new Set(listed.filter((name): name is string => typeof name === 'string' && name !== ''));
}
