import { instantInMexicoCity, parseDayFirstDate } from '../../../identifiers/dates';
import { parseDecimal } from '../../../identifiers/decimals';
import { checkEmployerRegistration } from '../../../identifiers/subjects';
import type { PdfText } from '../../core/files/pdf-text-reader';
import { fold, isInvalid, PrintedValues } from './marks';
import type { ComplianceOpinion, FiscalCredit, OpinionSense } from './types';

const senses: ReadonlyMap<string, OpinionSense> = new Map([
  ['positiva', 'POSITIVE'],
  ['negativa', 'NEGATIVE'],
  ['sinopinion', 'NO_OPINION'],
]);

/** The result of the institute's form, «Por lo anterior, se emite opinión Positiva.» The rest of the sentence must be one of the senses. */
const conclusion = /\bpor lo anterior, se emite opinion ([^.;]*)/g;

/** Returns the sense if the signed chain and the printed result both state it. Returns null if they disagree or one is missing. */
function readSense(document: OpinionDocument): OpinionSense | null {
  const signed = agreedSense(document.chain('Opinion'));
  const printed = agreedSense([
    ...document.labelled(/^(?:sentido|resultado)(?: de la opinion)?$/),
    ...[...document.prose.matchAll(conclusion)].map(([, end = '']) => end),
  ]);
  return signed === printed ? signed : null;
}

const agreedSense = (texts: readonly string[]): OpinionSense | null =>
  agreedValue(texts.map((text) => senses.get(fold(text).replace(/\s|\.$/g, '')) ?? null));

export interface PrintedOpinion {
  readonly rfc: string;
  readonly opinion: ComplianceOpinion;
}

/** Results by document, because several fields or requests may read the same one. */
const printedOpinions = new WeakMap<PdfText, PrintedOpinion | null>();

const title = /opinion del? cumplimiento de obligaciones fiscales en materia de seguridad social/;

/**
 * Reads an opinion of the social security institute: the signed chain at its foot, its labels and its table of credits. Returns null if
 * they are missing or contradict each other, or if the document is invalid. Opinions of the tax authority and of the housing fund have
 * other titles and are not read.
 */
export function readOpinion(text: PdfText): PrintedOpinion | null {
  const existing = printedOpinions.get(text);
  if (existing !== undefined) return existing;
  const printed = readDocument(text);
  printedOpinions.set(text, printed);
  return printed;
}

/** Limits of a document. A real opinion has a few pages, and reading a large one would block the process. */
const maxCharacters = 100_000;
const maxCells = 6_000;
/** Letters of other scripts that may look like Latin ones, and invisible characters. */
const foreign = /(?!\p{Script=Latin})\p{L}|\p{Cf}/u;

function isReadable(lines: Lines): boolean {
  const cells = lines.flat();
  return cells.length <= maxCells && cells.reduce((sum, cell) => sum + cell.length, 0) <= maxCharacters;
}

function readDocument(text: PdfText): PrintedOpinion | null {
  if (!isReadable(text.lines)) return null;
  const chained = readChain(text.lines.flat().map((cell) => cell.normalize('NFC')));
  const values = new PrintedValues(text, chained.get('nombreorazonsocial') ?? []);
  const lines = values.leaveOutOf(text.lines);
  if (lines.flat().some((cell) => foreign.test(cell))) return null;
  const document = new OpinionDocument(lines, chained);
  if (!title.test(document.prose)) return null;
  const sense = readSense(document);
  const rfc = agreedValue(
    [...document.chain('RFC'), ...document.labelled(/^(?:clave de )?r\.?f\.?c\.?$/)].filter(isRfc),
  );
  const dates = readDates(document);
  const folios = [...document.chain('Folio'), ...document.labelled(/^folio$/)];
  const folio = agreedValue(folios);
  if (sense === null || rfc === null || dates === null || (folio === null && folios.length > 0)) return null;
  if (isInvalid(document.prose) || isInvalid(values.leaveOut(fold(text.drawn)))) return null;
  const { rows, areComplete } = readCredits(lines);
  const owesNothing = rows.length === 0 && areComplete;
  if (sense !== 'NEGATIVE' && !owesNothing) return null;
  // A negative opinion has credits. If none is found, they are in another form.
  const isListed = areComplete && (rows.length > 0 || sense !== 'NEGATIVE');
  const validUntil = instantInMexicoCity(dates.validUntil);
  return { rfc, opinion: { sense, issuedOn: dates.issuedOn, validUntil, folio, credits: isListed ? rows : null } };
}

const isRfc = (text: string): boolean => /^[A-ZÑ&]{3,4}\d{6}[A-Z0-9]{3}$/.test(text);

interface ReadCredits {
  readonly rows: readonly FiscalCredit[];
  /** Whether every line with an amount, or with a period and a registration, was understood as a row. */
  readonly areComplete: boolean;
}

const amount = /^\$?(?:\d{1,3}(?:,\d{3})+|\d+)\.\d{2}$/;

/** Reads the rows of the table of credits. A row has a period, a registration and an amount, and may have other columns. */
function readCredits(lines: Lines): ReadCredits {
  const creditLines = lines.map(toWords).filter(isCreditLine);
  const rows = creditLines.map(toCredit).filter((credit) => credit !== null);
  return { rows, areComplete: rows.length === creditLines.length };
}

