/** Measurements of growing sizes, in numbers of one unit. */
export interface Figure {
  readonly name: string;
  readonly unit?: string;
  /** The panel of the picture that has its line, or null if only the table has it. */
  readonly panel: string | null;
  /** One for each size. */
  readonly values: readonly number[];
}

/** A table of growing sizes, and its picture. */
export interface Growth {
  readonly title: string;
  /** Unit of the sizes, such as people. */
  readonly counted: string;
  readonly sizes: readonly number[];
  readonly figures: readonly Figure[];
}

const [width, height, left, top] = [300, 230, 58, 74];
const plot = { width: 220, height: 150 };
/** The background is drawn too, so that the picture is readable on a page of the other color scheme. */
const style = `
  rect { fill: #ffffff } text { font: 12px system-ui, sans-serif; fill: #1f2328 } .title { font-size: 15px; font-weight: 600 }
  .grid { stroke: #d1d9e0 } .line { fill: none; stroke-width: 2 } .s0 { stroke: #0969da } .s1 { stroke: #bc4c00 } circle { fill: #ffffff; stroke-width: 2 }
  @media (prefers-color-scheme: dark) {
    rect, circle { fill: #0d1117 } text { fill: #f0f6fc } .grid { stroke: #3d444d } .s0 { stroke: #4493f8 } .s1 { stroke: #db8d4d }
  }`;

/** Draws panels side by side as SVG, with logarithmic axes. */
export function drawChart({ title, counted, sizes, figures }: Growth): string {
  const panels = [...new Set(figures.flatMap(({ panel }) => panel ?? []))];
  const [w, h] = [panels.length * width + 10, top + height - 20];
  const drawn = panels.map((panel, index) => {
    const lines = figures.filter((figure) => figure.panel === panel);
    const unit = lines[0]?.unit;
    const heading = unit === undefined ? panel : `${panel} (${unit})`;
    return drawPanel(heading, counted, sizes, lines, index * width + left);
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}" role="img" aria-label="${title}">
<style>${style}
</style>
<rect width="100%" height="100%"/>
<text class="title" x="14" y="26">${title}</text>
${drawn.join('\n')}
</svg>
`;
}

function drawPanel(heading: string, counted: string, xs: readonly number[], lines: readonly Figure[], x0: number) {
  const ys = ticks(lines.flatMap(({ values }) => values));
  const toX = scale([xs[0] ?? 1, xs.at(-1) ?? 1], x0 + 12, x0 + plot.width - 12);
  const toY = scale([ys[0] ?? 1, ys.at(-1) ?? 1], top + plot.height, top);
  const text = (x: number, y: number, words: string, anchor = 'middle'): string =>
    `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${words}</text>`;
  return [
    text(x0 - 44, top - 16, heading, 'start'),
    ...ys.flatMap((y) => [
      `<path class="grid" d="M${x0} ${round(toY(y))}h${plot.width}"/>`,
      text(x0 - 6, toY(y) + 4, short(y), 'end'),
    ]),
    ...xs.map((x) => text(toX(x), top + plot.height + 18, short(x))),
    text(x0 + plot.width / 2, top + plot.height + 38, counted),
    ...lines.flatMap(({ name, values }, index) => {
      const points = values.map((y, size) => [round(toX(xs[size] ?? 1)), round(toY(y))] as const);
      const dots = points.map(([x, y]) => `<circle class="s${index}" cx="${x}" cy="${y}" r="3.5"/>`);
      const path = `<path class="line s${index}" d="M${points.map((point) => point.join(' ')).join('L')}"/>`;
      const label = text(x0 + plot.width - 4, toY(values.at(-1) ?? 1) - 9, name, 'end');
      return [path, ...dots, ...(lines.length > 1 ? [label] : [])];
    }),
  ].join('\n');
}

/** Returns 1, 2 and 5 times the powers of ten that enclose the values, or only the powers if there are many. */
function ticks(values: readonly number[]): readonly number[] {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const steps = most / least > 50 ? [1] : [1, 2, 5];
  const first = Math.floor(Math.log10(least));
  const all = Array.from({ length: 9 }, (_, index) => steps.map((step) => step * 10 ** (first + index))).flat();
  const from = all.findLastIndex((tick) => tick <= least);
  const to = all.findIndex((tick) => tick >= most);
  return all.slice(from, Math.max(to, from + 1) + 1);
}

/** Returns a logarithmic scale from a range of values to a range of pixels. */
function scale([least, most]: readonly [number, number], from: number, to: number): (value: number) => number {
  const span = Math.log(most / least) || 1;
  return (value) => from + ((to - from) * Math.log(value / least)) / span;
}

const round = (value: number): string => value.toFixed(1);
/** Three digits, with commas between thousands. */
export const short = (value: number): string => Number(value.toPrecision(3)).toLocaleString('en-US');
