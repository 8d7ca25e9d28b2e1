import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '../../config/config';
import { accountId, type Caller } from '../../registry/caller';
import type { TokenRefusal } from '../telemetry/log-fields';
import type { Logger } from '../telemetry/logger';
import { jwtVerifier, type VerifyJwt } from './jwt';

/** Account of a request, before its other headers are read. */
export interface Account extends Pick<Caller, 'bearer' | 'account' | 'usesServerToken' | 'permissions'> {
  /** The application that the caller proved to be; null where none is proven. */
  readonly client: string | null;
  /** Why the token that came is not taken; null where none was refused here. */
  readonly refusal: TokenRefusal | null;
}

/** Tells who asks: the caller's own token is passed on, or this server's is spent for callers that prove themselves. */
export class Authentication {
  private readonly verify: VerifyJwt | null;
  private readonly secret: Buffer | null;

  constructor(
    private readonly config: Pick<Config, 'registryToken' | 'jwt' | 'subgraphSecret'>,
    log: Logger,
  ) {
    this.secret = config.subgraphSecret === null ? null : digest(config.subgraphSecret);
    this.verify = config.jwt === null ? null : jwtVerifier(config.jwt, log);
  }

  /** Whether the request carries what only the router knows; always, where no secret is set. */
  hasRouterSecret(headers: IncomingHttpHeaders): boolean {
    if (this.secret === null) return true;
    return timingSafeEqual(digest(String(headers['x-subgraph-secret'] ?? '')), this.secret);
  }

  async authenticate(headers: IncomingHttpHeaders): Promise<Account> {
    const { registryToken } = this.config;
    const bearer = parseBearer(headers.authorization);
    if (registryToken === null) return toAccount(bearer, false, null);
    if (this.verify === null) return toAccount(registryToken, true, null);
    if (bearer === null) return toAccount(null, true, null);
    const verdict = await this.verify(bearer);
    if ('refusal' in verdict) return toAccount(null, true, null, verdict.refusal);
    return toAccount(registryToken, true, verdict.permissions, null, verdict.client);
  }
}

function toAccount(
  bearer: string | null,
  usesServerToken: boolean,
  permissions: Account['permissions'],
  refusal: Account['refusal'] = null,
  client: string | null = null,
): Account {
  return { bearer, account: accountId(bearer), usesServerToken, permissions, refusal, client };
}

function parseBearer(authorization: string | undefined): string | null {
  return /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? '')?.[1] ?? null;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
