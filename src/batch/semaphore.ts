export class Semaphore {
  private held = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly limit: number) {}

  async acquire(): Promise<void> {
    if (this.held >= this.limit) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.held += 1;
  }

  release(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.held -= 1;
    else next();
  }
}
