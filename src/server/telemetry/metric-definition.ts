import type { Registry } from 'prom-client';

/** Definition of a metric, without its values. */
export interface MetricDefinition {
  readonly name: string;
  /** `counter`, `gauge` or `histogram`. */
  readonly type: string;
  readonly labels: readonly string[];
  readonly help: string;
}

/** Returns the definitions of all metrics of a registry, in the order of their registration. */
export function definitionsOf(registry: Registry): readonly MetricDefinition[] {
  return registry.getMetricsAsArray().map((metric) => {
    // prom-client keeps the labels, but its types do not have them.
    const { labelNames } = metric as typeof metric & { readonly labelNames: readonly string[] };
    return { name: metric.name, type: String(metric.type), labels: labelNames, help: metric.help };
  });
}
