// Builds padron-client: its entry points as ES modules and CommonJS with their types, its command, and the schema beside them.
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const folder = dirname(fileURLToPath(import.meta.url));
const root = join(folder, '..', '..');
const target = join(folder, 'dist');

for (const output of ['dist', 'schema']) rmSync(join(folder, output), { recursive: true, force: true });

const shared = { bundle: true, outdir: target, absWorkingDir: folder, logLevel: 'warning', target: 'es2022' };
const entryPoints = readdirSync(join(folder, 'entries')).map((file) => join(folder, 'entries', file));
const kit = { ...shared, entryPoints, packages: 'external' };
await build({ ...kit, format: 'esm', splitting: true, chunkNames: 'part-[hash]', outExtension: { '.js': '.mjs' } });
await build({ ...kit, format: 'cjs' });
const { metafile } = await build({
  ...shared,
  entryPoints: { command: join(root, 'src/cli/price/main.ts') },
  platform: 'node',
  format: 'cjs',
  // An optional peer of type-graphql, and what extensions load when they start.
  external: [
    'class-validator',
    ...['start', 'routes', 'mcp-route', 'disabled-route', 'batch-command', 'server/start-batches'].map(
      (name) => `./${name}.js`,
    ),
  ],
  minify: true,
  // The names of classes are names of types in the graph.
  keepNames: true,
  metafile: true,
});
const packages = Object.keys(metafile.inputs).flatMap(
  (file) => /.*node_modules\/(@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? [],
);
writeFileSync(join(target, 'command.licenses.txt'), [...new Set(packages)].sort().map(licenceOf).join('\n'));

const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
const { status } = spawnSync(process.execPath, [compiler, '--project', folder], { stdio: 'inherit' });
if (status !== 0) process.exit(1);

// ES modules name the files that they import with their endings.
for (const file of readdirSync(target, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.d.ts'),
)) {
  const declarations = readFileSync(join(target, file), 'utf8').replaceAll(/(from ['"]\.[^'"]+)(['"])/g, '$1.mjs$2');
  writeFileSync(join(target, file.replace(/\.ts$/, '.mts')), declarations);
}

/** Returns the name of a package that the command contains, and the text of its licence if the package has one. */
function licenceOf(path) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, path, 'package.json'), 'utf8'));
  const files = readdirSync(join(folder, path)).filter((file) => /^licen[cs]e/i.test(file));
  const texts = files.map((file) => readFileSync(join(folder, path, file), 'utf8'));
  return [`${'='.repeat(80)}\n${name} ${version}, ${license}\n`, ...texts].join('\n');
}

cpSync(join(root, 'schema/api.graphql'), join(folder, 'schema/api.graphql'));
cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));

// Settings of GraphQL Code Generator for a frontend, and the query of `priceOf` for its trusted documents.
const settings = readFileSync(join(root, 'codegen.yml'), 'utf8')
  .replace(/^(#.*\n)+/, '# Settings of GraphQL Code Generator. `documents` are your operations.\n')
  .replace('schema/api.graphql', 'node_modules/padron-client/schema/api.graphql')
  .replace('schema/examples/*.graphql', 'src/**/*.graphql')
  .replace('schema/client/generated/', 'src/generated/');
writeFileSync(join(folder, 'schema/codegen.yml'), settings);
const [, query = ''] = /GraphQL \*\/ `\n([^`]+)`/.exec(readFileSync(join(folder, 'price-of.ts'), 'utf8')) ?? [];
writeFileSync(join(folder, 'schema/price-of.graphql'), query);
