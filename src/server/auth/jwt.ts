import { createSecretKey } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify } from 'jose';
import type { JwtConfig } from '../../config/config';
import { composeLabel, isClientName } from '../../registry/call-labels';
import { type TokenRejection, toLoggableName } from '../telemetry/log-fields';
import type { Logger } from '../telemetry/logger';
import { createRemoteKeySet } from './key-set';

/** The scopes and the application of a verified JWT, or the reason why the JWT was rejected. */
export type JwtResult =
  | { readonly permissions: ReadonlySet<string>; readonly client: string | null }
  | { readonly rejection: TokenRejection };

export type VerifyJwt = (token: string) => Promise<JwtResult>;

const secretAlgorithms = ['HS256', 'HS384', 'HS512'];
const publicKeyAlgorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/** Returns a function that verifies the JWTs of callers that may use `REGISTRY_TOKEN`. */
export function createJwtVerifier({ issuer, audience, secret, jwksUrl }: JwtConfig, log: Logger): VerifyJwt {
  const claims = {
    requiredClaims: ['exp'],
    clockTolerance: 5,
    ...(issuer === null ? {} : { issuer }),
    ...(audience === null ? {} : { audience }),
  };
  const getKey = secret === null ? createRemoteKeySet(jwksUrl, () => log.jwksUnavailable()) : createKeyGetter(secret);
  const algorithms = secret === null ? publicKeyAlgorithms : secretAlgorithms;
  return async (token) => {
    try {
      const { payload } = await jwtVerify(token, getKey, { ...claims, algorithms });
      return { permissions: parsePermissions(payload), client: parseClient(payload) };
    } catch (error) {
      return { rejection: toRejection(error) };
    }
  };
}

/** Returns the reason of a rejection. jose checks claims after the signature, so a reason about a claim describes a token that the provider signed. */
function toRejection(error: unknown): TokenRejection {
  if (error instanceof errors.JWTClaimValidationFailed) return rejectionByClaim[error.claim] ?? 'token_malformed';
  // Any other error comes from fetching the keys.
  return error instanceof errors.JOSEError ? (rejectionByCode[error.code] ?? 'token_malformed') : 'keys_unavailable';
}

const rejectionByClaim: Readonly<Record<string, TokenRejection>> = {
  exp: 'exp_missing',
  nbf: 'token_not_valid_yet',
  iss: 'issuer_wrong',
  aud: 'audience_wrong',
};

const rejectionByCode: Readonly<Record<string, TokenRejection>> = {
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

/** Returns the scopes of a JWT: the text `scope` of OAuth, or the arrays that some identity providers use instead. */
function parsePermissions({ scope, scopes, scp, permissions }: JWTPayload): ReadonlySet<string> {
  const listed = [scope, scopes, scp, permissions].flatMap((claim) =>
    typeof claim === 'string' ? claim.split(/\s+/) : Array.isArray(claim) ? claim : [],
  );
  return new Set(listed.filter((name): name is string => typeof name === 'string' && name !== ''));
}

/** Returns the application that the JWT names. The subject may be a person, so it is only used if it cannot be an identifier. */
function parseClient({ azp, client_id, sub }: JWTPayload): string | null {
  const application = [azp, client_id].find((claim): claim is string => typeof claim === 'string' && claim !== '');
  const client = composeLabel(application ?? toLoggableName(sub ?? null) ?? '').trim();
  return isClientName(client) ? client : null;
}
