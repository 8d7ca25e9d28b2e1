import type PDFDocument from 'pdfkit';

/** A pdfkit document. */
export type PdfDocument = InstanceType<typeof PDFDocument>;

/** Header of the sandbox's documents. */
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

/** Adds an emphasized line, such as the sense of an opinion. */
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
