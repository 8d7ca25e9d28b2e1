import type { Segment } from './journal';

const firstBytes = 16_384;
const maxBytesOfCharacter = 3;
/** No text of an entry holds one: JSON writes it as an escape. */
const separator = '\n';

/**
 * Entries on their way to the store, as the bytes of their texts. As strings they would live for a second each in hundreds of pieces,
 * and V8 would copy them twice before it lets them go.
 */
export class EntryBatch {
  private bytes = Buffer.allocUnsafe(firstBytes);
  private length = 0;
  private entries = 0;
  private readonly held = new Map<Segment, number>();

  get count(): number {
    return this.entries;
  }

  /** How many of its entries each file of the journal holds. */
  get segments(): ReadonlyMap<Segment, number> {
    return this.held;
  }

  add(text: string, segment: Segment | null): void {
    this.makeRoom(text.length * maxBytesOfCharacter + separator.length);
    this.length += this.bytes.write(text + separator, this.length, 'utf8');
    this.entries += 1;
    if (segment !== null) this.held.set(segment, (this.held.get(segment) ?? 0) + 1);
  }

  texts(): readonly string[] {
    return this.bytes.toString('utf8', 0, this.length).split(separator).slice(0, -1);
  }

  private makeRoom(bytes: number): void {
    if (this.length + bytes <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * this.bytes.length, this.length + bytes));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }
}
