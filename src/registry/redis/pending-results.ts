import { type SharedCall, type SharedResult, withoutAnswer } from './shared-call';

/** Maximum results that wait for the store. If there are more, the oldest is dropped. */
const maxResults = 1_000;
const maxBytes = 16_000_000;
/** Failed writes after which an answer is dropped. A large answer may break its connection at each write. */
const maxFailures = 3;

export class PendingResults {
  private readonly calls = new Set<SharedCall>();
  private results: SharedResult[] = [];

  constructor(private readonly windowMs: number) {}

  addCall(call: SharedCall): void {
    this.calls.add(call);
  }

  removeCall(call: SharedCall): void {
    this.calls.delete(call);
  }

  callsUnderWay(): readonly SharedCall[] {
    return [...this.calls];
  }

  add(result: SharedResult): void {
    this.results = [...this.results.map((each) => this.dropUselessAnswer(each)), result];
    let bytes = this.results.reduce((sum, each) => sum + sizeOf(each), 0);
    while (this.results.length > maxResults || bytes > maxBytes) {
      const oldest = this.results.shift();
      bytes -= oldest === undefined ? 0 : sizeOf(oldest);
    }
  }

  takeResults(): readonly SharedResult[] {
    const results = this.results.map((each) => this.dropUselessAnswer(each));
    this.results = [];
    return results;
  }

  /** Returns a result without its answer if the answer is too old or cannot be written. */
  private dropUselessAnswer(result: SharedResult): SharedResult {
    const isUseful = performance.now() - result.answeredAt < this.windowMs && result.failures < maxFailures;
    return result.kind === 'nothing' || isUseful ? result : withoutAnswer(result);
  }
}

const sizeOf = ({ entries }: SharedResult): number => entries.reduce((sum, { sealed }) => sum + sealed.length, 0);
