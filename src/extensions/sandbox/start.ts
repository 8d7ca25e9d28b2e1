import { ConfigError } from '../../config/config';
import type { Config } from '../../config/settings';
import type { AnyEndpoint, SandboxAnswers } from '../../registry/endpoint/endpoint';
import type { EmbeddedService, ServicePart } from '../../server/started-extension';
import { SANDBOX_TOKEN } from './accounts/accounts';
import { people } from './data/people';
import { readAuthorities } from './efirma/verify-signature';
import { found, notFound, type Protocol, rejected, type ServiceResponse } from './protocol/responses';
import type { Question, Route, Terms } from './protocol/route';
import { type Sandbox, startSandbox } from './service';

export interface EmbeddedSandbox extends EmbeddedService {
  readonly sandbox: Sandbox;
}

export async function startEmbedded(
  config: Config,
  authorities: readonly string[],
  clock: () => Date,
  { termsOf, endpoints }: ServicePart,
): Promise<EmbeddedSandbox> {
  try {
    readAuthorities(authorities);
  } catch (error) {
    throw new ConfigError([`SANDBOX_AUTHORITIES: ${error instanceof Error ? error.message : 'unreadable.'}`]);
  }
  const { identityPath } = config;
  const terms = (endpoint: string): Terms | undefined => {
    const found = termsOf(endpoint);
    return found && { units: found.units, charged: new Set(found.charged.flatMap((end) => statuses[end])) };
  };
  const routes = endpoints.flatMap((endpoint) => toRoute(endpoint) ?? []);
  const path = identityPath === null ? {} : { identityPath };
  const sandbox = await startSandbox({ clock, authorities, terms, routes, ...path });
  return {
    url: sandbox.url,
    sandbox,
    greeting: (url) => greet(url, sandbox.url, config),
    close: () => sandbox.close(),
  };
}

/** Returns the route of an endpoint file, with its own answers. Null if it has none. */
export function toRoute({ method, path, encoding, envelope, permission, units, sandbox }: AnyEndpoint): Route | null {
  if (sandbox === undefined) return null;
  const protocol = path.startsWith('/api/') ? 'common' : 'portal';
  return {
    ...{ method, path, protocol, units, inputFrom: encoding === 'json' ? 'json' : 'query' },
    ...(permission === null ? {} : { permission }),
    fields: sandbox.inputs.map(({ name, kind, isOptional }) => ({
      ...(kind === null || kind === 'certificate' || kind === 'name' ? {} : { identifier: kind }),
      ...{ name, type: 'scalar', required: !isOptional },
    })),
    answer: ({ values }) => answerOf(sandbox.answer, values, protocol, envelope === 'document'),
  };
}

/** Returns the answer of an endpoint file. If it has none, or its function throws, the message of the service says so. */
async function answerOf(
  find: SandboxAnswers['answer'],
  values: Question['values'],
  protocol: Protocol,
  isDocument: boolean,
): Promise<ServiceResponse> {
  try {
    if (find === null) throw new Error('no hay');
    const data = (await find(values)) ?? null;
    if (data === null) return notFound(protocol);
    return isDocument ? { status: 200, body: { ok: true, ...data } } : found(data);
  } catch (error) {
    return rejected(protocol, 500, 'SANDBOX_FAILED', `La función sandbox del archivo no respondió. ${String(error)}`);
  }
}

/** The statuses of the ends that a price list may charge. */
const statuses = {
  FOUND: 200,
  NOT_FOUND: 404,
  INVALID_INPUT: [400, 422],
  NOT_PERMITTED: 403,
  RATE_LIMITED: 429,
} as const;

/** Returns where the sandbox is, and a request to try unless this server would reject it. */
function greet(url: string, sandboxUrl: string, config: Config): readonly string[] {
  const { subgraphSecret, trustedDocuments, purpose } = config;
  // Without REGISTRY_TOKEN, the token of the caller is forwarded, and no JWT is read.
  const jwt = config.registryToken === null ? null : config.jwt;
  const lines = [
    `over the embedded sandbox of the registry service, at ${sandboxUrl} (invented people, no units of yours)`,
    jwt === null ? `token: ${SANDBOX_TOKEN}` : `token: a JWT of ${jwt.issuer ?? 'JWT_SECRET'}, in $TOKEN`,
    '',
  ];
  if (trustedDocuments?.mode === 'enforce')
    return [...lines, 'TRUSTED_DOCUMENTS is set: send the ID of a published document.'];
  const nss = people.find(({ credit, licences }) => credit && licences.length > 0)?.nss;
  const query = `{ person(nss: \\"${nss}\\") { credit { outcome problems { code } record { names hasCredit } evidence { validationCode units } } licences { outcome problems { code } records { number title names paternalSurname } } consistency { status } } }`;
  return [
    ...lines,
    ...(jwt === null || jwt.secret === null ? [] : [makeToken(jwt)]),
    `curl ${url} \\`,
    "  -H 'content-type: application/json' \\",
    jwt === null ? `  -H 'authorization: Bearer ${SANDBOX_TOKEN}' \\` : '  -H "authorization: Bearer $TOKEN" \\',
    ...(purpose.rule === 'required' ? [`  -H 'x-purpose: ${purpose.allowed[0]}' \\`] : []),
    ...(subgraphSecret !== null ? ['  -H "x-subgraph-secret: $SUBGRAPH_SECRET" \\'] : []),
    `  -d '{"query":"${query}"}'`,
    '',
  ];
}

/** Returns a command that makes a JWT for an hour, with the scopes of the request to try. */
function makeToken({ issuer, audience }: NonNullable<Config['jwt']>): string {
  const claims = JSON.stringify({
    ...(issuer === null ? {} : { iss: issuer }),
    ...(audience === null ? {} : { aud: audience }),
    sub: 'me',
    scope: 'use_buscar_credito use_buscar_cedula',
  }).replaceAll("'", '\\u0027');
  const program = [
    'const {env}=process',
    'const part=(value)=>Buffer.from(JSON.stringify(value)).toString("base64url")',
    `const text=part({alg:"HS256"})+"."+part({...${claims},exp:Math.floor(Date.now()/1000)+3600})`,
    'text+"."+require("crypto").createHmac("sha256",env.JWT_SECRET).update(text).digest("base64url")',
  ];
  return `TOKEN=$(JWT_SECRET=$JWT_SECRET node -p '${program.join(';')}')`;
}
