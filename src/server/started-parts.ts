/** The parts of a process that must be stopped. They stop in the reverse order of their start, so that no part outlives its dependencies. */
export class StartedParts {
  private readonly steps: (() => Promise<unknown>)[] = [];

  /** Adds a part, with how it is stopped, and returns it. A part that is null was not started. */
  add<Part>(part: Part, stop: (part: NonNullable<Part>) => Promise<unknown>): Part {
    if (part !== null && part !== undefined) this.steps.push(() => stop(part));
    return part;
  }

  /** Stops one part after another. A second call stops nothing. */
  async stop(): Promise<void> {
    for (const stop of this.steps.splice(0).reverse()) await stop();
  }
}
