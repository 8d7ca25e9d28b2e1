import { createHash, createSecretKey, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { createRemoteJWKSet, customFetch, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { Agent, request } from 'undici';
import type { Config } from '../../config/settings';
import { accountId, type Caller, composeLabel, isClientName, tenantOf } from '../../registry/caller';
import { connectorOf, type Proxies } from '../../registry/transport/proxies';
import { type Logger, type TokenRejection, toLoggableName } from '../telemetry/logger';

declare module 'fastify' {
  interface FastifyRequest {
    /** Account of the request. Null until the request is authenticated. */
    account: RequestAccount | null;
  }
}

export interface RequestAccount
  extends Pick<Caller, 'bearer' | 'account' | 'tenant' | 'usesServerToken' | 'permissions'> {
  /** Application that a verified JWT names, or null. */
  readonly client: string | null;
  /** Application that a verified JWT names, or else its subject, which may be a person. Personal data. */
  readonly holder: string | null;
  /** Person that a verified JWT names beside the application, or null. Personal data. */
  readonly actor: string | null;
  readonly rejection: TokenRejection | null;
}

export class Authentication {
  private readonly verify: VerifyJwt | null;
  private readonly secret: Buffer | null;

  constructor(
    private readonly config: Pick<Config, 'registryToken' | 'jwt' | 'subgraphSecret'>,
    log: Logger,
  ) {
    this.secret = config.subgraphSecret === null ? null : digest(config.subgraphSecret);
    this.verify = config.jwt === null ? null : createJwtVerifier(config.jwt, log);
  }

  /** Whether the request has the secret of the router. True if no secret is set. */
  hasRouterSecret(headers: IncomingHttpHeaders): boolean {
    if (this.secret === null) return true;
    return timingSafeEqual(digest(String(headers['x-subgraph-secret'] ?? '')), this.secret);
  }

  async authenticate(headers: IncomingHttpHeaders): Promise<RequestAccount> {
    const { registryToken } = this.config;
    const bearer = parseBearer(headers.authorization);
    if (registryToken === null) return toAccount(bearer, false, null);
    if (this.verify === null) return toAccount(registryToken, true, null);
    if (bearer === null) return toAccount(null, true, null);
    const result = await this.verify(bearer);
    if ('rejection' in result) return toAccount(null, true, null, result.rejection);
    return toAccount(registryToken, true, result.permissions, null, result);
  }
}

function toAccount(
  bearer: string | null,
  usesServerToken: boolean,
  permissions: RequestAccount['permissions'],
  rejection: RequestAccount['rejection'] = null,
  names: JwtNames = { client: null, holder: null, actor: null },
): RequestAccount {
  const account = accountId(bearer);
  const tenant = tenantOf(account, names.holder);
  return { bearer, account, tenant, usesServerToken, permissions, rejection, ...names };
}

function parseBearer(authorization: string | undefined): string | null {
  return /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? '')?.[1] ?? null;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

type JwtNames = Pick<RequestAccount, 'client' | 'holder' | 'actor'>;

type JwtResult = ({ readonly permissions: ReadonlySet<string> } & JwtNames) | { readonly rejection: TokenRejection };

type VerifyJwt = (token: string) => Promise<JwtResult>;

const secretAlgorithms = ['HS256', 'HS384', 'HS512'];
const publicKeyAlgorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/** Returns a function that verifies the JWTs of callers that may use `REGISTRY_TOKEN`. */
function createJwtVerifier(jwt: NonNullable<Config['jwt']>, log: Logger): VerifyJwt {
  const { issuer, audience, secret, jwksUrl, proxies } = jwt;
  const onFailure = (reason: string): void => log.jwksUnavailable(reason);
  const claims = {
    requiredClaims: ['exp'],
    clockTolerance: 5,
    ...(issuer === null ? {} : { issuer }),
    ...(audience === null ? {} : { audience }),
  };
  const getKey = secret === null ? createRemoteKeySet(jwksUrl, proxies, onFailure) : createKeyGetter(secret);
  const algorithms = secret === null ? publicKeyAlgorithms : secretAlgorithms;
  return async (token) => {
    try {
      const { payload } = await jwtVerify(token, getKey, { ...claims, algorithms });
      const client = parseClient(payload);
      // The name of a client never begins with a space, so the two cannot be confused.
      const holder = client ?? (payload.sub === undefined ? null : ` ${JSON.stringify(payload.sub)}`);
      return { permissions: parsePermissions(payload), client, holder, actor: parseActor(payload) };
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
function parseClient(payload: JWTPayload): string | null {
  const client = composeLabel(applicationOf(payload) ?? toLoggableName(payload.sub ?? null) ?? '').trim();
  return isClientName(client) ? client : null;
}

/** Returns the person for whom the application acts. The subject of a token that an application got for itself is the application. */
function parseActor(payload: JWTPayload): string | null {
  const application = applicationOf(payload);
  const { sub } = payload;
  return application === null || typeof sub !== 'string' || sub === '' || sub === application ? null : sub;
}

function applicationOf({ azp, client_id }: JWTPayload): string | null {
  return [azp, client_id].find((claim): claim is string => typeof claim === 'string' && claim !== '') ?? null;
}

/** A removed key is accepted for `cacheMaxAge` at most. Callers can invent unknown keys, so they cause one fetch per `cooldownDuration`. */
const defaults = { cacheMaxAge: 600_000, cooldownDuration: 6_000, timeoutDuration: 5_000 };

/** The public keys of an identity provider. `reload` throws if the provider returns no key set. */
export type RemoteKeySet = JWTVerifyGetKey & { reload(): Promise<void> };

/** Returns the keys of an identity provider. Each fetch replaces the whole set. `onFailure` is called after a fetch that failed. */
export function createRemoteKeySet(
  url: string,
  proxies: Proxies,
  onFailure: (reason: string) => void,
  times: Partial<typeof defaults> = {},
): RemoteKeySet {
  const connect = connectorOf(proxies, defaults.timeoutDuration);
  const dispatcher = new Agent({ maxResponseSize: 1_000_000, connect });
  // `request` of undici follows no redirect, so only the configured URL is fetched. It does not decompress, and its body is limited.
  const fetchKeys = async (from: string, { signal }: { readonly signal: AbortSignal }): Promise<Response> => {
    const headers = { accept: 'application/json, application/jwk-set+json' };
    const { statusCode, body } = await request(from, { headers, dispatcher, signal });
    return new Response(await body.text(), { status: statusCode });
  };
  const keys = createRemoteJWKSet(new URL(url), { ...defaults, ...times, [customFetch]: fetchKeys });
  const reload = async (): Promise<void> => {
    try {
      await keys.reload();
    } catch (error) {
      onFailure(`${(error as NodeJS.ErrnoException).code}`);
      throw error;
    }
  };
  const find: JWTVerifyGetKey = async (header, token) => {
    // jose would fetch a stale set too, but the failure could not be told from an unknown key.
    if (!keys.fresh) await reload();
    return keys(header, token);
  };
  return Object.assign(find, { reload });
}
