import { Counter, Gauge, type Registry } from 'prom-client';

/** Result of a claim in the store that instances share. */
export type ClaimResult = 'owned' | 'shared' | 'takeover' | 'alone';

/** Updates the metrics of the store that instances share. */
export interface ReplayFigures {
  setUp(isUp: boolean): void;
  setInstances(count: number): void;
  recordClaim(result: ClaimResult): void;
}

/** Metrics of shared answers. They are only registered with REPLAY_URL, because metrics that never change would mislead operators. */
export class ReplayMetrics {
  constructor(private readonly registry: Registry) {}

  register(): ReplayFigures {
    const registers = [this.registry];
    const up = new Gauge({
      name: 'padron_replay_store_up',
      help: '1 while the Redis of REPLAY_URL is available. With 0, this instance shares no answers',
      registers,
    });
    const instances = new Gauge({
      name: 'padron_replay_instances',
      help: 'Running instances that share answers and REGISTRY_CONCURRENCY',
      registers,
    });
    const claims = new Counter({
      name: 'padron_replay_claims_total',
      help: 'Questions by the result of their claim in Redis',
      labelNames: ['result'],
      registers,
    });
    return {
      setUp: (isUp) => up.set(isUp ? 1 : 0),
      setInstances: (count) => instances.set(count),
      recordClaim: (result) => claims.inc({ result }),
    };
  }
}
