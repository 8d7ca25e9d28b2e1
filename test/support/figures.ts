import { request } from 'undici';

/** What `/metrics` tells. */
export interface Figures {
  readonly text: string;
  readonly contentType: string;
  /** The value of a series by its name and some of its labels, all that match added up; 0 where there is none. */
  of(name: string, labels?: Readonly<Record<string, string>>): number;
}

/** Reads the figures of a padron, as Prometheus does. */
export async function figuresOf(padron: { readonly url: string }): Promise<Figures> {
  const { headers, body } = await request(new URL('/metrics', padron.url));
  const text = await body.text();
  const series = text.split('\n').flatMap(seriesIn);
  return {
    text,
    contentType: String(headers['content-type']),
    of: (name, labels = {}) =>
      series
        .filter((one) => one.name === name && Object.entries(labels).every(([key, value]) => one.labels[key] === value))
        .reduce((sum, { value }) => sum + value, 0),
  };
}

/** Waits until a figure is what the test waits for; fails with what it is instead. */
export async function figureBecomes(padron: { readonly url: string }, name: string, value: number): Promise<void> {
  for (let look = 0; look < 500; look += 1) {
    if ((await figuresOf(padron)).of(name) === value) return;
    await new Promise((resolve) => setTimeout(resolve, 4));
  }
  expect({ name, value: (await figuresOf(padron)).of(name) }).toEqual({ name, value });
}

function seriesIn(line: string) {
  const [, name, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
  if (name === undefined) return [];
  const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(
    ([, key = '', text = '']) => [key, text] as const,
  );
  return [{ name, labels: Object.fromEntries(pairs) as Readonly<Record<string, string>>, value: Number(value) }];
}
