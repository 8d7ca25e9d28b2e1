import { createVerifier, type DecodedJwt } from 'fast-jwt';
import buildGetJwks from 'get-jwks';
import type { JwtConfig } from '../config';

/** A caller that proved who it is: what it may ask, by permission names. */
export interface Verified {
  readonly permissions: ReadonlySet<string>;
}

export type VerifyJwt = (token: string) => Promise<Verified | null>;

const signedBySecret = ['HS256', 'HS384', 'HS512'] as const;
const signedByKey = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'] as const;

/** Verifies the tokens of those who may spend the units that this server holds. Null: not one of them, for whatever reason. */
export function jwtVerifier(config: JwtConfig): VerifyJwt {
  const { issuer, audience } = config;
  const claims = {
    requiredClaims: ['exp'],
    clockTolerance: 5_000,
    ...(issuer === null ? {} : { allowedIss: issuer }),
    ...(audience === null ? {} : { allowedAud: audience }),
  };
  const verify =
    config.secret === null
      ? createVerifier({ ...claims, algorithms: [...signedByKey], key: keyFetcher(config.jwksUrl) })
      : createVerifier({ ...claims, algorithms: [...signedBySecret], key: async () => config.secret ?? '' });
  return async (token) => {
    try {
      return { permissions: permissionsOf(await verify(token)) };
    } catch {
      return null;
    }
  };
}

/** Keys are kept for a minute; a key that is not in the set is asked for again. */
function keyFetcher(jwksUrl: string) {
  const { origin, pathname, search } = new URL(jwksUrl);
  const jwks = buildGetJwks({ ttl: 60_000, jwksPath: `${pathname}${search}` });
  return ({ header: { alg, kid } }: DecodedJwt): Promise<string> => jwks.getPublicKey({ domain: origin, alg, kid });
}

/** `scope` as OAuth writes it, or the arrays that identity providers use instead. */
function permissionsOf(claims: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const { scope, scopes, scp, permissions } = claims;
  const listed = [scope, scopes, scp, permissions].flatMap((claim) =>
    typeof claim === 'string' ? claim.split(/\s+/) : Array.isArray(claim) ? claim : [],
  );
  return new Set(listed.filter((name): name is string => typeof name === 'string' && name !== ''));
}
