import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');

/** Folders of the packages that are published. */
export type PackageFolder = '.' | 'schema/client';

export const manifestOf = (folder: PackageFolder) =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));

/** Packs a package as `npm publish` does, which builds what has changed. Returns the path of the file in the target. */
export function pack(folder: PackageFolder, target: string): string {
  // Packing changes package.json for a while, so tests pack one after the other.
  execFileSync('flock', [join(root, 'scripts'), 'npm', 'pack', '--pack-destination', target, join(root, folder)], {
    stdio: 'pipe',
  });
  const { name, version } = manifestOf(folder);
  return join(target, `${name}-${version}.tgz`);
}

/** Gives the folder of a frontend its packages: those of this repository as links, and padron-client as npm installs it. */
export function installPackages(folder: string): void {
  const packages = join(folder, 'node_modules');
  const client = join(packages, 'padron-client');
  mkdirSync(join(packages, '.bin'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules')).filter((entry) => !entry.startsWith('.')))
    symlinkSync(join(root, 'node_modules', name), join(packages, name));
  symlinkSync(join(root, 'node_modules/.bin/graphql-codegen'), join(packages, '.bin/graphql-codegen'));
  mkdirSync(client);
  execFileSync('tar', ['-xzf', pack('schema/client', folder), '-C', client, '--strip-components=1']);
  symlinkSync(join(client, manifestOf('schema/client').bin['padron-client']), join(packages, '.bin/padron-client'));
}
