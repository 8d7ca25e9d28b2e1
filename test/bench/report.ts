/** A table of the report. Its first column names the rows. */
export interface Table {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Machine and versions of the figures. */
export interface Circumstances {
  readonly takenAt: string;
  readonly node: string;
  readonly processors: string;
  readonly minutes: number;
  readonly missing: readonly string[];
}

/** Returns the results as Markdown. */
export function report(
  { takenAt, node, processors, minutes, missing }: Circumstances,
  tables: readonly Table[],
): string {
  const parts = [
    `Taken ${takenAt} on Node ${node}, ${processors}, in ${minutes.toFixed(1)} minutes.`,
    ...missing.map((name) => `\nNot measured: ${name}.`),
    ...tables.filter(({ rows }) => rows.length > 0).map(markdown),
  ];
  return `${parts.join('\n')}\n`;
}

function markdown(table: Table): string {
  return `\n### ${table.title}\n\n${markdownRows(table)}`;
}

export function markdownRows({ head, rows }: Table): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rule = head.map((_, index) => (index === 0 ? '---' : '---:'));
  return [line(head), `|${rule.join('|')}|`, ...rows.map(line)].join('\n');
}

const shown = (value: number | undefined, text: (value: number) => string): string =>
  value === undefined || Number.isNaN(value) ? '–' : text(value);
export const whole = (value: number | undefined): string => shown(value, (number) => String(Math.round(number)));
/** With commas between thousands. */
export const grouped = (value: number): string => Math.round(value).toLocaleString('en-US');
export const ratio = (value: number | undefined): string => shown(value, (number) => number.toFixed(2));
export const tidy = (value: number | undefined): string =>
  shown(value, (number) => String(Math.round(number * 100) / 100));
export const milliseconds = (value: number | undefined): string =>
  shown(value, (number) => `${number < 100 ? number.toFixed(1) : Math.round(number)} ms`);
export const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;
