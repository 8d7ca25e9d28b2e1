/** Bounds how many holders run at the same time. The others wait in the order in which they came. */
export class Semaphore {
  private held = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly limit: number) {}

  /** Resolves when the caller may run. The caller must `release`. */
  async acquire(): Promise<void> {
    if (this.held >= this.limit) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.held += 1;
  }

  /** Hands the place on to the first that waits. */
  release(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.held -= 1;
    else next();
  }
}
