import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from './dockerfile';

/** A rule in deploy/prometheus/alerts.yaml. */
export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
}

/** A panel in deploy/grafana/padron.json. */
export interface Panel {
  readonly id: number;
  readonly title: string;
  readonly type: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string }[];
}

const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

export const alertRules = (
  parse(textOf('deploy/prometheus/alerts.yaml')) as { groups: { rules: AlertRule[] }[] }
).groups.flatMap(({ rules }) => rules);

export const { panels, templating } = JSON.parse(textOf('deploy/grafana/padron.json')) as {
  readonly panels: readonly Panel[];
  readonly templating: {
    readonly list: readonly { readonly name: string; readonly query: string | { query: string } }[];
  };
};

/** Expressions of the dashboard, with values for Grafana's variables. */
export const dashboardExpressions = panels
  .flatMap(({ targets = [] }) => targets)
  .map(({ expr }) =>
    expr.replaceAll('$__rate_interval', '5m').replaceAll('$job', 'padron').replaceAll('$instance', '.*'),
  );

/** Returns the names of the metrics in an expression, without the suffixes of a histogram. */
export function metricNamesOf(expression: string): readonly string[] {
  const withoutLabels = expression.replaceAll(/\{[^}]*\}|\((?:\w+, )*\w+\)(?= \()/g, '');
  const names = withoutLabels.match(/\b(?:padron|process|nodejs)_\w+/g) ?? [];
  return names.map((name) => name.replace(/_(?:bucket|count|sum)$/, ''));
}
