import type { Reply } from './connection/redis-client';

export interface InstancesOptions {
  readonly instance: string;
  /** Sends a heartbeat. Returns the known instances, or null if the store is unavailable. */
  readonly beat: () => Promise<Reply | null>;
  /** Returns the number of listeners of an instance's channel. Null if it is unknown. */
  readonly countListeners: (instance: string) => Promise<number | null>;
  /** Which instance this is of how many. */
  readonly onShare: (rank: number, count: number) => void;
  /** Called if the store lost its data without an outage that was noticed. */
  readonly onForgotten: () => void;
}

const beatMs = 1_000;
/** Silent for so long, an instance counts as dead; sooner where its connection is closed too. */
const leaseMs = 5_000;
const silenceMs = 2_000;
/** Milliseconds after an outage of the store in which no instance is declared dead, because all heartbeats are old. */
const graceMs = 3_000;

/** The running instances, by the store's clock. */
export class Instances {
  private timer: NodeJS.Timeout | null = null;
  private lastHeard = new Map<string, number>();
  private serverTime = 0;
  private heardAt = 0;
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

  /** The store is back: what it says of silence is not to be believed at once. */
  restart(): Promise<void> {
    this.upSince = performance.now();
    this.waitForOthers();
    return this.refresh();
  }

  private waitForOthers(): void {
    if (this.liveCount > 0) this.mayShrinkAt = performance.now() + graceMs;
  }

  /** The server's time now, as far as this process can know it; null before it has been heard. */
  now(): number | null {
    return this.serverTime === 0 ? null : this.serverTime + (performance.now() - this.heardAt);
  }

  /** Beats, and looks at who does; once for all who want to know at the same time. */
  refresh(): Promise<void> {
    this.refreshing ??= this.beat().finally(() => {
      this.refreshing = null;
    });
    return this.refreshing;
  }

  private async beat(): Promise<void> {
    // Who has left must not be heard again.
    if (this.isStopped) return;
    const reply = await this.options.beat();
    if (!Array.isArray(reply)) return;
    const [time, members, isNew] = reply as [number, readonly Buffer[], number];
    const isForgotten = isNew === 1 && this.serverTime !== 0;
    if (isForgotten) this.waitForOthers();
    this.serverTime = Number(time);
    this.heardAt = performance.now();
    const heard = new Map<string, number>();
    for (let index = 0; index + 1 < members.length; index += 2) {
      const name = String(members[index]);
      heard.set(name, Math.max(heard.get(name) ?? 0, Number(String(members[index + 1]))));
    }
    this.lastHeard = heard;
    this.announceShare();
    if (isForgotten) this.options.onForgotten();
  }

  /** Whether an instance will never answer any more, as far as can be known. */
  async isDead(instance: string): Promise<boolean> {
    if (instance === this.options.instance || performance.now() - this.upSince < graceMs) return false;
    if (this.silenceOf(instance) < silenceMs) return false;
    await this.refresh();
    const silence = this.silenceOf(instance);
    if (silence < silenceMs) return false;
    return silence >= leaseMs || (await this.options.countListeners(instance)) === 0;
  }

  private silenceOf(instance: string): number {
    const heard = this.lastHeard.get(instance);
    return heard === undefined ? Number.POSITIVE_INFINITY : this.serverTime - heard;
  }

  private announceShare(): void {
    const live = [...this.lastHeard.keys()].filter((instance) => this.silenceOf(instance) < leaseMs).sort();
    const rank = live.indexOf(this.options.instance);
    if (rank < 0 || this.share === `${rank}/${live.length}`) return;
    // The first to be back would take the part of those who are not heard yet.
    if (live.length < this.liveCount && performance.now() < this.mayShrinkAt) return;
    this.liveCount = live.length;
    this.share = `${rank}/${live.length}`;
    this.options.onShare(rank, live.length);
  }
}
