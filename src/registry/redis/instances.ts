import type { Reply } from './connection/redis-client';

export interface InstancesOptions {
  readonly instance: string;
  /** Sends a heartbeat. Returns the known instances, or null if the store is unavailable. */
  readonly beat: () => Promise<Reply | null>;
  /** Returns the number of listeners of an instance's channel. Null if it is unknown. */
  readonly countListeners: (instance: string) => Promise<number | null>;
  /** Called with the rank of this instance and the number of running instances. */
  readonly onShare: (rank: number, count: number) => void;
  /** Called if the store lost its data without an outage that was noticed. */
  readonly onForgotten: () => void;
}

const beatMs = 1_000;
/** An instance without a heartbeat for so long is dead. With a closed connection it is dead after `silenceMs`. */
const leaseMs = 5_000;
const silenceMs = 2_000;
/** Milliseconds after an outage of the store in which no instance is declared dead, because all heartbeats are old. */
const graceMs = 3_000;

/** The running instances, by the store's clock. */
export class Instances {
  private timer: NodeJS.Timeout | null = null;
  private lastHeartbeats = new Map<string, number>();
  private serverTime = 0;
  private syncedAt = 0;
  private refreshing: Promise<void> | null = null;
  private liveCount = 0;
  private mayShrinkAt = 0;
  private upSince = performance.now();
  private share = '';
  private isStopped = false;

  constructor(private readonly options: InstancesOptions) {}

  start(): void {
    this.timer = setInterval(() => void this.refresh(), beatMs);
    this.timer.unref();
  }

  stop(): void {
    this.isStopped = true;
    if (this.timer !== null) clearInterval(this.timer);
  }

  /** Restarts after an outage of the store, in which no instance could send a heartbeat. */
  restart(): Promise<void> {
    this.upSince = performance.now();
    this.waitForOthers();
    return this.refresh();
  }

  private waitForOthers(): void {
    if (this.liveCount > 0) this.mayShrinkAt = performance.now() + graceMs;
  }

  /** Returns the server's time now, as far as this process knows it. Null before the first heartbeat. */
  now(): number | null {
    return this.serverTime === 0 ? null : this.serverTime + (performance.now() - this.syncedAt);
  }

  /** Sends a heartbeat and reads those of the others. Concurrent callers share one. */
  refresh(): Promise<void> {
    this.refreshing ??= this.beat().finally(() => {
      this.refreshing = null;
    });
    return this.refreshing;
  }

  private async beat(): Promise<void> {
    // A heartbeat after `leave` would list the instance again.
    if (this.isStopped) return;
    const reply = await this.options.beat();
    if (!Array.isArray(reply)) return;
    const [time, members, isNew] = reply as [number, readonly Buffer[], number];
    const isForgotten = isNew === 1 && this.serverTime !== 0;
    if (isForgotten) this.waitForOthers();
    this.serverTime = Number(time);
    this.syncedAt = performance.now();
    const heartbeats = new Map<string, number>();
    for (let index = 0; index + 1 < members.length; index += 2) {
      const name = String(members[index]);
      heartbeats.set(name, Math.max(heartbeats.get(name) ?? 0, Number(String(members[index + 1]))));
    }
    this.lastHeartbeats = heartbeats;
    this.announceShare();
    if (isForgotten) this.options.onForgotten();
  }

  /** Whether an instance has died, as far as the store knows. */
  async isDead(instance: string): Promise<boolean> {
    if (instance === this.options.instance || performance.now() - this.upSince < graceMs) return false;
    if (this.silenceOf(instance) < silenceMs) return false;
    await this.refresh();
    const silence = this.silenceOf(instance);
    if (silence < silenceMs) return false;
    return silence >= leaseMs || (await this.options.countListeners(instance)) === 0;
  }

  private silenceOf(instance: string): number {
    const last = this.lastHeartbeats.get(instance);
    return last === undefined ? Number.POSITIVE_INFINITY : this.serverTime - last;
  }

  private announceShare(): void {
    const live = [...this.lastHeartbeats.keys()].filter((instance) => this.silenceOf(instance) < leaseMs).sort();
    const rank = live.indexOf(this.options.instance);
    if (rank < 0 || this.share === `${rank}/${live.length}`) return;
    // After an outage the first instance would otherwise take the share of those that have not sent a heartbeat yet.
    if (live.length < this.liveCount && performance.now() < this.mayShrinkAt) return;
    this.liveCount = live.length;
    this.share = `${rank}/${live.length}`;
    this.options.onShare(rank, live.length);
  }
}
