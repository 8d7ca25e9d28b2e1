import { GREEN, GREY, LINE, type Sheet } from './pdf';

/** A column of a table; `width` is its share of the line. */
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

/** Labels with their values, one a line. */
export function facts(sheet: Sheet, lines: readonly (readonly [label: string, value: string])[]): void {
  for (const [label, value] of lines) {
    row(sheet, [
      { text: label, width: 0.3, align: 'left', font: 'Helvetica', color: GREY },
      { text: value, width: 0.7, align: 'left', font: 'Helvetica-Bold', color: 'black' },
    ]);
  }
  sheet.moveDown(1.2);
}

/** A table that goes on over as many pages as it needs, with its headings on each. */
export function table(sheet: Sheet, columns: readonly Column[], lines: readonly (readonly string[])[]): void {
  const headings = (): void => headingRow(sheet, columns);
  headings();
  for (const line of lines) {
    const cells = columns.map(({ width, align = 'left' }, index): Cell => {
      return { text: line[index] ?? '', width, align, font: 'Helvetica', color: 'black' };
    });
    row(sheet, cells, headings);
  }
  sheet.moveDown(1.2);
}

function headingRow(sheet: Sheet, columns: readonly Column[]): void {
  const cells = columns.map(({ heading, width, align = 'left' }): Cell => {
    return { text: heading, width, align, font: 'Helvetica-Bold', color: 'white' };
  });
  row(sheet, cells, undefined, GREEN);
}

function row(sheet: Sheet, cells: readonly Cell[], onNewPage?: () => void, background?: string): void {
  const { left } = sheet.page.margins;
  const room = sheet.page.width - left - sheet.page.margins.right;
  const height = 2 * PADDING + Math.max(...cells.map((cell) => textHeight(sheet, cell, room)));
  if (sheet.y + height > sheet.page.maxY()) {
    sheet.addPage();
    onNewPage?.();
  }
  const top = sheet.y;
  if (background !== undefined) sheet.rect(left, top, room, height).fill(background);
  let x = left;
  for (const { text, width, align, font, color } of cells) {
    sheet.font(font).fontSize(SIZE).fillColor(color);
    sheet.text(text, x + PADDING, top + PADDING, { width: width * room - 2 * PADDING, align });
    x += width * room;
  }
  sheet
    .moveTo(left, top + height)
    .lineTo(left + room, top + height)
    .lineWidth(0.5)
    .stroke(LINE);
  // Text leaves the cursor after its own cell; the next row starts at the margin, below the tallest one.
  sheet.x = left;
  sheet.y = top + height;
}

function textHeight(sheet: Sheet, { text, width, font }: Cell, room: number): number {
  return sheet
    .font(font)
    .fontSize(SIZE)
    .heightOfString(text, { width: width * room - 2 * PADDING });
}
