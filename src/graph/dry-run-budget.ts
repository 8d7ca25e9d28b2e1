/** What the estimates of one request may take together: each reads a document and runs it once a row. */
export class DryRunBudget {
  private usedNodes = 0;
  private usedTokens = 0;

  constructor(private readonly limits: { readonly tokens: number; readonly estimateNodes: number }) {}

  /** Values that the rows of all estimates may come to. */
  get maxNodes(): number {
    return this.limits.estimateNodes;
  }

  /** Tokens that another document may have. */
  get remainingTokens(): number {
    return Math.max(0, this.limits.tokens - this.usedTokens);
  }

  addTokens(count: number): void {
    this.usedTokens += count;
  }

  /** How many values it comes to with these. */
  addNodes(count: number): number {
    this.usedNodes += count;
    return this.usedNodes;
  }
}
