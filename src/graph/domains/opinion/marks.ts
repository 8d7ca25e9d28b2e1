import type { PdfText } from '../../core/files/pdf-text-reader';

const invalidity =
  /\bnul[ao]s?\b|\bno (?:es |son )?valid[ao]|suspendid[ao]|rechazad[ao]|\b(?:sin|carece de|no tiene|no surte) (?:\w+ )?(?:validez|valor|efecto)|\bse (?:cancela|anula|revoca)\b/;
/** Marks of an invalid document in a text of letters only, because letters that are set apart are read as separate words. */
const denseInvalidity = /cancela[dc]|anulad|anulacion|revocad|invalid[ao]|suspendid[ao]|rechazad[ao]|sinvalidez/;

/** Whether a text has a mark that makes a document invalid: «cancelada», «no válida», «sin valor». */
export const isInvalid = (prose: string): boolean =>
  invalidity.test(prose) || denseInvalidity.test(prose.replace(/[^a-z§]/g, ''));

/** Words of marks. A value of these alone may be a mark, so it is not left out. */
const markWords =
  /cancela(?:d[ao]s?|cion)?|anula(?:d[ao]s?|cion)|revocad[ao]s?|invalid[ao]s?|suspendid[ao]s?|rechazad[ao]s?|nul[ao]s?|valid(?:ez|[ao]s?)|efectos?|valor|fiscal(?:es)?|legal(?:es)?|juridic[ao]s?|opinion|documento|carta|est[ae]|oficial|sin|se|es|no/g;
const minOwnLetters = 4;
const maxValueLength = 300;
/** A real opinion has one name and one address. */
const maxValues = 20;
const valueLabel =
  /^(?:nombre|denominacion|razon social|domicilio|direccion)(?:,? (?:o|y|de|del|la|nombre|denominacion|razon|social|fiscal|completo|contribuyente|patron|empleador))*$/;
/** Words of a sentence about a document. With a mark beside them, a labelled value may be that sentence. */
const statement = /\b(?:opinion|documento|constancia|carta|resolucion)\b/;
const otherLabel =
  /^(?:(?:sentido|resultado)(?: de la opinion)?|(?:clave de )?r\.?f\.?c\.?|folio|fecha(?: (?:y hora )?de \w+)?|vigencia|sujeto obligado)$/;
/** Stands for a value that was left out, so that the letters around it make no word. */
const gap = ' § ';

/** Returns a text without accents, in lower case, with single spaces. */
export function fold(text: string): string {
  return withoutAccents(text).toLowerCase().trim();
}

const withoutAccents = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').replace(/\s+/g, ' ');

const dense = (text: string): string => fold(text).replaceAll(' ', '');

/**
 * The values of an employer's name and address in a document. They may have any words, amounts and letters, also those of marks, so they
 * are left out before the document is read. A value is known only if the signed chain has it, or if it was drawn directly after its
 * label: a stamp is drawn later, also if it is printed between them or if one of its letters is in the cell of the value.
 */
export class PrintedValues {
  private readonly patterns: readonly RegExp[];

  /** `signed` has the names in the signed chain. */
  constructor({ lines, drawn }: PdfText, signed: readonly string[]) {
    const order = dense(drawn);
    const labelled = lines.flatMap((cells) =>
      cells.flatMap((cell, index) => readLabelled(cell, cells[index + 1] ?? '')),
    );
    const printed = labelled.slice(0, maxValues).filter(({ label, value }) => isDrawnAfter(order, label, value));
    const values = new Set([...signed.map(dense), ...printed.map(({ value }) => value)].filter(isTellable));
    this.patterns = values.size > maxValues ? [] : [...values].map(toPattern);
  }

  /** Returns a text without the values. */
  leaveOut(text: string): string {
    return this.patterns.reduce(
      (left, pattern) => left.replace(pattern, (value) => value.replace(/[^\t\n]+/g, gap)),
      text,
    );
  }

  /** Returns lines without the values, which may be broken over cells and lines. Other letters of their cells lose their accents. */
  leaveOutOf(lines: PdfText['lines']): PdfText['lines'] {
    const plain = lines.map((cells) => cells.map((cell) => withoutAccents(cell).trim()).join('\t')).join('\n');
    const left = this.leaveOut(plain);
    if (left === plain) return lines;
    const rows = (text: string) => text.split('\n').map((line) => line.split('\t'));
    const before = rows(plain);
    return rows(left).map((cells, row) =>
      cells.map((cell, column) => (cell === before[row]?.[column] ? (lines[row]?.[column] ?? cell) : cell)),
    );
  }
}

/** Reads the value of a label in its cell after a colon, or in the next cell of the line. */
function readLabelled(cell: string, next: string): readonly { readonly label: string; readonly value: string }[] {
  const colon = cell.indexOf(':');
  const label = fold(colon === -1 ? cell : cell.slice(0, colon));
  const value = fold((colon === -1 ? '' : cell.slice(colon + 1)).trim() || next);
  const mayBeStatement =
    otherLabel.test(value) || /\bemite\b/.test(value) || (isInvalid(value) && statement.test(value));
  return valueLabel.test(label) && !mayBeStatement ? [{ label: dense(label), value: dense(value) }] : [];
}

const isTellable = (value: string): boolean =>
  value.length <= maxValueLength && value.replace(markWords, '').replace(/[^\p{L}]/gu, '').length >= minOwnLetters;

const isDrawnAfter = (order: string, label: string, value: string): boolean =>
  value !== '' && (order.includes(`${label}:${value}`) || order.includes(label + value));

/** Matches a value that is not a part of a word, of letters that are set apart, or of a mark such as «sin valor …». */
function toPattern(value: string): RegExp {
  const letters = [...value].map((letter) => letter.replace(/[.*+?^${}()|[\]\\/]/, '\\$&')).join('\\s?');
  const isApart = '(?<![\\p{L}\\p{N}])(?<!(?<![\\p{L}\\p{N}])\\p{L}\\s)(?<!(?<!\\p{L})(?:sin|no|surte)\\s)';
  return new RegExp(`${isApart}${letters}(?![\\p{L}\\p{N}])(?!\\s\\p{L}(?![\\p{L}\\p{N}]))`, 'giu');
}
