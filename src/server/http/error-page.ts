import { spanishMessages } from '../../registry/answer/spanish-messages';

const style = `body { max-width: 44rem; margin: 2rem auto; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; }
code { font: 0.9em ui-monospace, monospace; overflow-wrap: anywhere; }
th, td { padding: 4px 12px 4px 0; text-align: left; vertical-align: top; }`;

/** Returns an entry of the error reference as a page. In Spanish it begins with the message of the code, if there is one. */
export function renderErrorPage(code: string, entry: string, language: 'en' | 'es'): string {
  const heading = `<h1><code>${code}</code></h1>`;
  const messages: Readonly<Record<string, string>> = spanishMessages;
  const message = messages[code] === undefined ? '' : `<p>${toInline(messages[code])}</p>`;
  const english = `<section lang="en">\n${toHtml(entry.slice(entry.indexOf('\n')))}\n</section>`;
  const body = language === 'es' ? `${message}\n<p>La explicación completa está en inglés:</p>\n${english}` : english;
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${code} – padron</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<main>
${heading}
${body}
</main>
</body>
</html>
`;
}

/** Converts the part of Markdown that the entries use: paragraphs, lists and tables. */
function toHtml(markdown: string): string {
  return markdown
    .trim()
    .split(/\n\n+|\n(?=\*\*)/)
    .map((block) => {
      if (block.startsWith('| ')) return toTable(block);
      const [first = '', ...items] = `\n${block}`.split(/\n- /);
      const list = items.map((item) => `<li>${toInline(item)}</li>\n`).join('');
      return [first.trim() && `<p>${toInline(first.trim())}</p>`, list && `<ul>\n${list}</ul>`]
        .filter(Boolean)
        .join('\n');
    })
    .join('\n');
}

function toTable(block: string): string {
  const rows = block.split('\n').filter((row) => !row.startsWith('|---'));
  const cells = (row: string, tag: string): string =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => `<${tag}>${toInline(cell.trim())}</${tag}>`)
      .join('');
  const [head = '', ...body] = rows;
  return `<table>\n<tr>${cells(head, 'th')}</tr>\n${body.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n')}\n</table>`;
}

/** Links lead to other codes. The other documents are not served, so only the text of their links remains. */
function toInline(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/\[([^\]]+)\]\(#([a-z_]+)\)/g, (_link, label, anchor) => `<a href="${anchor.toUpperCase()}">${label}</a>`)
    .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>');
}
