import { instantInMexicoCity } from '../formats/dates';
import { readCredits, statesDebt, statesNoCredits } from './credits';
import { agreedValue, type Lines, OpinionDocument } from './opinion-document';
import { readDates } from './printed-dates';
import { contradictsSense, readSense } from './sense';
import type { ComplianceOpinion } from './types';

/** Content of an opinion and the RFC that it is about. */
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
