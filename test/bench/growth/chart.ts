/** A curve in a diagram. Its points are drawn on logarithmic axes. */
export interface Panel {
  /** What the vertical axis measures, with its unit. */
  readonly title: string;
  readonly lines: readonly { readonly name: string; readonly points: readonly (readonly [x: number, y: number])[] }[];
}

export interface Chart {
  readonly title: string;
  /** What the horizontal axis counts. */
  readonly unit: string;
  readonly panels: readonly Panel[];
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

/** Draws a diagram of panels side by side as SVG. */
export function drawChart({ title, unit, panels }: Chart): string {
  const size = { width: panels.length * width + 10, height: top + height - 20 };
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" viewBox="0 0 ${size.width} ${size.height}" role="img" aria-label="${title}">
<style>${style}
</style>
<rect width="100%" height="100%"/>
<text class="title" x="14" y="26">${title}</text>
${panels.map((panel, index) => drawPanel(panel, unit, index * width + left)).join('\n')}
</svg>
`;
}

function drawPanel({ title, lines }: Panel, unit: string, x0: number): string {
  const points = lines.flatMap((line) => line.points);
  const xs = [...new Set(points.map(([x]) => x))].sort((one, other) => one - other);
  const ys = ticks(points.map(([, y]) => y));
  const toX = scale([xs[0] ?? 1, xs.at(-1) ?? 1], x0 + 12, x0 + plot.width - 12);
  const toY = scale([ys[0] ?? 1, ys.at(-1) ?? 1], top + plot.height, top);
  const text = (x: number, y: number, words: string, anchor = 'middle'): string =>
    `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${words}</text>`;
  const legend = lines.length < 2 ? [] : lines.map(({ points: own, name }) => ({ name, last: own.at(-1) ?? [1, 1] }));
  return [
    text(x0 - 44, top - 16, title, 'start'),
    ...ys.flatMap((y) => [
      `<path class="grid" d="M${x0} ${round(toY(y))}h${plot.width}"/>`,
      text(x0 - 6, toY(y) + 4, short(y), 'end'),
    ]),
    ...xs.map((x) => text(toX(x), top + plot.height + 18, short(x))),
    text(x0 + plot.width / 2, top + plot.height + 38, unit),
    ...lines.map(({ points: own }, index) => {
      const path = own.map(([x, y]) => `${round(toX(x))} ${round(toY(y))}`).join('L');
      const dots = own.map(
        ([x, y]) => `<circle class="s${index}" cx="${round(toX(x))}" cy="${round(toY(y))}" r="3.5"/>`,
      );
      return `<path class="line s${index}" d="M${path}"/>${dots.join('')}`;
    }),
    ...legend.map(({ name, last: [x, y] }) => text(toX(x) + 8, toY(y) - 9, name, 'end')),
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
const short = (value: number): string => Number(value.toPrecision(3)).toLocaleString('en-US');
