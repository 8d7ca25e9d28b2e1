const weight = 0.2;

/** Average time of each endpoint's recent calls, in which newer calls weigh more. */
export class RecentLatency {
  private readonly averages = new Map<string, number>();

  record(endpoint: string, ms: number): void {
    const average = this.averages.get(endpoint) ?? ms;
    this.averages.set(endpoint, average + weight * (ms - average));
  }

  /** Returns the average in milliseconds, or null before the first call. */
  of(endpoint: string): number | null {
    return this.averages.get(endpoint) ?? null;
  }
}
