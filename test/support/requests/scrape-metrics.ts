import { request } from 'undici';

export interface ScrapedMetrics {
  readonly text: string;
  readonly contentType: string;
  /** The value of a series by its name and some of its labels, all that match added up; 0 where there is none. */
  of(name: string, labels?: Readonly<Record<string, string>>): number;
}

export async function scrapeMetrics(padron: { readonly url: string }): Promise<ScrapedMetrics> {
  const { headers, body } = await request(new URL('/metrics', padron.url));
  const text = await body.text();
  const series = text.split('\n').flatMap(parseSeries);
  return {
    text,
    contentType: String(headers['content-type']),
    of: (name, labels = {}) =>
      series
        .filter(
          (entry) => entry.name === name && Object.entries(labels).every(([key, value]) => entry.labels[key] === value),
        )
        .reduce((sum, { value }) => sum + value, 0),
  };
}

/** Waits until a metric has a value; fails with the value that it has instead. */
export async function waitForMetric(padron: { readonly url: string }, name: string, value: number): Promise<void> {
  for (let attempt = 0; attempt < 2_000; attempt += 1) {
    if ((await scrapeMetrics(padron)).of(name) === value) return;
    await new Promise((resolve) => setTimeout(resolve, 8));
  }
  expect({ name, value: (await scrapeMetrics(padron)).of(name) }).toEqual({ name, value });
}

function parseSeries(line: string) {
  const [, name, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
  if (name === undefined) return [];
  const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(
    ([, key = '', text = '']) => [key, text] as const,
  );
  return [{ name, labels: Object.fromEntries(pairs) as Readonly<Record<string, string>>, value: Number(value) }];
}
