import type { Text } from '../../../../identifiers/text';
import { checkHeader, type FoundHeader, findHeader, type HeaderFit, toColumns } from '../columns/header';
import { listNames } from '../columns/match-column';
import { type Dataset, DatasetError, type DatasetRow } from '../dataset';
import { surplusValues } from '../text/read-csv';
import type { CellFault } from './sheet.mjs';
import { type SheetRow, Workbook } from './workbook-process';

/** Maximum sheets in which the columns are searched, unless one is chosen. */
const maxSearched = 50;
const emptyRow: SheetRow = { line: 1, cells: [], typed: [] };

export const isZip = (start: Buffer): boolean => start.subarray(0, 4).toString('latin1') === 'PK\x03\x04';

/** Whether a file begins as an old workbook or one that is encrypted with a password. */
export const isOldWorkbook = (start: Buffer): boolean => start.subarray(0, 4).toString('hex') === 'd0cf11e0';

interface OpenSheet {
  readonly dataset: Dataset;
  readonly close: () => void;
}

interface SheetHead {
  readonly name: string;
  readonly rows: readonly SheetRow[];
  readonly header: FoundHeader;
}

/**
 * Reads the chosen sheet of a workbook. If none is chosen, reads the first visible one whose columns fit. Lines above the header, such
 * as a title, are skipped. `owner` is the account or the client that waits for a reader.
 */
export async function readXlsx(
  bytes: AsyncIterable<Buffer>,
  fits: HeaderFit,
  chosen: string | null,
  owner: string,
): Promise<OpenSheet> {
  const workbook = await Workbook.open(bytes, owner);
  try {
    const { name: sheet, rows, header } = await findSheet(workbook, fits, chosen);
    const names = { sheet, sheets: workbook.sheets };
    const { cells, line } = rows[header.index] ?? emptyRow;
    const columns = toColumns(cells, header.height === 2 ? rows[header.index + 1]?.cells : []);
    checkHeader(columns);
    // If the columns do not fit, the caller rejects them, and reads no rows.
    const dataRows = toRows(rows.slice(header.index + header.height), workbook.readRest(), columns.length);
    return { dataset: { ...names, columns, headerLine: line, rows: dataRows }, close: workbook.close };
  } catch (error) {
    workbook.close();
    throw error;
  }
}

/** Finds the sheet whose columns fit. If there is none, returns the one with the most columns, whose names the caller may choose. */
async function findSheet(workbook: Workbook, fits: HeaderFit, chosen: string | null): Promise<SheetHead> {
  const { sheets } = workbook;
  let best: SheetHead | null = null;
  for (const index of chosen === null ? sheets.slice(0, maxSearched).keys() : [findChosen(sheets, chosen)]) {
    const rows: SheetRow[] = [];
    for await (const row of workbook.readHead(index)) rows.push(row);
    const found = findHeader(
      rows.map(({ cells }) => cells),
      fits,
    );
    if (best === null || found.isFitting || found.columns > best.header.columns)
      best = { name: sheets[index] ?? '', rows, header: found };
    if (found.isFitting) break;
  }
  if (best === null || best.header.columns === 0) throw new DatasetError(emptyWorkbook, { sheets });
  return best;
}

/** Returns the position of a sheet. Case is ignored, because the names of two sheets never differ in case only. */
function findChosen(sheets: readonly string[], chosen: string): number {
  const fold = (name: string): string => name.trim().toLowerCase();
  const index = sheets.findIndex((name) => fold(name) === fold(chosen));
  if (index === -1) throw new DatasetError(noSheet(chosen, sheets), { sheets });
  return index;
}

async function* toRows(
  head: readonly SheetRow[],
  rest: AsyncGenerator<SheetRow>,
  columns: number,
): AsyncGenerator<DatasetRow> {
  for (const row of head) yield toRow(row, columns);
  for await (const row of rest) yield toRow(row, columns);
}

function toRow({ line, cells, typed, isHidden = false, faults = [] }: SheetRow, columns: number): DatasetRow {
  if (cells.length > columns) return { line, cells, typed, message: surplusValues(cells.length, columns) };
  return {
    line,
    cells,
    typed,
    remarks: isHidden ? [hiddenRow] : [],
    faults: new Map(faults.map(([column, fault]) => [column, faultReasons[fault]])),
  };
}

const hiddenRow: Text = {
  english: 'The row is hidden in the workbook, by a filter or by hand. It runs like the others.',
  spanish: 'La fila está oculta en el libro, por un filtro o a mano. Se procesa como las demás.',
};
const faultReasons: Readonly<Record<CellFault, Text>> = {
  NO_VALUE: {
    english: 'The cell is a formula without a value. Open the workbook in Excel and save it.',
    spanish: 'La celda es una fórmula sin valor. Abra el libro en Excel y guárdelo.',
  },
  NO_TEXT: {
    english: 'The text of the cell is missing in the workbook. Open the workbook in Excel and save it.',
    spanish: 'El texto de la celda falta en el libro. Abra el libro en Excel y guárdelo.',
  },
  ERROR: {
    english: 'The cell has an error, such as #N/A. Correct it, or clear the cell.',
    spanish: 'La celda tiene un error, como #N/A o #N/D. Corríjalo o borre la celda.',
  },
};

const emptyWorkbook: Text = {
  english: 'The workbook has no visible sheet with rows. Begin a sheet with the names of the columns.',
  spanish: 'El libro no tiene ninguna hoja visible con filas. Una hoja debe empezar con los nombres de las columnas.',
};
const noSheet = (name: string, sheets: readonly string[]): Text => ({
  english: `The workbook has no visible sheet ${listNames([name])}. Choose one of its sheets: ${listNames(sheets)}.`,
  spanish: `El libro no tiene ninguna hoja visible ${listNames([name])}. Elija una de sus hojas: ${listNames(sheets)}.`,
});
