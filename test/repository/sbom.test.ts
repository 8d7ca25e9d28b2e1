import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');

interface Component {
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly hashes?: readonly unknown[];
}

describe('npm run sbom', () => {
  it('writes a bill of materials in CycloneDX that lists each package of a production install, and no other', () => {
    execFileSync('npm', ['run', 'sbom'], { cwd: root, timeout: 240_000 });
    const bill = JSON.parse(readFileSync(join(root, 'padron.cdx.json'), 'utf8'));
    expect([bill.bomFormat, bill.metadata.component.name]).toEqual(['CycloneDX', 'padron']);
    const components: readonly Component[] = bill.components;
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
    const installed = Object.keys(packages).filter((folder) => folder !== '' && packages[folder].dev !== true);
    const names = installed.map((folder) => `${folder.split('node_modules/').at(-1)}@${packages[folder].version}`);
    expect(components.map(({ name, version }) => `${name}@${version}`).sort()).toEqual([...new Set(names)].sort());
    expect(components.filter(({ purl, hashes }) => !purl.startsWith('pkg:npm/') || !hashes?.length)).toEqual([]);
  });
});
