/** Prints llms.txt, the list of documents for language models, from the README's last table: npm run print:llms */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const read = (file: string): string => readFileSync(join(__dirname, '..', file), 'utf8');
const titleOf = (file: string): string => /^# (.+)$/m.exec(read(file))?.[1] ?? file;

const readme = read('README.md');
const [, summary = ''] = /^\*\*(.+?)\*\*/m.exec(readme) ?? [];
const [, table = ''] = /^\| you want to \| read \|\n.*\n((?:\|.*\n)+)/m.exec(readme) ?? [];
const lines = table
  .trimEnd()
  .split('\n')
  .flatMap((row) => {
    const [, goal = '', cell = ''] = row.split('|').map((text) => text.trim());
    return [...cell.matchAll(/\]\(([^)#]+)(#[^)]*)?\)/g)].map(
      ([, file = '', anchor = '']) => `- [${titleOf(file)}](${file}${anchor}): ${goal}`,
    );
  });

process.stdout.write(`# padron\n\n> ${summary}\n\n## Documents\n\n${lines.join('\n')}\n`);
