/** Limits the work of all estimates in one request. Each estimate parses a document and runs it once per row. */
export class DryRunBudget {
  private usedNodes = 0;
  private usedTokens = 0;

  constructor(private readonly limits: { readonly tokens: number; readonly estimateNodes: number }) {}

  /** Maximum number of values that the rows of all estimates may have. */
  get maxNodes(): number {
    return this.limits.estimateNodes;
  }

  /** Maximum number of tokens in the next document. */
  get remainingTokens(): number {
    return Math.max(0, this.limits.tokens - this.usedTokens);
  }

  addTokens(count: number): void {
    this.usedTokens += count;
  }

  /** Adds values and returns the new total. */
  addNodes(count: number): number {
    this.usedNodes += count;
    return this.usedNodes;
  }
}
