// Builds padron into dist/: the server, the explorer, and the template of the embedded store; and padron-client beside its sources. A step
// whose inputs have not changed since it last succeeded is skipped. Without the development dependencies the existing build is used as it is.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const stateFile = join(root, 'dist', 'build.json');
const state = existsSync(stateFile) ? JSON.parse(readFileSync(stateFile, 'utf8')) : {};

/** Every file that a step reads, as paths below the root. The lock file names the packages. */
const common = ['package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'scripts/build.mjs'];
const page = join('src', 'extensions', 'explorer', 'page');
/** Files of a folder, or none if the extension it belongs to is removed. */
const filesBelow = (folder) =>
  (existsSync(join(root, folder)) ? readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }) : [])
    .map((file) => join(folder, file))
    // The results of a step are not its inputs.
    .filter((file) => /\.(tsx?|mjs|css|json|sql)$/.test(file) && !/[/](dist|node_modules)[/]/.test(file));
/** Whether a file runs in the explorer's page: it is the page's own, or of the panel of an extension. */
const isOfPage = (file) => file.startsWith(page) || /^src.extensions.[^/\\]+.panel[/\\]/.test(file);
const serverFiles = () => filesBelow('src').filter((file) => !isOfPage(file));

const steps = [
  {
    name: 'the server',
    inputs: serverFiles,
    result: 'dist/main.js',
    run: () => {
      node(packageFile('typescript', 'bin/tsc'), '--project', 'tsconfig.build.json');
      // The compiler leaves out the SQL that modules read from their folders.
      for (const file of serverFiles().filter((name) => name.endsWith('.sql')))
        copyFileSync(join(root, file), join(root, file.replace('src', 'dist')));
      // Users start the sandbox by this path.
      mkdirSync(join(root, 'dist/sandbox'), { recursive: true });
      writeFileSync(join(root, 'dist/sandbox/main.js'), "require('../extensions/sandbox/main.js');\n");
    },
  },
  {
    name: 'the explorer',
    // It shares texts and the type of its settings with the server, and uses the client kit.
    inputs: () => [...filesBelow('src').filter(isOfPage), ...['src/identifiers', 'schema'].flatMap(filesBelow)],
    result: 'dist/explorer/manifest.json',
    run: () => node(join(page, 'build.mjs')),
  },
  {
    name: 'the template of the embedded store',
    inputs: () => filesBelow(join('src', 'store', 'embedded')),
    result: 'dist/store/embedded',
    run: () => node('src/store/embedded/make-template.mjs', 'dist/store/embedded'),
  },
  {
    name: 'padron-client',
    inputs: () => [...serverFiles(), ...filesBelow('schema'), 'schema/api.graphql', 'codegen.yml'],
    result: 'schema/client/dist/command.js',
    run: () => node('schema/client/build.mjs'),
  },
];

function hash(files) {
  const sum = createHash('sha256');
  for (const file of [...common, ...files].sort()) sum.update(file).update(readFileSync(join(root, file)));
  return sum.digest('hex');
}

const { resolve } = createRequire(import.meta.url);

function packageFile(name, file) {
  return join(dirname(resolve(`${name}/package.json`)), file);
}

function isInstalled(name) {
  try {
    resolve(`${name}/package.json`);
    return true;
  } catch {
    return false;
  }
}

function node(...args) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

if (!['typescript', 'esbuild'].every(isInstalled)) {
  const isBuilt = steps.every(({ result }) => existsSync(join(root, result)));
  const found = 'padron: uses the build in dist/, as the development dependencies are not installed\n';
  const missing = 'padron is not built. Run "npm ci && npm run build" with the development dependencies.\n';
  process.stderr.write(isBuilt ? found : missing);
  process.exit(isBuilt ? 0 : 1);
}

// npm shows nothing while it packs, which it does after the build.
if (process.env.npm_lifecycle_event === 'prepack' && process.env.npm_package_name === 'padron')
  process.stderr.write(
    'padron: npm packs its dependencies after the build. That takes some minutes, without a sign.\n',
  );

for (const { name, inputs, result, run } of steps) {
  const inputHash = hash(inputs());
  if (existsSync(join(root, result)) && state[name] === inputHash) continue;
  const startedAt = Date.now();
  process.stdout.write(`padron: building ${name} …`);
  run();
  process.stdout.write(` ${((Date.now() - startedAt) / 1000).toFixed(1)} s\n`);
  state[name] = inputHash;
  mkdirSync(dirname(stateFile), { recursive: true });
  writeFileSync(stateFile, `${JSON.stringify(state, null, 2)}\n`);
}
