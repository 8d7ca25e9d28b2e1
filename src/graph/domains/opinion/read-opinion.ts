import { instantInMexicoCity, parseDayFirstDate } from '../../../identifiers/dates';
import { parseDecimal } from '../../../identifiers/decimals';
import { checkEmployerRegistration } from '../../../identifiers/employer';
import { agreedValue, distinctTexts, fold, type Lines, OpinionDocument } from './opinion-document';
import type { ComplianceOpinion, FiscalCredit, OpinionSense } from './types';

const senses: ReadonlyMap<string, OpinionSense> = new Map([
  ['positiva', 'POSITIVE'],
  ['positivo', 'POSITIVE'],
  ['negativa', 'NEGATIVE'],
  ['negativo', 'NEGATIVE'],
  ['sinopinion', 'NO_OPINION'],
]);

/** The conclusion, «Por lo anterior, se emite opinión Positiva.» The rest of the sentence must be one of the senses. */
const conclusion =
  /\bse emite (?:la |esta |una )?(?:presente )?opinion(?: del? cumplimiento de obligaciones fiscales)?(?: en materia de seguridad social)?,?(?: en sentido)? ([^.;]*)/g;

/**
 * Returns the sense if the chain, the conclusion and the label agree. Each of them may be missing. Returns null if one is not
 * understood.
 */
function readSense(document: OpinionDocument): OpinionSense | null {
  const stated = distinctTexts([
    ...document.chain('Opinion'),
    ...document.labelled(/^sentido(?: de la opinion)?$/),
    ...[...document.prose.matchAll(conclusion)].map(([, end = '']) => end),
  ]);
  return agreedValue((stated ?? []).map((text) => senses.get(fold(text).replace(/\s|\.$/g, '')) ?? null));
}

/** Statements of the prose that belong to a document of one sense only. */
const statements: Readonly<Record<OpinionSense, RegExp>> = {
  POSITIVE: /(?<!\bno )\b(?:se encuentra(?:n|\(n\))?|esta|estan) al corriente/,
  NEGATIVE: /\bno (?:se encuentra(?:n|\(n\))?|esta|estan) al corriente/,
  NO_OPINION: /\bno (?:se puede|es posible|hay elementos para) emitir (?:una |la )?opinion|\bsin opinion\b/,
};

const invalidity =
  /\bnul[ao]s?\b|\bno (?:es |son )?valid[ao]|suspendid[ao]|rechazad[ao]|\b(?:sin|carece de|no tiene|no surte) (?:\w+ )?(?:validez|valor|efecto)/;
/** Marks of an invalid document in a text of letters only, because letters that are set apart are read as separate words. */
const denseInvalidity = /cancela[dc]|anulad|anulacion|revocad|invalid[ao]|sinvalidez|noalcorriente/;
const cancellation = /\bse (?:cancela|anula|revoca)\b/;
const negation = /\b(?:no|tampoco|nunca|jamas|ni|sin|niega|deniega|negar)\b/;
const finding = /\bal corriente\b|\bopinion(?: \w+){0,3} positiv[ao]\b|\bse emite\b/;
const limitation = /\b(?:excepto|salvo|a excepcion)\b/;
/** Phrases that state the finding of a positive opinion. Any other mention of «al corriente» limits or denies it. */
const upToDate = /\b(?:se encuentra(?:n|\(n\))?|esta|estan) al corriente\b/g;
const owing =
  /(?<!\bno )\b(?:presentan?|tienen?|registran?|existen?|se (?:detect|identific|observ)\w+) (?:\w+ ){0,2}(?:creditos|adeudos|omisiones)\b/;

/** Whether the prose contradicts this sense. Any doubt contradicts POSITIVE. */
function contradictsSense(prose: string, sense: OpinionSense): boolean {
  const dense = prose.replace(/[^a-z]/g, '');
  if (invalidity.test(prose) || cancellation.test(prose) || denseInvalidity.test(dense)) return true;
  if (Object.entries(statements).some(([other, statement]) => other !== sense && statement.test(prose))) return true;
  return sense === 'POSITIVE' && (/negativ[ao]|desfavorable/.test(dense) || deniesPositive(prose));
}

