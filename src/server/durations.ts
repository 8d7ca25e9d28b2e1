import type { Histogram, Registry } from 'prom-client';

type Figures = Pick<Awaited<ReturnType<Histogram['get']>>, 'name' | 'help' | 'values'>;

/** Seconds; registries of this kind take up to half a minute. */
const bounds = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30];

interface Durations {
  /** How many fell between one bound and the next; the last place holds those beyond all bounds. */
  readonly counts: number[];
  sum: number;
}

/** A histogram by one label. In the place of prom-client's, which checks and hashes the labels of each observation. */
export class DurationHistogram {
  readonly type = 'histogram';
  private readonly byValue = new Map<string, Durations>();

  constructor(
    readonly name: string,
    readonly help: string,
    private readonly label: string,
    registry: Registry,
  ) {
    // Its types name its own classes only, but what it asks of a metric is `name` and `get`.
    registry.registerMetric(this as unknown as Histogram);
  }

  observe(value: string, seconds: number): void {
    const durations = this.byValue.get(value) ?? this.begin(value);
    let place = 0;
    while (place < bounds.length && seconds > (bounds[place] ?? 0)) place += 1;
    durations.counts[place] = (durations.counts[place] ?? 0) + 1;
    durations.sum += seconds;
  }

  /** Asked by prom-client when the figures are read. */
  async get(): Promise<Figures & { readonly type: string }> {
    const { name, help, type, label } = this;
    const values = [...this.byValue].flatMap(([value, { counts, sum }]) => {
      const labels = { [label]: value };
      let count = 0;
      const buckets = counts.map((more, place) => {
        count += more;
        return { metricName: `${name}_bucket`, labels: { le: bounds[place] ?? '+Inf', ...labels }, value: count };
      });
      return [
        ...buckets,
        { metricName: `${name}_sum`, labels, value: sum },
        { metricName: `${name}_count`, labels, value: count },
      ];
    });
    return { name, help, type, values };
  }

  private begin(value: string): Durations {
    const durations = { counts: [...bounds.map(() => 0), 0], sum: 0 };
    this.byValue.set(value, durations);
    return durations;
  }
}
