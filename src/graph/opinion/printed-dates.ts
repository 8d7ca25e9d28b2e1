import { parseDayFirstDate } from '../formats/dates';
import { agreedValue, distinctTexts, fold, type OpinionDocument } from './opinion-document';

/** Dates of an opinion, in the time zone of Mexico City. */
export interface PrintedDates {
  readonly issuedOn: string;
  /** `YYYY-MM-DDTHH:MM:SS` */
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
/** Time used if the opinion gives only the day on which it expires. */
const endOfDay = '23:59:59';

/** Reads the dates of an opinion. Returns null if a date is missing or the document contradicts itself. */
export function readDates(document: OpinionDocument): PrintedDates | null {
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
