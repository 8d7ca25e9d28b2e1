import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

export interface Page {
  readonly file: string;
  readonly text: string;
}

const root = join(__dirname, '../..');
const docs = readdirSync(join(root, 'docs')).filter((file) => file.endsWith('.md'));

export const readPage = (file: string): Page => ({ file, text: readFileSync(join(root, file), 'utf8') });

/** The pages for users: the README and the documents that it links to. */
export const pages: readonly Page[] = ['README.md', ...docs.map((file) => `docs/${file}`)].map(readPage);

/** The pages in Spanish. Each has the name of the English page that it follows. */
export const spanishPages: readonly Page[] = [
  'README.es.md',
  ...readdirSync(join(root, 'docs/es')).map((file) => `docs/es/${file}`),
].map(readPage);

export function blocksOf(language: string): readonly string[] {
  return matchesOf(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm')).map(([, code = '']) => code);
}

export function matchesOf(pattern: RegExp): readonly RegExpMatchArray[] {
  return pages.flatMap(({ text }) => [...text.matchAll(pattern)]);
}

/** Cells of the one table whose first heading is given, without the heading. */
export function tableOf(heading: string): readonly (readonly string[])[] {
  const page = pages.find(({ text }) => text.includes(`\n| ${heading} |`));
  const lines = page?.text.split('\n') ?? [];
  const start = lines.findIndex((line) => line.startsWith(`| ${heading} |`));
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'));
  return lines.slice(start + 2, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const withoutCode = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, '');

/** Returns the anchors that GitHub makes of headings. A repeated heading gets a number. */
export function anchorsOf({ text }: Page): readonly string[] {
  const seen = new Map<string, number>();
  return [...withoutCode(text).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => {
    const slug = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-');
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
}

/** Links within this repository: the file from the root, and the anchor ('' without one). */
export function linksOf({ file, text }: Page): readonly { readonly target: string; readonly anchor: string }[] {
  return [...withoutCode(text).matchAll(/\]\((?!https?:)([^)#]*)#?([^)]*)\)/g)].map(([, path = '', anchor = '']) => ({
    target: path === '' ? file : posix.join(posix.dirname(file), path),
    anchor,
  }));
}
