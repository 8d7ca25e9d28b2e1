/** The position of a value in a JSON document. */
export type Place = readonly (string | number)[];

/** Every leaf of a JSON document; of a list only its first entry, since the others are of its kind. An empty list is a leaf. */
export function leavesOf(value: unknown, place: Place = []): readonly Place[] {
  if (typeof value !== 'object' || value === null) return [place];
  if (Array.isArray(value)) return value.length === 0 ? [place] : leavesOf(value[0], [...place, 0]);
  return Object.entries(value).flatMap(([name, member]) => leavesOf(member, [...place, name]));
}

/** `data.0.nombre` → `data[].nombre`: the same for every row. */
export function nameOf(place: Place): string {
  return place
    .map((step) => (typeof step === 'number' ? '[]' : `.${step}`))
    .join('')
    .slice(1);
}

export function valueAt(document: unknown, place: Place): unknown {
  return place.reduce<unknown>((value, step) => (value as Record<string | number, unknown>)[step], document);
}

/** The document with one leaf changed to another plausible value of its kind. */
export function changedAt(document: unknown, place: Place): unknown {
  const copy = structuredClone(document);
  const name = place.at(-1) ?? '';
  const holder = valueAt(copy, place.slice(0, -1)) as Record<string | number, unknown>;
  holder[name] = another(holder[name], String(name));
  return copy;
}

/** Values for a leaf that was empty. */
const emptyLeafValues: Readonly<Record<string, unknown>> = {
  inscons: 17,
  insedo: 17,
  fechaCierre: '20240229',
  base64: Buffer.from('%PDF-1.4 another %%EOF').toString('base64'),
  warnings: ['Aviso'],
  totales_rcv: [{ label: 'Retiro', value: 1 }],
};

const otherWords: Readonly<Record<string, string>> = { HOMBRE: 'MUJER', MUJER: 'HOMBRE', ROA: 'REA', REA: 'ROA' };

function another(value: unknown, name: string): unknown {
  if (value === null || value === '' || Array.isArray(value)) return emptyLeafValues[name] ?? 'OTRO';
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1;
  if (typeof value !== 'string') throw new Error(`A leaf that is ${typeof value}.`);
  return otherWords[value] ?? anotherText(value);
}

function anotherText(text: string): string {
  if (/^\d{4}-\d\d-\d\dT.*Z$/.test(text)) return new Date(Date.parse(text) + 3_600_000).toISOString();
  if (/^https?:/.test(text)) return `${text}&otra=1`;
  if (/^\d{8}$/.test(text) || /^\d{4}-\d\d-\d\d$/.test(text)) return text.replace(/^\d{4}/, otherYear);
  if (/^\d\d\/\d\d\/\d{4}/.test(text)) return text.replace(/\d{4}/, otherYear);
  // The last letter or digit by its neighbour: the shape stays.
  return text.replace(/[\p{L}\d](?=[^\p{L}\d]*$)/u, (last) =>
    /\d/.test(last) ? String((Number(last) + 1) % 10) : otherLetter(last),
  );
}

/** Four years on: a leap day stays one. */
function otherYear(year: string): string {
  return String(Number(year) + 4);
}

function otherLetter(letter: string): string {
  return letter.toUpperCase() === 'A' ? 'B' : 'A';
}