/** Amounts in any format, including those that padron does not read: `$1234`, `1.234.567,89`, `1,234`. */
const anyAmount = /^\$|^\d{1,3}(?:[.,']\d{3})+(?:[.,]\d{1,2})?$|^\d+[.,]\d{2}$/;

function isCreditLine(words: readonly string[]): boolean {
  if (words.some((word) => anyAmount.test(word.replace(/[.,;:]$/, '')))) return true;
  if (!words.some((word) => toPeriod(word) !== null)) return false;
  return words.some((word) => isRegistration(word));
}

const toWords = (cells: readonly string[]): readonly string[] => cells.join(' ').replace(/\$\s+/g, '$').split(/\s+/);

/** Returns the credit of a row. Returns null if a part is missing or ambiguous. */
function toCredit(words: readonly string[]): FiscalCredit | null {
  const [period, nextPeriod] = words.map(toPeriod).filter((month) => month !== null);
  const [registration, nextRegistration] = words.filter(isRegistration).map((word) => word.replaceAll('-', ''));
  const [owed, nextOwed] = words.filter((word) => amount.test(word));
  if (period === undefined || registration === undefined || owed === undefined) return null;
  if (nextPeriod !== undefined || nextRegistration !== undefined || nextOwed !== undefined) return null;
  const exact = parseDecimal(owed);
  return exact === null ? null : { period, registration, amount: exact };
}

const isRegistration = (word: string): boolean => {
  const code = word.length > 20 ? '' : word.replaceAll('-', '');
  return /^[A-Z0-9]{10,11}$/.test(code) && checkEmployerRegistration(code) === null;
};

/** Parses a month written as `202605`, `2026-05` or `05/2026`. */
function toPeriod(word: string): string | null {
  const [, year, month] = /^((?:19|20)\d{2})-?(0[1-9]|1[0-2])$/.exec(word) ?? [];
  if (year !== undefined) return `${year}-${month}`;
  const [, monthFirst, yearLast] = /^(0[1-9]|1[0-2])[-/]((?:19|20)\d{2})$/.exec(word) ?? [];
  return yearLast === undefined ? null : `${yearLast}-${monthFirst}`;
}

interface PrintedDates {
  readonly issuedOn: string;
  readonly validUntil: string;
}

const months = [
  'enero',
  'febrero',
  'marzo',
  'abril',
  'mayo',
  'junio',
  'julio',
  'agosto',
  'septiembre',
  'octubre',
  'noviembre',
  'diciembre',
];

const inWords = new RegExp(`(\\d{1,2})de(${months.join('|')})(?:del?)?(\\d{4})`, 'g');
const inFigures = /(\d{2})\/(\d{2})\/(\d{4})/g;
const endOfDay = '23:59:59';

/** Reads the dates of an opinion. Returns null if a date is missing or the document contradicts itself. */
function readDates(document: OpinionDocument): PrintedDates | null {
  const issued = distinctTexts([
    ...document.chain('Fecha'),
    ...document.chain('FechaInicioVigencia'),
    ...document.labelled(/^fecha(?: (?:y hora )?de (?:emision|expedicion))?$/),
  ])?.flatMap(readMoment);
  const ends = distinctTexts([
    ...document.chain('FechaFinVigencia'),
    ...[...document.prose.matchAll(/\bvigencia:? hasta (?:el |las )([^.]{0,50})/g)].map(([, end = '']) => end),
  ])?.flatMap(readMoment);
  if (issued === undefined || ends === undefined) return null;
  const issuedOn = agreedValue(issued.map(({ day }) => day));
  const validUntil = agreedValue(ends.map(({ day, time }) => `${day}T${time ?? endOfDay}`));
  return issuedOn === null || validUntil === null || validUntil < issuedOn ? null : { issuedOn, validUntil };
}

interface Moment {
  readonly day: string;
  readonly time: string | null;
}

/** Reads `13 de septiembre 2026, 23:58:54`, `16/09/2026 21:00:00` or `23:59:59 horas del 16/09/2026`. Returns nothing for other formats. */
function readMoment(text: string): readonly Moment[] {
  const dense = fold(text).replaceAll(' ', '');
  const days = [
    ...[...dense.matchAll(inWords)].map(toFigures),
    ...[...dense.matchAll(inFigures)].map(([date]) => date),
  ];
  const day = days.length === 1 ? parseDayFirstDate(days[0]) : null;
  if (day === null) return [];
  const [, time = null] = /(?:^|[^\d:])((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?![\d:])/.exec(spaceAfterDate(dense)) ?? [];
  return [{ day, time }];
}

const spaceAfterDate = (dense: string): string => dense.replace(inFigures, '$& ').replace(inWords, '$& ');

function toFigures([, day = '', month = '', year = '']: RegExpMatchArray): string {
  return `${day.padStart(2, '0')}/${String(months.indexOf(month) + 1).padStart(2, '0')}/${year}`;
}

type Lines = readonly (readonly string[])[];

class OpinionDocument {
  /** Whole document as one text without accents, in lower case, with single spaces. */
  readonly prose: string;
  private readonly cells: readonly string[];
  private readonly foldedCells: readonly string[];

  constructor(
    lines: Lines,
    private readonly chained: ReadonlyMap<string, readonly string[]>,
  ) {
    this.cells = lines.flat().map((cell) => cell.normalize('NFC'));
    this.foldedCells = this.cells.map(fold);
    this.prose = fold(this.cells.join(' '));
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

/** Returns the distinct texts. Returns null if there are more than in any real opinion, because they would take too long to read. */
function distinctTexts(texts: readonly string[]): readonly string[] | null {
  const distinct = new Set(texts);
  return distinct.size > 20 ? null : [...distinct];
}

function agreedValue<Value>(values: readonly Value[]): Value | null {
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
