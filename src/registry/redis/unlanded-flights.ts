import type { Landing, SharedFlight } from './shared-flight';

/** What waits for the store is bounded: beyond it, the oldest is dropped, and asked anew by whoever wants it. */
const maxLandings = 1_000;
const maxBytes = 16_000_000;

/** What the store does not know of: calls under way, and what became of calls while it was away. */
export class UnlandedFlights {
  private readonly flights = new Set<SharedFlight>();
  private landings: Landing[] = [];

  constructor(private readonly windowMs: number) {}

  hold(flight: SharedFlight): void {
    this.flights.add(flight);
  }

  release(flight: SharedFlight): void {
    this.flights.delete(flight);
  }

  underWay(): readonly SharedFlight[] {
    return [...this.flights];
  }

  keep(landing: Landing): void {
    this.landings.push(landing);
    let bytes = this.landings.reduce((sum, { sealed }) => sum + sizeOf(sealed), 0);
    while (this.landings.length > maxLandings || bytes > maxBytes) bytes -= sizeOf(this.landings.shift()?.sealed ?? []);
  }

  /** What is still of use. Whatever is too old to be an answer at least ends the wait of others. */
  takeLandings(): readonly Landing[] {
    const { landings } = this;
    this.landings = [];
    return landings.map((landing) =>
      performance.now() - landing.landedAt < this.windowMs ? landing : { ...landing, result: 'D', sealed: [] },
    );
  }
}

const sizeOf = (sealed: readonly Buffer[]): number => sealed.reduce((sum, { length }) => sum + length, 0);
