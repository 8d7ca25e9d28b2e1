import { Readable } from 'node:stream';
import { type Cell, type Row, Workbook } from '@cj-tech-master/excelts';

export interface SheetContent {
  readonly name: string;
  /** Cells as a spreadsheet shows them, one list per row. */
  readonly texts: readonly (readonly string[])[];
  /** `text` for a text cell whose format keeps it a text, otherwise the type of the cell. */
  readonly kinds: readonly (readonly string[])[];
  readonly isHeaderBold: boolean;
  readonly frozenRows: number;
  readonly filter: unknown;
  readonly lastColumn: string;
}

export async function readWorkbook(bytes: Buffer): Promise<SheetContent> {
  const workbook = await new Workbook().xlsx.read(Readable.from([bytes]));
  const [sheet] = workbook.worksheets;
  if (sheet === undefined) throw new Error('The workbook has no sheet.');
  const width = sheet.actualColumnCount === 0 ? 0 : sheet.columnCount;
  const rows: readonly Row[] = sheet.getRows(1, sheet.rowCount) ?? [];
  const cells = rows.map((row) => Array.from({ length: width }, (_item, index) => row.getCell(index + 1)));
  const [view] = sheet.views;
  return {
    name: sheet.name,
    texts: cells.map((row) => row.map(textOf)),
    kinds: cells.map((row) => row.map(kindOf)),
    isHeaderBold: cells[0]?.every(({ font, value }) => value === null || font?.bold === true) ?? false,
    frozenRows: view?.state === 'frozen' ? (view.ySplit ?? 0) : 0,
    filter: sheet.autoFilter,
    lastColumn: sheet.getColumn(width).letter,
  };
}

function textOf({ value, text, numFmt }: Cell): string {
  const format = String(numFmt);
  if (value instanceof Date) {
    const [day, time = ''] = value.toISOString().slice(0, 19).split('T');
    return format.includes('hh') ? `${day} ${time}` : `${day}`;
  }
  const places = /^0\.(0+)$/.exec(format)?.[1]?.length;
  if (typeof value === 'number' && places !== undefined) return value.toFixed(places);
  return value === null ? '' : text;
}

function kindOf({ value, numFmt }: Cell): string {
  if (typeof value === 'string' || (typeof value === 'object' && value !== null && 'richText' in value))
    return numFmt === '@' ? 'text' : 'string';
  if (value === null) return 'empty';
  return value instanceof Date ? 'day' : typeof value;
}
