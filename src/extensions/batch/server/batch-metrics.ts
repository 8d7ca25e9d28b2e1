import { Counter, Gauge, type Registry } from 'prom-client';

interface ActiveBatch {
  readonly state: string;
  readonly reason: string | null;
}

export interface BatchFigures {
  recordRow(state: string): void;
  recordUnits(endpoint: string, units: number, uncertain: number): void;
  setBatches(batches: readonly ActiveBatch[]): void;
}

/** Registers the metrics of batches. Labels are states, codes and endpoints, and never identify a batch. */
export function registerBatchMetrics(registry: Registry): BatchFigures {
  const registers = [registry];
  const rows = new Counter({
    name: 'padron_batch_rows_total',
    help: 'Rows of batches that ended in this process, by outcome',
    labelNames: ['outcome'],
    registers,
  });
  const spent = new Counter({
    name: 'padron_batch_units_spent_total',
    help: 'Units that batches have spent in this process',
    labelNames: ['endpoint'],
    registers,
  });
  const uncertain = new Counter({
    name: 'padron_batch_units_uncertain_total',
    help: 'Price of calls of batches that may have been charged',
    labelNames: ['endpoint'],
    registers,
  });
  const gauge = new Gauge({
    name: 'padron_batches',
    help: 'Batches of the store that are pricing, running or paused, the paused ones by reason. All processes report the same batches: take the maximum',
    labelNames: ['state', 'reason'],
    registers,
  });
  return {
    recordRow: (state) => rows.inc({ outcome: state.toLowerCase() }),
    recordUnits: (endpoint, units, uncertainUnits) => {
      if (units > 0) spent.inc({ endpoint }, units);
      if (uncertainUnits > 0) uncertain.inc({ endpoint }, uncertainUnits);
    },
    setBatches: (batches) => {
      gauge.reset();
      for (const [labels, count] of countByState(batches)) gauge.set(labels, count);
    },
  };
}

type Labels = { readonly state: string; readonly reason: string };

/** Returns the number of batches by state and reason. States without batches have 0, because an alert on a missing metric would never end. */
function countByState(batches: readonly ActiveBatch[]): readonly (readonly [Labels, number])[] {
  const counts = new Map<string, number>([
    ['PRICING ', 0],
    ['RUNNING ', 0],
    ['PAUSED ', 0],
  ]);
  for (const { state, reason } of batches) {
    const key = `${state} ${reason ?? ''}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].map(([key, count]) => {
    const [state = '', reason = ''] = key.split(' ');
    return [{ state, reason: state === 'PAUSED' ? reason || 'caller' : '' }, count];
  });
}
