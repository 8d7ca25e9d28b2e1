/** A call as the store knows it. */
export interface RegisteredCall {
  readonly id: string;
  readonly names: readonly string[];
  readonly price: number;
}

/** The open calls of this process. The store may forget them: a crash of the server empties the table of calls. */
export class RunningCalls {
  private readonly calls = new Set<RegisteredCall>();

  add(call: RegisteredCall): () => void {
    // A set keeps what it referred to for a while, so it only gets what is registered.
    const { id, names, price } = call;
    const registered = { id, names, price };
    this.calls.add(registered);
    return () => void this.calls.delete(registered);
  }

  all(): readonly RegisteredCall[] {
    return [...this.calls];
  }
}
