import type PDFDocument from 'pdfkit';

/** A document of pdfkit, while it is written. */
export type PdfDocument = InstanceType<typeof PDFDocument>;

/** What every document of the sandbox shows above its text. */
export interface PdfHeader {
  readonly office: string;
  readonly title: string;
  /** Distinguishes this document from others of its kind, also in the identifier inside the file. */
  readonly reference: string;
  readonly createdAt: Date;
}

const NOTICE =
  'Documento inventado por el sandbox de padron: las personas, los empleadores y las cantidades no existen.';
const MARGIN = 56;
/** The colours of the documents. */
export const GREEN = '#0b5d4b';
export const GREY = '#5f6b68';
const RED = '#a3122f';
export const LINE = '#d5dcda';

/** Renders one PDF, letter size; the same input gives the same bytes, since nothing in it comes from the clock or from chance. */
export async function renderPdf(header: PdfHeader, write: (pdf: PdfDocument) => void): Promise<Buffer> {
  // Loaded on first use: pdfkit costs more to load than the rest of the sandbox, and most runs never print.
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

/** A line of emphasis, as the sense of an opinion. */
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
    // Text inside the bottom margin would otherwise open a page of its own.
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
