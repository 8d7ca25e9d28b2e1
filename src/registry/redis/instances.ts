import type { Reply } from './connection/redis-client';

export interface InstancesOptions {
  readonly instance: string;
  /** Sends a beat, and gives what the store knows of the instances; null where it is away. */
  readonly beat: () => Promise<Reply | null>;
  /** How many connections listen on an instance's channel; null where that cannot be known. */
  readonly countListeners: (instance: string) => Promise<number | null>;
  /** Which instance this is of how many. */
  readonly onShare: (rank: number, count: number) => void;
}

const beatMs = 1_000;
/** Silent for so long, an instance counts as dead; sooner where its connection is closed too. */
const leaseMs = 5_000;
const silenceMs = 2_000;
/** After an absence of the store everybody is silent: nobody is dead before each had time to be heard again. */
const graceMs = 3_000;

/** Who else is alive, by the store's clock. */
export class Instances {
  private timer: NodeJS.Timeout | null = null;
  private lastHeard = new Map<string, number>();
  private serverTime = 0;
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
    return this.refresh();
  }

  /** Beats, and looks at who does. */
  async refresh(): Promise<void> {
    // Who has left must not be heard again.
    if (this.isStopped) return;
    const reply = await this.options.beat();
    if (!Array.isArray(reply)) return;
    const [time, members] = reply as [number, readonly Buffer[]];
    this.serverTime = Number(time);
    const heard = new Map<string, number>();
    for (let index = 0; index + 1 < members.length; index += 2) {
      const name = String(members[index]);
      heard.set(name, Math.max(heard.get(name) ?? 0, Number(String(members[index + 1]))));
    }
    this.lastHeard = heard;
    this.announceShare();
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
    this.share = `${rank}/${live.length}`;
    this.options.onShare(rank, live.length);
  }
}
