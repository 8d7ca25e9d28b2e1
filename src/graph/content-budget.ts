/** What the files of one response may hold together: Apollo Server and its clients keep a response in memory whole. */
const maxBytesOfResponse = 16_000_000;

/** Bytes of file content that a response may still hold, each copy counted: first come, first served. */
export class ContentBudget {
  private readonly exceededAt = new Set<string>();
  private remaining: number;

  constructor(private readonly maxBytes = maxBytesOfResponse) {
    this.remaining = maxBytes;
  }

  /** Bytes that the response came to hold. */
  get used(): number {
    return this.maxBytes - this.remaining;
  }

  get isUsedUp(): boolean {
    return this.remaining <= 0;
  }

  /** Whether the file at that place of the response finds room. */
  reserve(place: string, bytes: number): boolean {
    if (bytes > this.remaining) {
      this.exceededAt.add(place);
      return false;
    }
    this.remaining -= bytes;
    return true;
  }

  isExceededAt(place: string): boolean {
    return this.exceededAt.has(place);
  }
}
