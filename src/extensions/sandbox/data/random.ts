/** A repeatable source of random choices. The same seed always returns the same values, and another seed invents other people. */
export interface SeededRandom {
  integer(min: number, max: number): number;
  pick<T>(list: readonly T[]): T;
  digits(length: number): string;
  oneIn(times: number): boolean;
  uuid(): string;
}

function hash(seed: string): number {
  let value = 2166136261;
  for (let index = 0; index < seed.length; index += 1) value = Math.imul(value ^ seed.charCodeAt(index), 16777619);
  return value >>> 0;
}

function uniformNumbers(seed: string): () => number {
  let state = hash(seed);
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 4294967296;
  };
}

export function seededRandom(seed: string): SeededRandom {
  const next = uniformNumbers(seed);
  const integer = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  const digits = (length: number): string => Array.from({ length }, () => integer(0, 9)).join('');
  const hex = (length: number): string => Array.from({ length }, () => integer(0, 15).toString(16)).join('');
  return {
    integer,
    digits,
    oneIn: (times) => integer(1, times) === 1,
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-${'89ab'[integer(0, 3)] ?? '8'}${hex(3)}-${hex(12)}`,
    pick<T>(list: readonly T[]): T {
      const index = integer(0, list.length - 1);
      if (index >= list.length || index < 0) throw new RangeError('The list is empty.');
      return list[index] as T;
    },
  };
}
