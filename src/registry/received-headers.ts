/** Headers as they came, name and value in turn. Most answers are read without a look at more than their size. */
export class ReceivedHeaders {
  constructor(private readonly raw: readonly Buffer[]) {}

  /** All values of a header, whose name is given in lower case; null where it did not come. */
  get(name: string): string | null {
    let found: string | null = null;
    for (let at = 0; at + 1 < this.raw.length; at += 2) {
      const its = this.raw[at];
      if (its?.length !== name.length || its.toString('latin1').toLowerCase() !== name) continue;
      const value = this.raw[at + 1]?.toString('latin1') ?? '';
      found = found === null ? value : `${found}, ${value}`;
    }
    return found;
  }
}
