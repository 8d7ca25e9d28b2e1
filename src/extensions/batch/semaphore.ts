export class Semaphore {
  private held = 0;
  private readonly waiting: (() => void)[] = [];

  /** `limit` may return another number later. If it falls, nothing starts until enough holders have released. */
  constructor(private readonly limit: () => number) {}

  async acquire(): Promise<void> {
    if (this.held >= this.limit()) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.held += 1;
  }

  release(): void {
    this.held -= 1;
    while (this.held < this.limit() && this.waiting.length > 0) {
      this.held += 1;
      this.waiting.shift()?.();
    }
  }
}
