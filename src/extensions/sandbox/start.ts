import { ConfigError } from '../../config/config';
import type { Config } from '../../config/settings';
import type { EmbeddedService } from '../../server/started-extension';
import { SANDBOX_TOKEN } from './accounts/accounts';
import { people } from './data/people';
import { readAuthorities } from './efirma/verify-signature';
import { type Sandbox, startSandbox } from './service';

export interface EmbeddedSandbox extends EmbeddedService {
  readonly sandbox: Sandbox;
}

export async function startEmbedded(
  config: Config,
  authorities: readonly string[],
  clock: () => Date,
): Promise<EmbeddedSandbox> {
  try {
    readAuthorities(authorities);
  } catch (error) {
    throw new ConfigError([`SANDBOX_AUTHORITIES: ${error instanceof Error ? error.message : 'unreadable.'}`]);
  }
  const { identityPath } = config;
  const sandbox = await startSandbox({ clock, authorities, ...(identityPath === null ? {} : { identityPath }) });
  return {
    url: sandbox.url,
    sandbox,
    greeting: (url) => greet(url, sandbox.url, config),
    close: () => sandbox.close(),
  };
}

/** Returns where the sandbox is, and a request to try unless this server would reject it. */
function greet(url: string, sandboxUrl: string, { subgraphSecret, trustedDocuments }: Config): readonly string[] {
  const lines = [
    `over the embedded sandbox of the registry service, at ${sandboxUrl} (invented people, no units of yours)`,
    `token: ${SANDBOX_TOKEN}`,
    '',
  ];
  if (trustedDocuments?.mode === 'enforce')
    return [...lines, 'TRUSTED_DOCUMENTS is set: send the ID of a published document.'];
  const nss = people.find(({ credit, licences }) => credit && licences.length > 0)?.nss;
  const query = `{ person(nss: \\"${nss}\\") { credit { outcome problems { code } record { names hasCredit } evidence { validationCode units } } licences { outcome problems { code } records { number title } } } }`;
  return [
    ...lines,
    `curl ${url} \\`,
    "  -H 'content-type: application/json' \\",
    `  -H 'authorization: Bearer ${SANDBOX_TOKEN}' \\`,
    ...(subgraphSecret !== null ? ['  -H "x-subgraph-secret: $SUBGRAPH_SECRET" \\'] : []),
    `  -d '{"query":"${query}"}'`,
    '',
  ];
}
