/**
 * Maximum size of all files in one response. Apollo Server and its clients hold the whole response in memory, and other requests wait
 * while it is written as JSON.
 */
const maxBytesOfResponse = 8_000_000;

/** Limits the bytes of file content in one response. Files are admitted in the order of their requests, and each copy counts. */
export class ContentBudget {
  private readonly exceededPaths = new Set<string>();

  constructor(private remaining = maxBytesOfResponse) {}

  get isUsedUp(): boolean {
    return this.remaining <= 0;
  }

  /** Reserves the bytes of the file at this path of the response. Returns false if they exceed the budget. */
  reserve(path: string, bytes: number): boolean {
    if (bytes > this.remaining) {
      this.exceededPaths.add(path);
      return false;
    }
    this.remaining -= bytes;
    return true;
  }

  isExceededAt(path: string): boolean {
    return this.exceededPaths.has(path);
  }
}

/** Limits the work of all estimates in one request. Each estimate parses a document and runs it once per row. */
export class DryRunBudget {
  private usedNodes = 0;
  private usedTokens = 0;

  constructor(private readonly limits: { readonly tokens: number; readonly estimateNodes: number }) {}

  get maxNodes(): number {
    return this.limits.estimateNodes;
  }

  get remainingTokens(): number {
    return Math.max(0, this.limits.tokens - this.usedTokens);
  }

  addTokens(count: number): void {
    this.usedTokens += count;
  }

  addNodes(count: number): number {
    this.usedNodes += count;
    return this.usedNodes;
  }
}
