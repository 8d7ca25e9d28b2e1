import type { AnyEndpoint } from './endpoint/endpoint';

export type SandboxDelays = ReadonlyMap<AnyEndpoint, number>;

const maxDelayMs = 60_000;

/** Returns the name of an endpoint in `x-sandbox-delay`: the last part of its path, for example `buscar-credito`. */
function delayName({ path }: AnyEndpoint): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/**
 * Parses the header `x-sandbox-delay`, for example `buscar-credito=10s, valida-curp=300ms`. Throws a RangeError if the header
 * cannot be read, names an unknown endpoint, or exceeds the longest delay.
 */
export function parseSandboxDelays(header: string, endpoints: readonly AnyEndpoint[]): SandboxDelays {
  const byName = new Map(endpoints.map((endpoint) => [delayName(endpoint), endpoint]));
  return new Map(
    header.split(',').map((entry): [AnyEndpoint, number] => {
      const [, name = '', digits = '', unit] = /^\s*([a-z0-9-]+)=(\d{1,5})(ms|s)\s*$/.exec(entry) ?? [];
      const endpoint = byName.get(name);
      const delayMs = Number(digits) * (unit === 's' ? 1_000 : 1);
      if (endpoint === undefined || delayMs > maxDelayMs) {
        const example = '`buscar-credito=10s, valida-curp=300ms`';
        throw new RangeError(
          `The header \`x-sandbox-delay\` must be like ${example}, with delays of up to 60s. The endpoints are ${[...byName.keys()].join(', ')}.`,
        );
      }
      return [endpoint, delayMs];
    }),
  );
}
