/** Maximum bytes of arriving files that this process holds in memory. */
const maxHeldBytes = 64_000_000;
/** Memory that a chunk takes besides its bytes, because a slow connection delivers small ones. */
const chunkBytes = 500;

let heldBytes = 0;

/** A file that is held in memory until it has arrived, so that a slow connection does not occupy a reader. */
export class ArrivingFile {
  private readonly source: AsyncIterator<Buffer>;
  private readonly chunks: Buffer[] = [];

  constructor(bytes: AsyncIterable<Buffer>) {
    this.source = bytes[Symbol.asyncIterator]();
  }

  /** Waits until the file has arrived, or until the arriving files of all uploads fill the memory. */
  async receive(): Promise<void> {
    while (heldBytes < maxHeldBytes) {
      const { value, done } = await this.source.next();
      if (done === true) return;
      heldBytes += value.length + chunkBytes;
      this.chunks.push(value);
    }
  }

  /** Yields the whole file. Memory is free again for other files as soon as a chunk is passed on. */
  async *read(): AsyncGenerator<Buffer> {
    // So that `take` returns them in order. Taking them from the beginning would move all others.
    this.chunks.reverse();
    for (let chunk = this.take(); chunk !== undefined; chunk = this.take()) yield chunk;
    yield* { [Symbol.asyncIterator]: () => this.source };
  }

  /** Discards what is still in memory. */
  discard(): void {
    while (this.take() !== undefined);
  }

  private take(): Buffer | undefined {
    const chunk = this.chunks.pop();
    if (chunk !== undefined) heldBytes -= chunk.length + chunkBytes;
    return chunk;
  }
}
