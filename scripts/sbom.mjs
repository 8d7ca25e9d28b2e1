// Writes padron.cdx.json, the bill of materials of padron (CycloneDX): npm run sbom
// It installs the packages of production into a temporary folder, because in a folder with development packages `npm sbom --omit dev`
// leaves out packages that both kinds need, such as graphql.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const temporary = mkdtempSync(join(tmpdir(), 'padron-sbom-'));
// npm names the program after its folder.
const folder = join(temporary, 'padron');
const npm = (...args) =>
  execFileSync('npm', args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64_000_000,
    stdio: ['ignore', 'pipe', 'inherit'],
  });

try {
  mkdirSync(folder);
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(root, file), join(folder, file));
  npm('ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund');
  // npm makes no bill of materials while development packages are declared and missing, or overrides refer to them.
  const { devDependencies: _, overrides, ...declared } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const versions = Object.entries(overrides).filter(([, version]) => typeof version === 'string');
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...declared, overrides: Object.fromEntries(versions) }));
  writeFileSync(join(root, 'padron.cdx.json'), npm('sbom', '--sbom-format=cyclonedx', '--sbom-type=application'));
} finally {
  rmSync(temporary, { recursive: true });
}
