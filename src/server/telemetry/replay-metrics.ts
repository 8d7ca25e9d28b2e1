import { Counter, Gauge, type Registry } from 'prom-client';

export type ClaimResult = 'owned' | 'shared' | 'takeover' | 'alone';

/** Figures of the store that instances share answers through. */
export interface ReplayFigures {
  setUp(isUp: boolean): void;
  setInstances(count: number): void;
  recordClaim(result: ClaimResult): void;
}

/**
 * Metrics of shared answers. They are only registered with REPLAY_URL: metrics that never change would mislead
 * operators.
 */
export class ReplayMetrics {
  constructor(private readonly registry: Registry) {}

  register(): ReplayFigures {
    const registers = [this.registry];
    const up = new Gauge({
      name: 'padron_replay_store_up',
      help: 'Whether the store of REPLAY_URL answers: 0 while each instance goes on alone',
      registers,
    });
    const instances = new Gauge({
      name: 'padron_replay_instances',
      help: 'Instances alive that share answers and the calls at once of REGISTRY_CONCURRENCY',
      registers,
    });
    const claims = new Counter({
      name: 'padron_replay_claims_total',
      help: 'Questions by what the store said: owned (asked here), shared (answered elsewhere), takeover (asked in the place of an instance that died), alone (the store was away)',
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
