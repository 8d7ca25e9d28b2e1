import type { Segment } from './journal';

const firstBytes = 16_384;
const maxBytesOfCharacter = 3;
const start = '[';
const end = ']';
/** No text of an entry holds a line's end: JSON writes it as an escape. */
const separator = ',\n';

/**
 * Entries on their way to the store, as the bytes of one JSON array. As strings they would live for a second each in hundreds of
 * pieces, and V8 would copy them twice before it lets them go.
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
    this.makeRoom(text.length * maxBytesOfCharacter + separator.length + end.length);
    this.length += this.bytes.write((this.entries === 0 ? start : separator) + text, this.length, 'utf8');
    this.entries += 1;
    if (segment !== null) this.held.set(segment, (this.held.get(segment) ?? 0) + 1);
  }

  /** All of them. What is added later is not in it, and takes the place of its end. */
  json(): Buffer {
    if (this.entries === 0) return Buffer.from(start + end);
    return this.bytes.subarray(0, this.length + this.bytes.write(end, this.length));
  }

  /** Each by itself. */
  texts(): readonly string[] {
    if (this.entries === 0) return [];
    return this.bytes.toString('utf8', start.length, this.length).split(separator);
  }

  private makeRoom(bytes: number): void {
    if (this.length + bytes <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * this.bytes.length, this.length + bytes));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }
}
