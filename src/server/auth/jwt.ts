import { createSecretKey } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify } from 'jose';
import type { JwtConfig } from '../../config/config';
import { composeLabel, isClientName } from '../../registry/call-labels';
import { loggableName, type TokenRefusal } from '../telemetry/log-fields';
import type { Logger } from '../telemetry/logger';
import { remoteKeySet } from './key-set';

/** A caller that proved who it is, with the scopes that it may ask by; or why it did not. */
export type Verdict =
  | { readonly permissions: ReadonlySet<string>; readonly client: string | null }
  | { readonly refusal: TokenRefusal };

export type VerifyJwt = (token: string) => Promise<Verdict>;

const secretAlgorithms = ['HS256', 'HS384', 'HS512'];
const publicKeyAlgorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/** Verifies the tokens of those who may spend the units that this server holds. */
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
      return { permissions: parsePermissions(payload), client: parseClient(payload) };
    } catch (error) {
      return { refusal: toRefusal(error) };
    }
  };
}

/**
 * Returns the reason of a refusal. Claims are only checked after the signature, so the reason describes a token that
 * the provider signed.
 */
function toRefusal(error: unknown): TokenRefusal {
  if (error instanceof errors.JWTClaimValidationFailed) return refusalByClaim[error.claim] ?? 'token_malformed';
  // What jose does not name failed on the way to the keys.
  return error instanceof errors.JOSEError ? (refusalByCode[error.code] ?? 'token_malformed') : 'keys_unavailable';
}

const refusalByClaim: Readonly<Record<string, TokenRefusal>> = {
  exp: 'exp_missing',
  nbf: 'token_not_valid_yet',
  iss: 'issuer_wrong',
  aud: 'audience_wrong',
};

const refusalByCode: Readonly<Record<string, TokenRefusal>> = {
  ERR_JWT_EXPIRED: 'token_expired',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'signature_wrong',
  ERR_JOSE_ALG_NOT_ALLOWED: 'algorithm_not_allowed',
  ERR_JWKS_NO_MATCHING_KEY: 'key_unknown',
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: 'key_unknown',
};

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

/**
 * Returns the application that the token names. The subject may be a person, so it only counts if it looks like a name.
 */
function parseClient({ azp, client_id, sub }: JWTPayload): string | null {
  const application = [azp, client_id].find((claim): claim is string => typeof claim === 'string' && claim !== '');
  const client = composeLabel(application ?? loggableName(sub ?? null) ?? '').trim();
  return isClientName(client) ? client : null;
}
