export type Lines = readonly (readonly string[])[];

export class OpinionDocument {
  /** Whole document as one text without accents, in lower case, with single spaces. */
  readonly prose: string;
  private readonly cells: readonly string[];
  private readonly foldedCells: readonly string[];
  private readonly chained: ReadonlyMap<string, readonly string[]>;

  constructor(lines: Lines) {
    this.cells = lines.flat().map((cell) => cell.normalize('NFC'));
    this.foldedCells = this.cells.map(fold);
    this.prose = fold(this.cells.join(' '));
    this.chained = readChain(this.cells);
  }

  /** Returns the values of a name in the signed chain (cadena original), without spaces. */
  chain(name: string): readonly string[] {
    return this.chained.get(fold(name)) ?? [];
  }

  /** Returns the texts after a label: in its cell after a colon, or in the next cell. */
  labelled(label: RegExp): readonly string[] {
    return this.foldedCells.flatMap((folded, index) => {
      const cell = this.cells[index] ?? '';
      const [name = '', ...rest] = folded.split(':');
      if (!label.test(name.trim())) return [];
      const value = rest.join('').trim() === '' ? this.cells[index + 1] : cell.slice(cell.indexOf(':') + 1);
      return value === undefined ? [] : [value.trim()];
    });
  }
}

/** Returns a text without accents, in lower case, with single spaces. */
export function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim();
}

/** Returns the distinct texts. Returns null if there are more than in any real opinion, because they would take too long to read. */
export function distinctTexts(texts: readonly string[]): readonly string[] | null {
  const distinct = new Set(texts);
  return distinct.size > 20 ? null : [...distinct];
}

export function agreedValue<Value>(values: readonly Value[]): Value | null {
  const [value] = values;
  return value !== undefined && new Set(values).size === 1 ? value : null;
}

const maxChainLength = 2_000;

/**
 * Reads the signed chain `||Invocante:portalimssdigital|…|RFC:…|Opinion:POSITIVA|…||`. Spaces are removed, because lines may break
 * it anywhere.
 */
function readChain(cells: readonly string[]): ReadonlyMap<string, readonly string[]> {
  // A regular expression could take time quadratic in the text.
  const chains = cells.join('').replace(/\s+/g, '').split('||').slice(1, -1);
  const values = new Map<string, string[]>();
  for (const chain of new Set(chains)) {
    if (!chain.startsWith('Invocante:') || chain.length > maxChainLength) continue;
    for (const part of chain.split('|')) {
      const colon = part.indexOf(':');
      const name = fold(part.slice(0, Math.max(colon, 0)));
      const value = part.slice(colon + 1);
      // Changed in place, because a document may repeat its chain thousands of times.
      const found = values.get(name);
      if (found === undefined) values.set(name, [value]);
      else found.push(value);
    }
  }
  return values;
}
