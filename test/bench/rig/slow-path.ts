/** A path of the upstream that is slower than the others. `path` is the end of its paths. */
export interface SlowPath {
  readonly path: string;
  readonly ms: number;
}
