import type { Config, Environment } from '../../config/settings';
import { findProxy } from '../../registry/transport/proxies';

/** Names the proxy of each system of the settings. Returns nothing if no proxy is set. */
export function describeProxies(config: Config, environment: Environment): readonly string[] {
  const { proxies, registryUrl, linkOrigins, jwt, data } = config;
  if (proxies.https === null && proxies.http === null) return [];
  const systems: readonly (readonly [name: string, url: string | null | undefined])[] = [
    ['service and signed links', registryUrl ?? 'http://localhost'],
    ...linkOrigins.map((origin) => [`signed links of ${origin}`, origin] as const),
    ['JWT keys', jwt?.jwksUrl],
    ['webhooks', data.webhook?.url],
    ['traces', environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || environment.OTEL_EXPORTER_OTLP_ENDPOINT],
  ];
  const named = systems.flatMap(([name, url]) =>
    url && URL.canParse(url) ? `${name}: ${findProxy(proxies, new URL(url))?.host ?? 'none'}` : [],
  );
  return [`Proxies by system: ${named.join(', ')}.`];
}
