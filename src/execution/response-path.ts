import type { FieldPlan } from './plan';

/** A place in the answer, also what resolvers see as `info.path`. Made at the end of its container, and null at first. */
export class ResponsePath {
  /** Null was written here, or further up because nothing else could be: what comes later is not looked at. */
  nulled = false;
  private readonly index: number;

  constructor(
    readonly prev: ResponsePath | undefined,
    private readonly container: unknown[],
    readonly key: string | number,
    private readonly nullable: boolean,
    /** The type of the object that a field belongs to; undefined for an entry of a list. */
    readonly typename: string | undefined,
  ) {
    this.index = container.length;
    container.push(null);
  }

  set(value: unknown): void {
    this.container[this.index] = value;
  }

  isNulled(): boolean {
    for (let path: ResponsePath | undefined = this; path !== undefined; path = path.prev) if (path.nulled) return true;
    return false;
  }

  /** Nulls this place and those above it, up to the nearest nullable one, which it returns; undefined for the whole answer. */
  propagateNull(): ResponsePath | undefined {
    let path: ResponsePath | undefined = this;
    for (; path !== undefined; path = path.prev) {
      path.nulled = true;
      if (path.nullable) return path;
    }
    return undefined;
  }

  toKeys(): (string | number)[] {
    const keys: (string | number)[] = [];
    for (let path: ResponsePath | undefined = this; path !== undefined; path = path.prev) keys.unshift(path.key);
    return keys;
  }
}

/** The place of a field's value in its object. */
export function fieldPath(
  { key, shape, parent }: FieldPlan,
  values: unknown[],
  parentPath: ResponsePath | undefined,
): ResponsePath {
  return new ResponsePath(parentPath, values, key, shape.nullable, parent.name);
}
