import type { Account } from '../../src/extensions/sandbox/accounts/accounts';
import { type RunningPadron, runPadron } from '../support/padrons/padron';
import { startProxy, type TamperingProxy } from '../support/proxies/tampering-proxy';
import { type Hr, startHr } from './hr';
import { routerSecret, supergraphOf } from './supergraph';

/** padron and its neighbour subgraph, each on its own port, and their supergraph. */
export interface Subgraphs {
  readonly padron: RunningPadron;
  readonly hr: Hr;
  /** A proxy between the gateway and padron, which records requests and can fail. */
  readonly between: TamperingProxy;
  readonly supergraph: string;
  /** Keyed by name. The gateway reaches padron through the proxy. */
  readonly urls: Readonly<Record<string, string>>;
  /** Returns the authorization of an unused account, for which no answer can be replayed. */
  freshAuthorization(): string;
  stop(): Promise<void>;
}

const accounts: readonly Account[] = Array.from({ length: 40 }, (_, index) => ({
  token: `platform-${index}`,
  name: `Platform ${index}`,
  permissions: 'all',
  units: 1_000,
}));

export async function startSubgraphs(
  environment: Readonly<Record<string, string>> = {},
  now?: () => Date,
  slowMs = 300,
): Promise<Subgraphs> {
  const [padron, hr] = await Promise.all([
    runPadron({
      environment: { SUBGRAPH_SECRET: routerSecret, ...environment },
      sandbox: { accounts, slowMs },
      ...(now ? { now } : {}),
    }),
    startHr(),
  ]);
  const between = await startProxy(new URL(padron.url).origin);
  const urls = { padron: `${between.url}/graphql`, hr: hr.url };
  const supergraph = await supergraphOf(urls);
  const unused = accounts.map(({ token }) => `Bearer ${token}`);
  return {
    padron,
    hr,
    between,
    supergraph,
    urls,
    freshAuthorization: () => {
      const next = unused.shift();
      if (next === undefined) throw new Error('No account is left that nobody has used.');
      return next;
    },
    stop: async () => {
      await Promise.all([between.close(), hr.stop()]);
      await padron.stop();
    },
  };
}
