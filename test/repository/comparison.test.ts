import { readPage } from '../support/pages';

const { text } = readPage('docs/comparison.md');

describe('the comparison with other ways', () => {
  it('gives the number of lines of each file that it counts', () => {
    const rows = [...text.matchAll(/^\| .*\]\(\.\.\/(\S+\.(?:mjs|graphql))\).*? \| (\d+)/gm)];
    const lines = rows.map(([, file = '']) => [file, readPage(file).text.trimEnd().split('\n').length]);
    expect(rows.map(([, file = '', count]) => [file, Number(count)])).toEqual(lines);
    expect(rows.length).toBe(3);
  });

  it('repeats these numbers in its first table', () => {
    const [, padron, connectors, handWritten] =
      /^\| \[a new endpoint.*?(\d+) lines.*?(\d+) lines.*\*\*(\d+) lines/m.exec(text) ?? [];
    const counted = [...text.matchAll(/^\| .*\]\(\.\.\/\S+\.(?:mjs|graphql)\).*? \| (\d+)/gm)].map(
      ([, count]) => count,
    );
    expect([padron, connectors, handWritten]).toEqual(counted);
  });
});
