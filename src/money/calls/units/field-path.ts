export interface FieldPath {
  readonly prev: FieldPath | undefined;
  readonly key: string | number;
}

export function toKeys(path: FieldPath | null): readonly (string | number)[] {
  const keys: (string | number)[] = [];
  for (let step = path ?? undefined; step !== undefined; step = step.prev) keys.unshift(step.key);
  return keys;
}
