import { createVerifier, type DecodedJwt } from 'fast-jwt';
import type { JwtConfig } from '../config';
import { KeySet } from './key-set';
import type { Log } from './log';

/** A caller that proved who it is: what it may ask, by permission names. */
export interface Verified {
  readonly permissions: ReadonlySet<string>;
}

export type VerifyJwt = (token: string) => Promise<Verified | null>;

const signedBySecret = ['HS256', 'HS384', 'HS512'] as const;
const signedByKey = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'] as const;

/** Verifies the tokens of those who may spend the units that this server holds. Null: not one of them, for whatever reason. */
export function jwtVerifier(config: JwtConfig, log: Log): VerifyJwt {
  const { issuer, audience } = config;
  const claims = {
    // The library holds a claim against what is allowed only where the token has it.
    requiredClaims: ['exp', ...(issuer === null ? [] : ['iss']), ...(audience === null ? [] : ['aud'])],
    clockTolerance: 5_000,
    ...(issuer === null ? {} : { allowedIss: issuer }),
    ...(audience === null ? {} : { allowedAud: audience }),
  };
  const verify =
    config.secret === null
      ? createVerifier({
          ...claims,
          algorithms: [...signedByKey],
          key: keyFetcher(new KeySet(config.jwksUrl, () => log.keysMissing())),
        })
      : createVerifier({ ...claims, algorithms: [...signedBySecret], key: async () => config.secret ?? '' });
  return async (token) => {
    try {
      return { permissions: permissionsOf(await verify(token)) };
    } catch {
      return null;
    }
  };
}

function keyFetcher(keys: KeySet) {
  return ({ header }: DecodedJwt): Promise<string> => keys.pemOf(header);
}

/** `scope` as OAuth writes it, or the arrays that identity providers use instead. */
function permissionsOf(claims: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const { scope, scopes, scp, permissions } = claims;
  const listed = [scope, scopes, scp, permissions].flatMap((claim) =>
    typeof claim === 'string' ? claim.split(/\s+/) : Array.isArray(claim) ? claim : [],
  );
  return new Set(listed.filter((name): name is string => typeof name === 'string' && name !== ''));
}
