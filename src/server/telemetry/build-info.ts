import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Gauge, type Registry } from 'prom-client';

const packageFile = join(__dirname, '../../../package.json');

/** Registers the metric that tells the versions of padron and of Node. */
export function registerBuildInfo(registry: Registry): void {
  const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { readonly version: string };
  const gauge = new Gauge({
    name: 'padron_build_info',
    help: 'Always 1. The labels are the version of padron and the version of Node',
    labelNames: ['version', 'node_version'],
    registers: [registry],
  });
  gauge.set({ version, node_version: process.versions.node }, 1);
}
