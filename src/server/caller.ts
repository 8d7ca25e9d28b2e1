import type { IncomingHttpHeaders } from 'node:http';
import { GraphQLError } from 'graphql';
import type { Config } from '../config';
import { accountOf, type Caller } from '../registry/caller';

/** Who asks, by the request's headers. A header about money or sandbox that cannot be read refuses the whole request. */
export function callerOf(headers: IncomingHttpHeaders, config: Config): Caller {
  const bearer = config.registryToken ?? bearerOf(headers.authorization);
  return {
    bearer,
    account: accountOf(bearer),
    sandbox: config.registrySandbox || sandboxAsked(headers['x-sandbox']),
    heldHere: config.registryToken !== null,
  };
}

/** Headers of later versions: whoever sends one relies on a bound, so it is refused rather than ignored. */
export function refuseUnsupported(headers: IncomingHttpHeaders): void {
  for (const name of ['x-max-units', 'x-dry-run']) {
    if (headers[name] !== undefined) throw badHeader(`The header \`${name}\` is not supported by this version.`);
  }
}

function bearerOf(authorization: string | undefined): string | null {
  return /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? '')?.[1] ?? null;
}

function sandboxAsked(header: string | string[] | undefined): boolean {
  const value = String(header ?? 'false')
    .trim()
    .toLowerCase();
  if (value === 'true' || value === '1') return true;
  if (value === 'false' || value === '0') return false;
  throw badHeader('The header `x-sandbox` must be true or false.');
}

function badHeader(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT', http: { status: 400 } } });
}