function deniesPositive(prose: string): boolean {
  const mentions = prose.match(/\bal corriente\b/g)?.length ?? 0;
  if (mentions > (prose.match(upToDate)?.length ?? 0)) return true;
  return owing.test(prose) || prose.split(/[.;:|]/).some(deniesFinding);
}

/** Whether a sentence negates or limits its finding: «tampoco se emite», «no se encuentra actualmente al corriente». */
function deniesFinding(sentence: string): boolean {
  if (limitation.test(sentence) && finding.test(sentence)) return true;
  // «No tiene créditos, por lo que se encuentra al corriente»: the second clause is not negated.
  return sentence.split(/\bpor (?:lo que|lo tanto|tanto)\b/).some((clause) => {
    const from = clause.search(negation);
    return from >= 0 && finding.test(clause.slice(from));
  });
}

export interface PrintedOpinion {
  readonly rfc: string;
  readonly opinion: ComplianceOpinion;
}

/** Results by document, because several fields or requests may read the same one. */
const printedOpinions = new WeakMap<Lines, PrintedOpinion | null>();

const title = /opinion del? cumplimiento de obligaciones fiscales en materia de seguridad social/;

/**
 * Reads an opinion of the social security institute: its conclusion, the signed chain at its foot, and the label «sentido de la
 * opinión». Returns null if the wording is unknown or contradicts itself. Opinions of the tax authority and of the housing fund
 * have other titles and are not read.
 */
export function readOpinion(lines: Lines): PrintedOpinion | null {
  const existing = printedOpinions.get(lines);
  if (existing !== undefined) return existing;
  const printed = readDocument(lines);
  printedOpinions.set(lines, printed);
  return printed;
}

/** Limits of a document. A real opinion has a few pages, and reading a large one would block the process. */
const maxCharacters = 100_000;
const maxCells = 6_000;
/** Letters of other scripts that may look like Latin ones, and invisible characters. */
const foreign = /(?!\p{Script=Latin})\p{L}|\p{Cf}/u;

function isReadable(lines: Lines): boolean {
  const cells = lines.flat();
  const length = cells.reduce((sum, cell) => sum + cell.length, 0);
  return cells.length <= maxCells && length <= maxCharacters && !cells.some((cell) => foreign.test(cell));
}

function readDocument(lines: Lines): PrintedOpinion | null {
  if (!isReadable(lines)) return null;
  const document = new OpinionDocument(lines);
  if (!title.test(document.prose)) return null;
  const sense = readSense(document);
  const rfc = agreedValue(
    [...document.chain('RFC'), ...document.labelled(/^(?:clave de )?r\.?f\.?c\.?$/)].filter(isRfc),
  );
  const dates = readDates(document);
  const folios = [...document.chain('Folio'), ...document.labelled(/^folio$/)];
  const folio = agreedValue(folios);
  if (sense === null || rfc === null || dates === null || (folio === null && folios.length > 0)) return null;
  const { rows, areComplete } = readCredits(lines);
  const statesNone = statesNoCredits(document.prose);
  if (contradictsSense(document.prose, sense) || (rows.length > 0 && statesNone)) return null;
  const isOwing = rows.length > 0 || !areComplete || statesDebt(document.prose);
  if (isOwing && sense !== 'NEGATIVE') return null;
  const isListed = areComplete && (rows.length > 0 || statesNone || sense !== 'NEGATIVE');
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

const debtWords = 'adeudos?|adeuda|importe|monto|saldo';
const owedInFigures = new RegExp(`(?<!\\bno )\\b(?:${debtWords})\\b[^.;|]{0,40}\\d`);

/** Whether the prose states a debt in figures: «adeudo total: 500». «Carta de No Adeudo Art. 32D» is the name of the procedure. */
function statesDebt(prose: string): boolean {
  return owedInFigures.test(prose) || /\$ ?\d|\d ?pesos\b|\ba pagar:? \d/.test(prose);
}

/** Whether the prose states that there are no credits: «Créditos fiscales: ninguno.» */
function statesNoCredits(prose: string): boolean {
  return /\bcreditos fiscales: ?(?:ninguno|sin creditos)\b/.test(prose);
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
