/** A place in the answer, also as graphql-js shows it to resolvers (`info.path`). It is the next of its holder, and null at first. */
export class Place {
  /** Null was written here, or further up because nothing else could be: what comes later is not looked at. */
  lost = false;
  private readonly index: number;

  constructor(
    readonly prev: Place | undefined,
    private readonly holder: unknown[],
    readonly key: string | number,
    private readonly nullable: boolean,
    /** The type of the object that a field belongs to; undefined for an entry of a list. */
    readonly typename: string | undefined,
  ) {
    this.index = holder.length;
    holder.push(null);
  }

  put(value: unknown): void {
    this.holder[this.index] = value;
  }

  isLost(): boolean {
    for (let place: Place | undefined = this; place !== undefined; place = place.prev) if (place.lost) return true;
    return false;
  }

  /** Gives this place up and tells which one becomes null: the nearest that may; undefined for the whole answer. */
  lose(): Place | undefined {
    let place: Place | undefined = this;
    for (; place !== undefined; place = place.prev) {
      place.lost = true;
      if (place.nullable) return place;
    }
    return undefined;
  }

  path(): (string | number)[] {
    const keys: (string | number)[] = [];
    for (let place: Place | undefined = this; place !== undefined; place = place.prev) keys.unshift(place.key);
    return keys;
  }
}
