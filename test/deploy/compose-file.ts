import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { parse } from 'yaml';
import { root } from './dockerfile';

/** A service in deploy/compose.yaml. */
export interface ComposeService {
  readonly image: string;
  readonly command?: readonly string[];
  readonly network_mode?: string;
  readonly read_only?: boolean;
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly build?: { readonly context: string; readonly dockerfile: string };
}

const composeText = readFileSync(join(root, 'deploy/compose.yaml'), 'utf8');
const compose = parse(composeText, { merge: true }) as {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, null>>;
};
export const { services } = compose;
export const volumes = Object.keys(compose.volumes);

/** Settings of the example file that the services read, all of them empty. */
export const exampleSettings = readSettingsFile('deploy/compose.example.env');

/** Reads a file of settings, as Docker, systemd and kubectl do. */
export function readSettingsFile(file: string): Readonly<Record<string, string>> {
  return parseEnv(readFileSync(join(root, file), 'utf8')) as Readonly<Record<string, string>>;
}

/** Returns the environment of a service, with these values for the settings of the example file. */
export function environmentOf(service: string, values: Readonly<Record<string, string>>): Record<string, string> {
  const settings = { ...exampleSettings, ...values };
  const fill = (text: string): string =>
    text.replaceAll(/\$\{(\w+)(?::\?)?\}/g, (_, name: string) => settings[name] ?? '');
  const own = Object.entries(services[service]?.environment ?? {});
  return { ...settings, ...Object.fromEntries(own.map(([name, value]) => [name, fill(String(value))])) };
}
