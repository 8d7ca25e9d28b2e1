import { type Landing, type SharedFlight, withoutAnswer } from './shared-flight';

/** Maximum results that wait for the store. Beyond it the oldest is dropped. */
const maxLandings = 1_000;
const maxBytes = 16_000_000;
/** A large answer may break the connection that it goes by, each time. */
const maxFailures = 3;

/** Calls and results that are not in the store because it was unavailable. */
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
    this.landings = [...this.landings.map((each) => this.toUseful(each)), landing];
    let bytes = this.landings.reduce((sum, each) => sum + sizeOf(each), 0);
    while (this.landings.length > maxLandings || bytes > maxBytes) {
      const oldest = this.landings.shift();
      bytes -= oldest === undefined ? 0 : sizeOf(oldest);
    }
  }

  takeLandings(): readonly Landing[] {
    const landings = this.landings.map((each) => this.toUseful(each));
    this.landings = [];
    return landings;
  }

  /** Returns a result without its answer if the answer is too old or cannot be written. */
  private toUseful(landing: Landing): Landing {
    const isUseful = performance.now() - landing.landedAt < this.windowMs && landing.failures < maxFailures;
    return landing.result === 'nothing' || isUseful ? landing : withoutAnswer(landing);
  }
}

const sizeOf = ({ places }: Landing): number => places.reduce((sum, { sealed }) => sum + sealed.length, 0);
