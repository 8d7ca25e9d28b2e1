import type PDFDocument from 'pdfkit';

/** A column of a table. `width` is its share of the line. */
interface Column {
  readonly heading: string;
  readonly width: number;
  readonly align?: 'left' | 'right';
}

interface Cell {
  readonly text: string;
  readonly width: number;
  readonly align: 'left' | 'right';
  readonly font: 'Helvetica' | 'Helvetica-Bold';
  readonly color: string;
}

const SIZE = 9.5;
// Room above the first line: pdfkit measures a capital without its accent.
const PADDING = 5;

export function addFacts(pdf: PdfDocument, rows: readonly (readonly [label: string, value: string])[]): void {
  for (const [label, value] of rows) {
    addRow(pdf, [
      { text: label, width: 0.3, align: 'left', font: 'Helvetica', color: GREY },
      { text: value, width: 0.7, align: 'left', font: 'Helvetica-Bold', color: 'black' },
    ]);
  }
  pdf.moveDown(1.2);
}

/** Adds a table that may span several pages, with its headings on each page. */
export function addTable(pdf: PdfDocument, columns: readonly Column[], rows: readonly (readonly string[])[]): void {
  const addHeadings = (): void => addHeadingRow(pdf, columns);
  addHeadings();
  for (const row of rows) {
    const cells = columns.map(({ width, align = 'left' }, index): Cell => {
      return { text: row[index] ?? '', width, align, font: 'Helvetica', color: 'black' };
    });
    addRow(pdf, cells, addHeadings);
  }
  pdf.moveDown(1.2);
}

function addHeadingRow(pdf: PdfDocument, columns: readonly Column[]): void {
  const cells = columns.map(({ heading, width, align = 'left' }): Cell => {
    return { text: heading, width, align, font: 'Helvetica-Bold', color: 'white' };
  });
  addRow(pdf, cells, undefined, GREEN);
}

function addRow(pdf: PdfDocument, cells: readonly Cell[], onNewPage?: () => void, background?: string): void {
  const { left } = pdf.page.margins;
  const availableWidth = pdf.page.width - left - pdf.page.margins.right;
  const height = 2 * PADDING + Math.max(...cells.map((cell) => measureHeight(pdf, cell, availableWidth)));
  if (pdf.y + height > pdf.page.maxY()) {
    pdf.addPage();
    onNewPage?.();
  }
  const top = pdf.y;
  if (background !== undefined) pdf.rect(left, top, availableWidth, height).fill(background);
  let x = left;
  for (const { text, width, align, font, color } of cells) {
    pdf.font(font).fontSize(SIZE).fillColor(color);
    pdf.text(text, x + PADDING, top + PADDING, { width: width * availableWidth - 2 * PADDING, align });
    x += width * availableWidth;
  }
  pdf
    .moveTo(left, top + height)
    .lineTo(left + availableWidth, top + height)
    .lineWidth(0.5)
    .stroke(LINE);
  // Writing text moves the cursor after its cell. The next row starts at the margin, below the tallest cell.
  pdf.x = left;
  pdf.y = top + height;
}

function measureHeight(pdf: PdfDocument, { text, width, font }: Cell, availableWidth: number): number {
  return pdf
    .font(font)
    .fontSize(SIZE)
    .heightOfString(text, { width: width * availableWidth - 2 * PADDING });
}

export type PdfDocument = InstanceType<typeof PDFDocument>;

export interface PdfHeader {
  readonly office: string;
  readonly title: string;
  /** Reference that distinguishes this document from others of its kind. It is also part of the file's identifier. */
  readonly reference: string;
  readonly createdAt: Date;
}

const NOTICE =
  'Documento inventado por el sandbox de padron: las personas, los empleadores y las cantidades no existen.';
const MARGIN = 56;
export const GREEN = '#0b5d4b';
export const GREY = '#5f6b68';
const RED = '#a3122f';
export const LINE = '#d5dcda';

/** Renders a PDF in letter size. The same input always gives the same bytes. */
export async function renderPdf(header: PdfHeader, write: (pdf: PdfDocument) => void): Promise<Buffer> {
  // pdfkit is loaded on first use, because it takes longer to load than the rest of the sandbox and most runs do not need it.
  const { default: Document } = await import('pdfkit');
  const pdf = new Document({
    size: 'LETTER',
    margin: MARGIN,
    bufferPages: true,
    lang: 'es-MX',
    info: {
      Title: header.title,
      Author: 'padron sandbox',
      Subject: header.reference,
      Keywords: NOTICE,
      CreationDate: header.createdAt,
    },
  });
  const bytes = collectBytes(pdf);
  addLetterhead(pdf, header);
  write(pdf);
  addFooters(pdf);
  pdf.end();
  return bytes;
}

export function addHeadline(pdf: PdfDocument, text: string): void {
  pdf.moveDown(0.6).font('Helvetica-Bold').fontSize(14).fillColor(GREEN).text(text).moveDown(0.4);
}

export function addParagraph(pdf: PdfDocument, text: string): void {
  pdf.font('Helvetica').fontSize(10).fillColor('black').text(text, { align: 'left', lineGap: 2 }).moveDown(0.8);
}

function addLetterhead(pdf: PdfDocument, { office, title, reference }: PdfHeader): void {
  pdf.rect(0, 0, pdf.page.width, 8).fill(GREEN);
  pdf.font('Helvetica').fontSize(9).fillColor(GREY).text(office, MARGIN, 34).moveDown(0.5);
  pdf.font('Helvetica-Bold').fontSize(16).fillColor(GREEN).text(title).moveDown(0.3);
  pdf.font('Courier').fontSize(9).fillColor(GREY).text(reference).moveDown(0.8);
  pdf.font('Helvetica-Bold').fontSize(9).fillColor(RED).text(`SANDBOX. ${NOTICE}`).moveDown(1.2);
}

function addFooters(pdf: PdfDocument): void {
  const { start, count } = pdf.bufferedPageRange();
  for (let index = start; index < start + count; index += 1) {
    pdf.switchToPage(index);
    // Without this, text inside the bottom margin would start a new page.
    pdf.page.margins.bottom = 0;
    pdf.font('Helvetica').fontSize(8).fillColor(RED);
    pdf.text(`SANDBOX · Documento inventado · Página ${index + 1} de ${count}`, MARGIN, pdf.page.height - 36, {
      lineBreak: false,
    });
  }
}

function collectBytes(pdf: PdfDocument): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    pdf.on('end', () => resolve(Buffer.concat(chunks)));
    pdf.on('error', reject);
  });
}
