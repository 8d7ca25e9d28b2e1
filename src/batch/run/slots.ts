/** So many at once; the others wait in the order in which they came. */
export class Slots {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly limit: number) {}

  async use<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.running >= this.limit) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.running += 1;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      // The place is handed on, not given up.
      if (next === undefined) this.running -= 1;
      else next();
    }
  }
}
