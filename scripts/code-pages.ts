import { graphParts } from '../src/extensions';
import { buildGraph } from '../src/graph/schema/build-schema';
import type { CodeEntry } from '../src/identifiers/code-entry';
import { isProblem } from '../src/registry/answer/problem';
import { allCodes } from '../src/server/errors/codes';

export const codeEntries = allCodes(buildGraph(graphParts));

/** Returns the texts of the client kit: one line for each code, for users, in both languages. */
export function kitTexts(): string {
  return `// Printed by \`npm run print:codes\` from the tables of codes of padron.

/** A text for the user. The \`message\` of a problem is for developers. */
export interface ProblemText {
  readonly en: string;
  readonly es: string;
}

/** A text for every code. Adapt them to the language of your product. */
export const problemTexts = {
${textsOf(codeEntries.filter(isProblem))}
} as const satisfies Readonly<Record<string, ProblemText>>;

/** A text for every code of a GraphQL error that is not also a code of a problem. Adapt them to the language of your product. */
export const errorTexts = {
${textsOf(codeEntries.filter((entry) => !isProblem(entry)))}
} as const satisfies Readonly<Record<string, ProblemText>>;
`;
}

const textsOf = (entries: readonly CodeEntry[]): string =>
  entries
    .map(({ code, forUsers, forUsersSpanish }) => {
      return `  ${code}: { en: ${JSON.stringify(forUsers)}, es: ${JSON.stringify(forUsersSpanish)} },`;
    })
    .join('\n');

/**
 * Returns the error reference with the facts of each code from its entry: the list of codes, the heading, where the code is returned, who is
 * charged, whether to retry, what is wrong, and what to do. Everything else on the page is kept. A new code gets a section at the end of its group.
 */
export function errorsPage(page: string): string {
  const entries = new Map(codeEntries.map((entry) => [entry.code, entry]));
  const printed = new Set<string>();
  const [front = '', ...groups] = page.split(/^(?=## )/m);
  const pages = groups.map((group) => {
    const [introduction = '', ...sections] = group.split(/^(?=### )/m);
    const kept = sections.flatMap((section) => {
      const entry = entries.get(/^### `(\w+)`/.exec(section)?.[1] ?? '');
      if (entry === undefined) return [];
      printed.add(entry.code);
      return printSection(entry, proseOf(section));
    });
    return { title: /^## (.+)$/m.exec(group)?.[1], introduction, sections: kept };
  });
  for (const entry of codeEntries.filter(({ code }) => !printed.has(code))) {
    const group = pages.find(({ title }) => title === entry.group.replace(/:.*/, ''));
    if (group === undefined) throw new Error(`docs/errors.md needs a heading for ${entry.group}, for ${entry.code}.`);
    group.sections.push(printSection(entry, ''));
  }
  const list = front.replace(/^\| about \| codes \|\n(\|.*\n)+/m, printList());
  return `${[list, ...pages.map(({ introduction, sections }) => introduction + sections.join(''))].join('').trimEnd()}\n`;
}

function printList(): string {
  const rows = [...new Set(codeEntries.map(({ group }) => group))].map((name) => {
    const codes = codeEntries.filter(({ group }) => group === name).map(({ code }) => code);
    const title = name.startsWith('GraphQL') ? name : name.charAt(0).toLowerCase() + name.slice(1);
    return `| ${title} | ${codes.map((code) => `[\`${code}\`](#${code.toLowerCase()})`).join(', ')} |\n`;
  });
  return `| about | codes |\n|---|---|\n${rows.join('')}`;
}

const printSection = ({ code, where, charged, retryable, retry, message, toDo }: CodeEntry, prose: string): string =>
  `### \`${code}\`\n\n${where} · charged: ${charged} · retry: ${[retryable ? 'yes' : 'no', ...(retry === undefined ? [] : [retry])].join(', ')}\n\n${message}${prose}\n**To do:** ${toDo}\n\n`;

/** Returns what a section of the page says after the message of the code, which is its first line, and before what to do. */
const proseOf = (section: string): string =>
  / · retry: .*\n\n.*(\n[\s\S]*?)?\n\*\*To do:\*\* /.exec(section)?.[1] ?? '';
