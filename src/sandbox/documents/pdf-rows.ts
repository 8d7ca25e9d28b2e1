import { GREEN, GREY, LINE, type PdfDocument } from './pdf';

/** A column of a table. `width` is its share of the line. */
export interface Column {
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

/** Adds labels with their values, one per line. */
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
