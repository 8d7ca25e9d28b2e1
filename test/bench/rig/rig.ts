import { setTimeout as sleep } from 'node:timers/promises';
import { floor, type System } from '../systems';
import type { Workload } from '../workloads';
import type { Job, JobResult } from './load';
import { type LoopFigures, type Peer, type Server, startProgram, startServer } from './processes';
import type { Model, Recording } from './recording';
import type { SlowPath } from './slow-path';

/** One measurement of one system. */
export interface Round {
  readonly p50Ms: number;
  readonly cpuUs: number;
  readonly calls: number;
}

/** A system that is up, and how far it has come in each workload's requests. */
export interface Running {
  readonly system: System;
  readonly server: Server;
  readonly offsets: Map<string, number>;
}

interface UpstreamState {
  readonly url: string;
  readonly calls: number;
  readonly unknown: number;
}

/** The upstream, the load generator, and what is measured between them. */
export class Rig {
  private readonly expected = new Map<string, readonly string[]>();

  private constructor(
    private readonly upstream: Peer,
    private readonly load: Peer,
    readonly registryUrl: string,
  ) {}

  static async start(recording: Recording): Promise<Rig> {
    const upstream = startProgram('upstream');
    const { url } = await upstream.ask<UpstreamState>({ answers: [...recording.answers] });
    return new Rig(upstream, startProgram('load'), url);
  }

  /** Sets the latency of the upstream, and of one slow path if it has one. */
  async latency(latencyMs: number, slow?: SlowPath | null): Promise<void> {
    await this.upstream.ask({ latencyMs, ...(slow === undefined ? {} : { slow }) });
  }

  /** Makes the upstream know every person. */
  async inventPeople(model: Model): Promise<void> {
    await this.upstream.ask({ model });
  }

  /** Returns the calls that have reached the upstream. */
  async calls(): Promise<number> {
    return (await this.state()).calls;
  }

  async launch(system: System, flags: readonly string[] = []): Promise<Running> {
    return { system, server: await startServer({ ...system.launch(this.registryUrl), flags }), offsets: new Map() };
  }

  /** Learns the right answers: the floor's, or a generated graph's own, whose shape is another. */
  async learn({ system, server }: Running, workload: Workload): Promise<void> {
    const bodies = system.bodiesOf(workload);
    if (bodies === null) return;
    const job = { url: server.url, bodies, expected: null, count: bodies.length, concurrency: 1, offset: 0 };
    const { learnt, firstWrong } = await this.run(job);
    if (learnt.length !== bodies.length) throw new Error(`${system.name}, ${workload.name}: ${firstWrong}`);
    this.expected.set(this.expectedKey(system, workload), learnt);
  }

  async measure(
    running: Running,
    workload: Workload,
    count: number,
    concurrency = workload.concurrency,
  ): Promise<Round> {
    const before = await running.server.usage();
    const { calls } = await this.state();
    const result = await this.put(running, workload, count, concurrency);
    await rest(running);
    const after = await running.server.usage();
    const state = await this.state();
    return {
      p50Ms: result.p50,
      cpuUs: ((after.cpuMs - before.cpuMs) * 1_000) / count,
      calls: (state.calls - calls) / count,
    };
  }

  /** Puts requests and demands the right answer to each. */
  async put(
    running: Running,
    workload: Workload,
    count: number,
    concurrency = workload.concurrency,
    connectFirst = false,
  ): Promise<JobResult> {
    const { system, server, offsets } = running;
    const bodies = system.bodiesOf(workload);
    const expected = this.expected.get(this.expectedKey(system, workload));
    if (bodies === null || expected === undefined) throw new Error(`${system.name} does not know ${workload.name}`);
    const offset = offsets.get(workload.name) ?? 0;
    offsets.set(workload.name, (offset + count) % bodies.length);
    const job = { url: server.url, bodies, expected, count, concurrency, offset, connectFirst };
    const result = await this.run(job);
    if (result.wrong > 0) {
      throw new Error(
        `${system.name}, ${workload.name}: ${result.wrong} of ${count} wrong, for example ${result.firstWrong}`,
      );
    }
    return result;
  }

  /** Until a server is as it will be measured. */
  async warmUp(running: Running, workload: Workload, count: number): Promise<void> {
    await this.put(running, workload, count);
    await rest(running);
  }

  async watched(running: Running, workload: Workload, count: number): Promise<LoopFigures> {
    await running.server.watch();
    await this.put(running, workload, count);
    return running.server.endWatch();
  }

  async end(): Promise<void> {
    await Promise.all([this.upstream.end(), this.load.end()]);
  }

  private run(job: Job): Promise<JobResult> {
    return this.load.ask<JobResult>(job);
  }

  private async state(): Promise<UpstreamState> {
    const state = await this.upstream.ask<UpstreamState>({});
    if (state.unknown > 0) throw new Error(`the upstream was asked ${state.unknown} times for what was never recorded`);
    return state;
  }

  private expectedKey(system: System, { name }: Workload): string {
    const own = system.generated ? system.name : floor.name;
    return `${own} ${name}`;
  }
}

async function rest({ system: { restMs } }: Running): Promise<void> {
  if (restMs > 0) await sleep(restMs);
}
