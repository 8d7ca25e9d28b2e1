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

/**
 * Returns the manifest of the build, or null if there is no build yet. The build may finish after the server has
 * started.
 */
function builtExplorer(): Manifest | null {
  try {
    return JSON.parse(readFileSync(join(explorerFolder, 'manifest.json'), 'utf8'));
  } catch {
    return null;
  }
}

/** Whether the build lists a file of that name, other than the compressed forms of one; nothing else is ever opened. */
export function isExplorerFile(name: string): boolean {
  return builtExplorer()?.files.includes(name) === true && !/\.(br|gz)$/.test(name);
}

/** Returns the page. It has no inline script, and its paths are relative. */
export function explorerPage(): { readonly html: string; readonly etag: string } {
  const built = builtExplorer();
  const html = built === null ? renderPage(notBuilt, '') : renderPage(place, renderHead(built));
  return { html, etag: `"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"` };
}

const place = '<div id="explorer">Opening the explorer…<noscript> It needs JavaScript.</noscript></div>';
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
