/** Lines of a document, each of its cells. */
export type Lines = readonly (readonly string[])[];

/** A document in the three ways by which its parts are found. */
export class Paper {
  /** All of it as one text: without accents, in lower case, a blank between words. */
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

  /** What the signed chain (cadena original) says by that name, without blanks. */
  chain(name: string): readonly string[] {
    return this.chained.get(fold(name)) ?? [];
  }

  /** What stands behind a label: in its cell after a colon, or in the cell that follows. */
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

/** Without accents and doubled blanks, in lower case. */
export function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim();
}

/** The different texts among those that state one thing; null if they are more than any paper has, which would take long to read. */
export function distinctTexts(texts: readonly string[]): readonly string[] | null {
  const distinct = new Set(texts);
  return distinct.size > 20 ? null : [...distinct];
}

/** The value that all agree on; null where there is none, or more than one. */
export function agreedValue<Value>(values: readonly Value[]): Value | null {
  const [value] = values;
  return value !== undefined && new Set(values).size === 1 ? value : null;
}

const maxChainLength = 2_000;

/** `||Invocante:portalimssdigital|…|RFC:…|Opinion:POSITIVA|…||`: lines may break it anywhere, so blanks in it mean nothing. */
function readChain(cells: readonly string[]): ReadonlyMap<string, readonly string[]> {
  // Between the bars, so that the time grows with the text and no faster.
  const chains = cells.join('').replace(/\s+/g, '').split('||').slice(1, -1);
  const values = new Map<string, string[]>();
  for (const chain of new Set(chains)) {
    if (!chain.startsWith('Invocante:') || chain.length > maxChainLength) continue;
    for (const part of chain.split('|')) {
      const colon = part.indexOf(':');
      const name = fold(part.slice(0, Math.max(colon, 0)));
      const value = part.slice(colon + 1);
      // Kept growing in place: a document may repeat its chain thousands of times.
      const found = values.get(name);
      if (found === undefined) values.set(name, [value]);
      else found.push(value);
    }
  }
  return values;
}
