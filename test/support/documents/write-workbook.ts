import { buffer } from 'node:stream/consumers';
import * as ExcelJS from '@cj-tech-master/excelts';
import JSZip from 'jszip';
import { ZipFile } from 'yazl';

type CellValue = ExcelJS.CellValue;

/** Returns an .xlsx file with one sheet. `formats` are number formats by column, from 1. */
export async function writeWorkbook(
  rows: readonly (readonly CellValue[])[],
  formats: Readonly<Record<number, string>> = {},
  name = 'Plantilla',
): Promise<Buffer> {
  const book = new ExcelJS.Workbook();
  const sheet = book.addWorksheet(name);
  for (const [column, format] of Object.entries(formats)) sheet.getColumn(Number(column)).numFmt = format;
  for (const row of rows) sheet.addRow([...row]);
  return Buffer.from(await book.xlsx.writeBuffer());
}

/** Replaces or adds parts of an .xlsx file. A null removes the part. yazl packs with zlib: JSZip takes minutes for 200 MB. */
export async function withParts(
  bytes: Buffer,
  parts: Readonly<Record<string, string | Buffer | null>>,
): Promise<Buffer> {
  const zip = new ZipFile();
  for (const part of Object.values((await JSZip.loadAsync(bytes)).files))
    if (!part.dir && !(part.name in parts)) zip.addBuffer(await part.async('nodebuffer'), part.name);
  for (const [name, content] of Object.entries(parts)) if (content !== null) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  return buffer(zip.outputStream);
}

export const sheetPart = 'xl/worksheets/sheet1.xml';

export const sheetXml = (data: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${data}</sheetData></worksheet>`;
