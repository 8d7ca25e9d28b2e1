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
