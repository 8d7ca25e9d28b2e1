import type { Reply } from './connection/redis-client';

export interface InstancesOptions {
  readonly instance: string;
  readonly beat: () => Promise<Reply | null>;
  /** Returns the number of subscribers to an instance's channel. Null if it is unknown. */
  readonly countListeners: (instance: string) => Promise<number | null>;
  readonly onShare: (rank: number, count: number) => void;
  /** Called if the store lost its data although this instance noticed no outage. */
  readonly onDataLost: () => void;
}

const beatMs = 1_000;
/** Milliseconds without a heartbeat after which an instance is dead. */
const leaseMs = 5_000;
/** The same for an instance that does not listen to its channel either. */
const silenceMs = 2_000;
/** Milliseconds after an outage of the store in which no instance is declared dead, because all heartbeats are old. */
const graceMs = 3_000;

export class Instances {
  private timer: NodeJS.Timeout | null = null;
  private lastHeartbeats = new Map<string, number>();
  private serverTime = 0;
  private syncedAt = 0;
  private refreshing: Promise<void> | null = null;
  private liveCount = 0;
  /** Time before which `liveCount` is not lowered. */
  private keepsCountUntil = 0;
  private upSince = performance.now();
  private announcedShare = '';
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

  restart(): Promise<void> {
    this.upSince = performance.now();
    this.keepCount();
    return this.refresh();
  }

  private keepCount(): void {
    if (this.liveCount > 0) this.keepsCountUntil = performance.now() + graceMs;
  }

  /** Returns the time of the store's clock, computed from the last heartbeat. Null before the first heartbeat. */
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
    // A heartbeat after `padronLeave` would list the instance again.
    if (this.isStopped) return;
    const reply = await this.options.beat();
    if (!Array.isArray(reply)) return;
    const [time, members, isNew] = reply as [number, readonly Buffer[], number];
    const isDataLost = isNew === 1 && this.serverTime !== 0;
    if (isDataLost) this.keepCount();
    this.serverTime = Number(time);
    this.syncedAt = performance.now();
    const heartbeats = new Map<string, number>();
    for (let index = 0; index + 1 < members.length; index += 2) {
      const name = String(members[index]);
      heartbeats.set(name, Math.max(heartbeats.get(name) ?? 0, Number(String(members[index + 1]))));
    }
    this.lastHeartbeats = heartbeats;
    this.announceShare();
    if (isDataLost) this.options.onDataLost();
  }

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
    if (rank < 0 || this.announcedShare === `${rank}/${live.length}`) return;
    // After an outage, the first instance to send a heartbeat would otherwise take the shares of all others.
    if (live.length < this.liveCount && performance.now() < this.keepsCountUntil) return;
    this.liveCount = live.length;
    this.announcedShare = `${rank}/${live.length}`;
    this.options.onShare(rank, live.length);
  }
}
