import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where the build puts the explorer, seen from `src` as from `dist`. */
const folder = join(__dirname, '..', '..', 'dist', 'explorer');

/** What the build says of itself. */
interface Manifest {
  readonly inputs: string;
  readonly script: string;
  readonly style: string;
  readonly parts: readonly string[];
  readonly files: readonly string[];
}

/** A file as it is sent. */
export interface SentFile {
  readonly bytes: Buffer;
  readonly type: string;
  readonly encoding: 'br' | 'gzip' | null;
}

/** What the build left, read when it is asked for: it may come after the server. Null: nothing yet. */
export function builtExplorer(): Manifest | null {
  try {
    return JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  } catch {
    return null;
  }
}

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  woff2: 'font/woff2',
  woff: 'font/woff',
  ttf: 'font/ttf',
};

/** A file of the build, as small as the browser takes it. Only names that the manifest lists are ever opened. */
export async function explorerFile(name: string, acceptEncoding: string): Promise<SentFile | null> {
  const type = types[name.split('.').at(-1) ?? ''];
  const files = builtExplorer()?.files ?? [];
  if (type === undefined || !files.includes(name)) return null;
  const encoding = encodings.find(
    ([token, ending]) => files.includes(`${name}.${ending}`) && accepts(acceptEncoding, token),
  );
  const bytes = await readFile(join(folder, encoding === undefined ? name : `${name}.${encoding[1]}`));
  return { bytes, type, encoding: encoding?.[0] ?? null };
}

const encodings = [
  ['br', 'br'],
  ['gzip', 'gz'],
] as const;

function accepts(header: string, token: string): boolean {
  return header.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase());
    return name === token && !parameters.some((each) => /^q=0(\.0*)?$/.test(each));
  });
}

/** The page: no script of its own, and paths relative to itself. */
export function explorerPage(): { readonly html: string; readonly etag: string } {
  const built = builtExplorer();
  const html = built === null ? pageOf(notBuilt, '') : pageOf(place, headOf(built));
  return { html, etag: `"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"` };
}

const place = '<div id="explorer">Opening the explorer…<noscript> It needs JavaScript.</noscript></div>';
const notBuilt =
  '<p>The graph answers here by POST. Its explorer has not been built yet: run <code>npm run build</code>, then reload this page.</p>';

function headOf({ script, style, parts }: Manifest): string {
  return [
    `<link rel="stylesheet" href="graphql/explorer/${style}">`,
    ...parts.map((part) => `<link rel="modulepreload" href="graphql/explorer/${part}">`),
    `<script type="module" src="graphql/explorer/${script}"></script>`,
  ].join('\n');
}

function pageOf(body: string, head: string): string {
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
