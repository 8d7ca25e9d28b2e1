import type PDFDocument from 'pdfkit';

/** The drawing surface of pdfkit, under the name by which the documents speak of it. */
export type Sheet = InstanceType<typeof PDFDocument>;

/** What every document of the sandbox shows around its own text. */
export interface Paper {
  readonly office: string;
  readonly title: string;
  /** What tells this document from its kind; it also makes the identifier inside the file its own. */
  readonly reference: string;
  readonly createdAt: Date;
}

const NOTICE =
  'Documento inventado por el sandbox de padron. Sin validez oficial: las personas, los empleadores y las cantidades no existen.';
const MARGIN = 56;
/** The colours of the paper. */
export const GREEN = '#0b5d4b';
export const GREY = '#5f6b68';
const RED = '#a3122f';
export const LINE = '#d5dcda';

/** One PDF, letter size; the same input gives the same bytes, since nothing in it comes from the clock or from chance. */
export async function printed(paper: Paper, write: (sheet: Sheet) => void): Promise<Buffer> {
  // Loaded on first use: pdfkit costs more to load than the rest of the sandbox, and most runs never print.
  const { default: Document } = await import('pdfkit');
  const sheet = new Document({
    size: 'LETTER',
    margin: MARGIN,
    bufferPages: true,
    lang: 'es-MX',
    info: {
      Title: paper.title,
      Author: 'padron sandbox',
      Subject: paper.reference,
      Keywords: NOTICE,
      CreationDate: paper.createdAt,
    },
  });
  const bytes = collected(sheet);
  letterhead(sheet, paper);
  write(sheet);
  footers(sheet);
  sheet.end();
  return bytes;
}

/** A line of emphasis, as the sense of an opinion. */
export function headline(sheet: Sheet, text: string): void {
  sheet.moveDown(0.6).font('Helvetica-Bold').fontSize(14).fillColor(GREEN).text(text).moveDown(0.4);
}

export function paragraph(sheet: Sheet, text: string): void {
  sheet.font('Helvetica').fontSize(10).fillColor('black').text(text, { align: 'left', lineGap: 2 }).moveDown(0.8);
}

function letterhead(sheet: Sheet, { office, title, reference }: Paper): void {
  sheet.rect(0, 0, sheet.page.width, 8).fill(GREEN);
  sheet.font('Helvetica').fontSize(9).fillColor(GREY).text(office, MARGIN, 34).moveDown(0.5);
  sheet.font('Helvetica-Bold').fontSize(16).fillColor(GREEN).text(title).moveDown(0.3);
  sheet.font('Courier').fontSize(9).fillColor(GREY).text(reference).moveDown(0.8);
  sheet.font('Helvetica-Bold').fontSize(9).fillColor(RED).text(`SANDBOX. ${NOTICE}`).moveDown(1.2);
}

function footers(sheet: Sheet): void {
  const { start, count } = sheet.bufferedPageRange();
  for (let index = start; index < start + count; index += 1) {
    sheet.switchToPage(index);
    // Text inside the bottom margin would otherwise open a page of its own.
    sheet.page.margins.bottom = 0;
    sheet.font('Helvetica').fontSize(8).fillColor(RED);
    sheet.text(`SANDBOX · Sin validez oficial · Página ${index + 1} de ${count}`, MARGIN, sheet.page.height - 36, {
      lineBreak: false,
    });
  }
}

function collected(sheet: Sheet): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    sheet.on('data', (chunk: Buffer) => chunks.push(chunk));
    sheet.on('end', () => resolve(Buffer.concat(chunks)));
    sheet.on('error', reject);
  });
}
