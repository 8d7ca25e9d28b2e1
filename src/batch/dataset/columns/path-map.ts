/** Values by the paths of variables and of their fields. Finds a path that overlaps another without comparing all of them. */
export class PathMap<Value> {
  private readonly paths = new Map<string, Value>();
  /** The first value of each path and of each of its beginnings. */
  private readonly beginnings = new Map<string, Value>();

  add(path: readonly string[], value: Value): void {
    this.paths.set(toKey(path), value);
    for (let length = 1; length <= path.length; length += 1) {
      const key = toKey(path.slice(0, length));
      if (!this.beginnings.has(key)) this.beginnings.set(key, value);
    }
  }

  get size(): number {
    return this.paths.size;
  }

  has(path: readonly string[]): boolean {
    return this.paths.has(toKey(path));
  }

  /** Returns the value of a path that is this one, a part of it, or contains it. */
  findOverlap(path: readonly string[]): Value | undefined {
    const inner = this.beginnings.get(toKey(path));
    if (inner !== undefined) return inner;
    for (let length = 1; length < path.length; length += 1) {
      const outer = this.paths.get(toKey(path.slice(0, length)));
      if (outer !== undefined) return outer;
    }
    return undefined;
  }
}

const toKey = (path: readonly string[]): string => path.join('.');
