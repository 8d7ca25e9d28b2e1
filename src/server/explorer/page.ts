import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folder of the built explorer, relative to both `src` and `dist`. */
export const explorerFolder = join(__dirname, '../..', '..', 'dist', 'explorer');

/** Manifest of the build. */
interface Manifest {
  readonly inputs: string;
  readonly script: string;
  readonly style: string;
  readonly parts: readonly string[];
  readonly files: readonly string[];
}

/** Reads the manifest of the build each time, because the build may finish after the server has started. Returns null without a build. */
function readManifest(): Manifest | null {
  try {
    return JSON.parse(readFileSync(join(explorerFolder, 'manifest.json'), 'utf8'));
  } catch {
    return null;
  }
}

/** Whether the name is a file of the build, and not the compressed form of one. Only such files are served. */
export function isExplorerFile(name: string): boolean {
  return readManifest()?.files.includes(name) === true && !/\.(br|gz)$/.test(name);
}

/** Returns the page. It has no inline script, and its paths are relative. */
export function renderExplorerPage(): { readonly html: string; readonly etag: string } {
  const manifest = readManifest();
  const html = manifest === null ? renderPage(notBuilt, '') : renderPage(container, renderHead(manifest));
  return { html, etag: `"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"` };
}

const container =
  '<div id="explorer">padron…<noscript> The explorer needs JavaScript. El explorador necesita JavaScript.</noscript></div>';
const notBuilt =
  '<p>The graph accepts POST requests here. Its explorer has not been built yet: run <code>npm run build</code>, then reload this page.</p>';

function renderHead({ script, style, parts }: Manifest): string {
  return [
    `<link rel="stylesheet" href="graphql/explorer/${style}">`,
    ...parts.map((part) => `<link rel="modulepreload" href="graphql/explorer/${part}">`),
    `<script type="module" src="graphql/explorer/${script}"></script>`,
  ].join('\n');
}

function renderPage(body: string, head: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>padron</title>
<link rel="icon" href="data:,">
${head}
</head>
<body>
${body}
</body>
</html>
`;
}
