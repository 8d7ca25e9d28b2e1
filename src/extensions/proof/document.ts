import { createHash } from 'node:crypto';
import { encode } from 'uqr';
import { type Facts, type Line, linesOf } from './facts';
import type { ProofKeys } from './signature';

export const signatureName = 'padron-proof.jws';

const margin = 48;
const qrSize = 176;
const labelWidth = 180;
const size = 8.5;
/** Height of an entry of which each fact takes one line. */
const entryHeight = 245;
/** Maximum characters of a signature in the QR code. Cameras read the small squares of longer ones less well. */
const maxQrCharacters = 1_300;

type Pdf = InstanceType<typeof import('pdfkit')>;

/** Returns the signed document as a PDF. The signature is attached to it, and shown as a QR code. */
export async function renderProof(facts: Facts, keys: ProofKeys, lines = linesOf(facts, keys.kid)): Promise<Buffer> {
  const jws = await keys.sign(facts);
  const { v, lang, id, at } = facts;
  const sha256 = createHash('sha256').update(jws).digest('hex');
  // Without the facts themselves, the code has the hash of the attached signature.
  const shown = jws.length <= maxQrCharacters ? jws : await keys.sign({ v, lang, id, at, sha256 });
  // Loaded on demand, because most processes make no document.
  const { default: Document } = await import('pdfkit');
  const date = new Date(at);
  const [title] = lines;
  const info = { Title: title?.text ?? '', Author: 'padron', Subject: id, CreationDate: date, ModDate: date };
  const pdf: Pdf = new Document({ size: 'A4', margin, bufferPages: true, lang: lang === 'es' ? 'es-MX' : 'en', info });
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve, reject) => pdf.on('end', resolve).on('error', reject));
  pdf.file(Buffer.from(jws), { name: signatureName, type: 'application/jose', creationDate: date, modifiedDate: date });
  drawCode(pdf, shown);
  for (const line of lines) drawLine(pdf, line);
  numberPages(pdf);
  pdf.end();
  await ended;
  return Buffer.concat(chunks);
}

function drawCode(pdf: Pdf, text: string): void {
  const { data, size: modules } = encode(text, { ecc: 'L', border: 0 });
  const module = qrSize / modules;
  const left = pdf.page.width - margin - qrSize;
  for (const [row, cells] of data.entries())
    for (const [column, isDark] of cells.entries())
      if (isDark) pdf.rect(left + column * module, margin + row * module, module, module);
  pdf.fill('black');
  pdf.x = margin;
  pdf.y = margin;
}

function drawLine(pdf: Pdf, { kind, label, text }: Line): void {
  if (kind === 'entry') beginEntry(pdf);
  const isBeside = pdf.bufferedPageRange().count === 1 && pdf.y < margin + qrSize;
  const width = pdf.page.width - 2 * margin - (isBeside ? qrSize + 20 : 0);
  if (label === '') {
    pdf.font(kind === 'title' ? 'Helvetica-Bold' : 'Helvetica').fontSize(kind === 'title' ? 15 : 8);
    pdf.fillColor('black').text(text, margin, pdf.y, { width }).moveDown(0.6);
    return;
  }
  const indent = kind === 'head' ? 62 : labelWidth;
  const options = { width: width - indent };
  pdf.font(kind === 'entry' ? 'Helvetica-Bold' : 'Helvetica').fontSize(size).fillColor('black');
  const height = pdf.heightOfString(text, options) + 3;
  if (pdf.y + height > pdf.page.maxY()) pdf.addPage();
  const top = pdf.y;
  pdf.fillColor('#555555').text(label, margin, top, { lineBreak: false });
  pdf.fillColor('black').text(text, margin + indent, top, options);
  pdf.y = top + height;
}

/** Begins an entry below the code, or on a new page if it may not fit on this one. */
function beginEntry(pdf: Pdf): void {
  if (pdf.bufferedPageRange().count === 1) pdf.y = Math.max(pdf.y, margin + qrSize + 8);
  if (pdf.y + entryHeight > pdf.page.maxY()) pdf.addPage();
  const end = pdf.page.width - margin;
  pdf.moveTo(margin, pdf.y + 6).lineTo(end, pdf.y + 6).lineWidth(0.5).stroke('#999999');
  pdf.y += 14;
}

function numberPages(pdf: Pdf): void {
  const { count } = pdf.bufferedPageRange();
  for (let page = 0; page < count; page += 1) {
    pdf.switchToPage(page);
    // Without this, text inside the bottom margin would start a new page.
    pdf.page.margins.bottom = 0;
    pdf.fontSize(8).text(`${page + 1} / ${count}`, margin, pdf.page.height - 32, { lineBreak: false });
  }
}
