import { instantInMexicoCity } from '../formats/dates';
import { readCredits, statesDebt, statesNoCredits } from './credits';
import { agreedValue, type Lines, Paper } from './paper';
import { readDates } from './printed-dates';
import { contradictsSense, readSense } from './sense';
import type { ComplianceOpinion } from './types';

/** What an opinion says, and of whom. */
export interface PrintedOpinion {
  readonly rfc: string;
  readonly opinion: ComplianceOpinion;
}

/** A document that serves several times is worked out once. */
const printedOpinions = new WeakMap<Lines, PrintedOpinion | null>();

const title = /opinion del? cumplimiento de obligaciones fiscales en materia de seguridad social/;

/**
 * Null where the wording is unknown or contradicts itself: nothing is guessed. Recognised is the institute's own paper, by its
 * conclusion and by the signed chain at its foot, and the label «sentido de la opinión». The opinions of the tax authority and
 * of the housing fund have other titles, and are not read.
 */
export function readOpinion(lines: Lines): PrintedOpinion | null {
  const existing = printedOpinions.get(lines);
  if (existing !== undefined) return existing;
  const printed = readPaper(lines);
  printedOpinions.set(lines, printed);
  return printed;
}

/** An opinion has a few pages. The work below is done in this process, so it is bounded. */
const maxCharacters = 100_000;
const maxCells = 6_000;
/** Letters that look like others, and marks that no one sees. */
const foreign = /(?!\p{Script=Latin})\p{L}|\p{Cf}/u;

function isReadable(lines: Lines): boolean {
  const cells = lines.flat();
  const length = cells.reduce((sum, cell) => sum + cell.length, 0);
  return cells.length <= maxCells && length <= maxCharacters && !cells.some((cell) => foreign.test(cell));
}

function readPaper(lines: Lines): PrintedOpinion | null {
  if (!isReadable(lines)) return null;
  const paper = new Paper(lines);
  if (!title.test(paper.prose)) return null;
  const sense = readSense(paper);
  const rfc = agreedValue([...paper.chain('RFC'), ...paper.labelled(/^(?:clave de )?r\.?f\.?c\.?$/)].filter(isRfc));
  const dates = readDates(paper);
  const folios = [...paper.chain('Folio'), ...paper.labelled(/^folio$/)];
  const folio = agreedValue(folios);
  if (sense === null || rfc === null || dates === null || (folio === null && folios.length > 0)) return null;
  const { rows, areComplete } = readCredits(lines);
  const statesNone = statesNoCredits(paper.prose);
  if (contradictsSense(paper.prose, sense) || (rows.length > 0 && statesNone)) return null;
  const isOwing = rows.length > 0 || !areComplete || statesDebt(paper.prose);
  if (isOwing && sense !== 'NEGATIVE') return null;
  const isListed = areComplete && (rows.length > 0 || statesNone || sense !== 'NEGATIVE');
  const validUntil = instantInMexicoCity(dates.validUntil);
  return { rfc, opinion: { sense, issuedOn: dates.issuedOn, validUntil, folio, credits: isListed ? rows : null } };
}

const isRfc = (text: string): boolean => /^[A-ZÑ&]{3,4}\d{6}[A-Z0-9]{3}$/.test(text);
