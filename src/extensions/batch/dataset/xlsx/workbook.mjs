// @ts-check
import { WorkbookError } from './limits.mjs';
import { readXml } from './xml.mjs';

const maxSheets = 1_000;
/** More than Excel allows, which is 31 characters. */
const maxNameLength = 200;
const maxFormats = 100_000;
/** Numbers of the built-in formats for dates and times. */
const builtInDates = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
];
const daySeconds = 86_400;
/** Days from the beginning of the calendars of spreadsheets to 1970. */
const daysTo1970 = { from1900: 25_569, from1904: 24_107 };

/**
 * Returns the visible sheets, in the order of the workbook: their names, and the names of the parts that contain them. `related` has
 * the names of other parts by their kind.
 * @param {(name: string) => Promise<AsyncIterable<string> | null>} open
 */
export async function readSheetList(open) {
  const { related: parts } = await readTargets(await open('_rels/.rels'), '');
  const usual = 'xl/workbook.xml';
  const named = parts.get('officeDocument') ?? usual;
  const opened = await open(named);
  const [part, workbook] = opened === null ? [usual, await open(usual)] : [named, opened];
  if (workbook === null) throw new WorkbookError('NOT_A_WORKBOOK');
  let isWorkbook = false;
  /** @type {{ name: string, id: string }[]} */
  const visible = [];
  let isDate1904 = false;
  for await (const events of readXml(workbook))
    for (const event of events) {
      if (!('open' in event)) continue;
      const { open: name, attributes } = event;
      isWorkbook ||= name === 'workbook';
      if (name === 'workbookPr') isDate1904 = attributes.date1904 === '1' || attributes.date1904 === 'true';
      if (name !== 'sheet' || (attributes.state ?? 'visible') !== 'visible') continue;
      const key = Object.keys(attributes).find((each) => each.endsWith(':id')) ?? 'id';
      visible.push({ name: (attributes.name ?? '').slice(0, maxNameLength), id: attributes[key] ?? '' });
      if (visible.length > maxSheets) throw new WorkbookError('TOO_LARGE');
    }
  if (!isWorkbook) throw new WorkbookError('NOT_A_WORKBOOK');
  const folder = part.slice(0, part.lastIndexOf('/') + 1);
  const { targets, related } = await readTargets(
    await open(`${folder}_rels/${part.slice(folder.length)}.rels`),
    folder,
  );
  const sheets = visible.map(({ name, id }) => ({ name, part: targets.get(id) ?? '' }));
  return { sheets, related, isDate1904 };
}

/**
 * @param {AsyncIterable<string> | null} text
 * @param {string} folder
 */
async function readTargets(text, folder) {
  /** @type {Map<string, string>} */
  const targets = new Map();
  /** @type {Map<string, string>} */
  const related = new Map();
  for await (const events of readXml(text))
    for (const event of events) {
      if (!('open' in event) || event.open !== 'Relationship') continue;
      const { Id = '', Target = '', Type = '' } = event.attributes;
      const part = Target.startsWith('/') ? Target.slice(1) : `${folder}${Target}`;
      targets.set(Id, part);
      related.set(Type.slice(Type.lastIndexOf('/') + 1), part);
    }
  return { targets, related };
}

/** The number formats of cells: dates, and identifiers to which the format adds zeros. */
export class CellFormats {
  /** @type {Map<number, string>} */
  #codes = new Map();
  /** @type {number[]} Numbers of the formats, by style. */
  #styles = [];
  #isDate1904 = false;

  /**
   * @param {AsyncIterable<string> | null} text
   * @param {boolean} isDate1904
   */
  static async read(text, isDate1904) {
    const formats = new CellFormats();
    formats.#isDate1904 = isDate1904;
    let isInCells = false;
    for await (const events of readXml(text))
      for (const event of events) {
        if ('open' in event && event.open === 'numFmt')
          formats.#codes.set(Number(event.attributes.numFmtId), event.attributes.formatCode ?? '');
        if ('open' in event && event.open === 'cellXfs') isInCells = true;
        if ('close' in event && event.close === 'cellXfs') isInCells = false;
        if ('open' in event && event.open === 'xf' && isInCells)
          formats.#styles.push(Number(event.attributes.numFmtId));
        if (formats.#codes.size > maxFormats || formats.#styles.length > maxFormats)
          throw new WorkbookError('TOO_LARGE');
      }
    return formats;
  }

  /**
   * Returns a number as text without an exponent, or the date that its format shows.
   * @param {string} text
   * @param {number} style
   */
  toText(text, style) {
    const number = Number(text);
    if (text.trim() === '' || !Number.isFinite(number)) return text;
    const format = this.#styles[style] ?? 0;
    const code = (this.#codes.get(format) ?? '').slice(0, 255);
    if (
      number >= 0 &&
      (builtInDates.some(([first = 0, last = 0]) => format >= first && format <= last) || isDateCode(code))
    )
      return this.#toDate(number) ?? text;
    // A text of digits can have more of them than a number.
    const plain = /^\d+$/.test(text) ? text : Number.isInteger(number) ? BigInt(number).toString() : String(number);
    // A format such as `00000000000` shows the zeros that the number does not have.
    return /^0{2,}$/.test(code) && Number.isInteger(number) && number >= 0 ? plain.padStart(code.length, '0') : plain;
  }

  /** @param {number} serial */
  #toDate(serial) {
    const seconds = Math.round(serial * daySeconds);
    const days = this.#isDate1904 ? daysTo1970.from1904 : daysTo1970.from1900;
    const date = new Date((seconds - days * daySeconds) * 1_000);
    if (Number.isNaN(date.getTime())) return null;
    const [day = '', time = ''] = date.toISOString().slice(0, 19).split('T');
    if (serial < 1) return time;
    return time === '00:00:00' ? day : `${day}T${time}`;
  }
}

/**
 * Whether a format code shows a date or a time. Texts in quotes, escaped characters, colors and conditions are ignored.
 * @param {string} code
 */
const isDateCode = (code) => /[dmyhs]/i.test(code.replace(/"[^"]*"|\\.|\[(?!h+\]|m+\]|s+\])[^\]]*\]|General/gi, ''));
