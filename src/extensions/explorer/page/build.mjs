// Bundles the explorer into dist/explorer, compressed ahead of time.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const sourceFolder = dirname(fileURLToPath(import.meta.url));
const root = join(sourceFolder, '..', '..', '..', '..');
const target = join(root, 'dist', 'explorer');
const stagingFolder = `${target}.${process.pid}`;

const workers = {
  editor: 'monaco-editor/esm/vs/editor/editor.worker.js',
  json: 'monaco-editor/esm/vs/language/json/json.worker.js',
  graphql: 'monaco-graphql/esm/graphql.worker.js',
};

const shared = {
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  outdir: stagingFolder,
  absWorkingDir: root,
  logLevel: 'warning',
  metafile: true,
  legalComments: 'none',
  define: { 'process.env.NODE_ENV': '"production"' },
};

/** Loads GraphiQL's fonts as files, because its style sheet embeds them as text three times as large. */
const fontsAsFiles = {
  name: 'fonts as files',
  setup(build) {
    build.onResolve({ filter: /^data:font/ }, ({ path }) => {
      const [, kind, base64] = /^data:font\/(\w+);base64,(.*)$/.exec(path);
      const bytes = Buffer.from(base64, 'base64');
      const name = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
      return { path: `font-${name}.${kind}`, namespace: 'fonts', pluginData: bytes };
    });
    build.onLoad({ filter: /./, namespace: 'fonts' }, ({ pluginData }) => ({ contents: pluginData, loader: 'file' }));
    // GraphiQL's style sheet contains the editor's styles.
    build.onLoad({ filter: /monaco-editor[\\/].*\.css$/ }, () => ({ contents: '', loader: 'css' }));
  },
};

/** Returns the module that starts the page with the panel of each extension that has one. */
async function writeEntry() {
  const names = (await readdir(join(sourceFolder, '..', '..'))).sort();
  const panels = names.filter((name) => existsSync(join(sourceFolder, '..', '..', name, 'panel', 'panel.tsx')));
  const imports = panels.map((name, index) => `import { panel as panel${index} } from '../../${name}/panel/panel';`);
  return `import { main } from './main'; ${imports.join(' ')} main([${panels.map((_, index) => `panel${index}`)}]);`;
}

async function bundle() {
  const { build } = await import('esbuild');
  const background = await build({ ...shared, entryPoints: workers, entryNames: '[name].worker-[hash]' });
  const names = Object.entries(background.metafile.outputs).map(([file, { entryPoint }]) => [
    entryPoint,
    baseName(file),
  ]);
  const findWorker = (path) => names.find(([entry]) => entry?.endsWith(path))?.[1];
  const page = await build({
    ...shared,
    stdin: { contents: await writeEntry(), resolveDir: sourceFolder },
    entryNames: 'explorer-[hash]',
    chunkNames: 'part-[hash]',
    assetNames: '[name]-[hash]',
    splitting: true,
    jsx: 'automatic',
    loader: { '.ttf': 'file', '.woff': 'file', '.woff2': 'file' },
    plugins: [fontsAsFiles],
    define: {
      ...shared.define,
      EDITOR_WORKER: JSON.stringify(findWorker(workers.editor)),
      JSON_WORKER: JSON.stringify(findWorker(workers.json)),
      GRAPHQL_WORKER: JSON.stringify(findWorker(workers.graphql)),
    },
  });
  return page.metafile.outputs;
}

const baseName = (file) => file.split('/').at(-1);

/** Returns the files that the first view needs, so that the browser requests all of them in parallel. */
function collectParts(outputs) {
  const wanted = new Set();
  const visit = (file) => {
    if (wanted.has(file) || outputs[file] === undefined) return;
    wanted.add(file);
    for (const { path, kind } of outputs[file].imports) if (kind === 'import-statement') visit(path);
  };
  const [entry] = Object.keys(outputs).filter((file) => outputs[file].entryPoint === '<stdin>');
  visit(entry);
  // The editor is loaded by a dynamic import immediately.
  for (const file of Object.keys(outputs))
    if (/monaco-graphql\/esm\/(monaco-editor|lite)\.js$/.test(outputs[file].entryPoint ?? '')) visit(file);
  return {
    script: baseName(entry),
    style: baseName(outputs[entry].cssBundle),
    parts: [...wanted].map(baseName).slice(1),
  };
}

const compress = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gz: (bytes) => promisify(gzip)(bytes, { level: 9 }),
};

async function compressAll() {
  const files = (await readdir(stagingFolder)).filter((file) => /\.(js|css|ttf)$/.test(file));
  await Promise.all(
    files.flatMap((file) =>
      Object.entries(compress).map(async ([extension, compressBytes]) => {
        const original = await readFile(join(stagingFolder, file));
        const compressed = await compressBytes(original);
        if (compressed.length < original.length)
          await writeFile(join(stagingFolder, `${file}.${extension}`), compressed);
      }),
    ),
  );
}

await mkdir(stagingFolder, { recursive: true });
try {
  const outputs = await bundle();
  await compressAll();
  const files = await readdir(stagingFolder);
  await writeFile(join(stagingFolder, 'manifest.json'), JSON.stringify({ ...collectParts(outputs), files }, null, 2));
  await rm(target, { recursive: true, force: true });
  await rename(stagingFolder, target);
} finally {
  await rm(stagingFolder, { recursive: true, force: true });
}
