import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '../../config/config';
import { accountId, type Caller } from '../../registry/caller';
import type { TokenRejection } from '../telemetry/log-fields';
import type { Logger } from '../telemetry/logger';
import { createJwtVerifier, type VerifyJwt } from './jwt';

/** The caller of a request as its `authorization` header names it. */
export interface RequestAccount extends Pick<Caller, 'bearer' | 'account' | 'usesServerToken' | 'permissions'> {
  /** Application that a verified JWT names, or null. */
  readonly client: string | null;
  /** The reason why the JWT was rejected, or null. */
  readonly rejection: TokenRejection | null;
}

/** Authenticates callers. The service gets the caller's own token, or `REGISTRY_TOKEN` if this server holds one and the caller may use it. */
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
    return toAccount(registryToken, true, result.permissions, null, result.client);
  }
}

function toAccount(
  bearer: string | null,
  usesServerToken: boolean,
  permissions: RequestAccount['permissions'],
  rejection: RequestAccount['rejection'] = null,
  client: string | null = null,
): RequestAccount {
  return { bearer, account: accountId(bearer), usesServerToken, permissions, rejection, client };
}

function parseBearer(authorization: string | undefined): string | null {
  return /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? '')?.[1] ?? null;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
