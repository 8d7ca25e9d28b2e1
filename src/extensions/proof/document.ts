import { buffer } from 'node:stream/consumers';
import { encode } from 'uqr';
import { type Facts, linesOf } from './facts';
import { sha256, signFile } from './signed-file';

const margin = 48;
const qrSize = 176;
const lineHeight = 24;
/** Height of an entry of which each fact takes one line. */
const entryHeight = 250;
/** Maximum characters of the signature in the QR code. Cameras read the small squares of longer ones less well. */
const maxQrCharacters = 1_300;

/** Returns the document as a signed PDF. The signature of its facts is attached to it, and shown as a QR code. */
export async function renderProof(facts: Facts, sign: (content: object) => Promise<string>): Promise<Buffer> {
  const jws = await sign(facts);
  // The header of the signature names the key.
  const short = await sign({ ...facts, head: { ...facts.head, key: null, keys: null } });
  // The code of a long document has the hash of the attached signature in place of the entries.
  const code = short.length > maxQrCharacters ? await sign({ ...facts, entries: null, sha256: sha256(jws) }) : short;
  // Loaded on demand, because most processes make no document.
  const { default: Document } = await import('pdfkit');
  const date = new Date(String(facts.head.made));
  const lines = linesOf(facts);
  const info = { Title: lines[0]?.[1] ?? '', Author: 'padron', CreationDate: date, ModDate: date };
  const pdf = new Document({ size: 'A4', margin, lang: facts.lang, info });
  pdf.compress = false;
  pdf.file(Buffer.from(jws), {
    name: 'padron-proof.jws',
    type: 'application/jose',
    creationDate: date,
    modifiedDate: date,
  });
  pdf.compress = true;
  const right = pdf.page.width - margin;
  const { data, size } = encode(code, { ecc: 'L', border: 0 });
  const side = qrSize / size;
  for (const [row, cells] of data.entries())
    for (const [column, isDark] of cells.entries())
      if (isDark) pdf.rect(right - qrSize + column * side, margin + row * side, side, side);
  pdf.fill('black');
  let width = right - margin - qrSize - 20;
  for (const [label, text, name] of lines) {
    if (name === 'id') {
      // Entries begin below the code.
      pdf.y = Math.max(pdf.y + 12, width < right - margin ? margin + qrSize + 12 : 0);
      width = right - margin;
    }
    if (pdf.y + (name === 'id' ? entryHeight : lineHeight) > pdf.page.maxY()) pdf.addPage();
    const { y } = pdf;
    const indent = label === '' ? 0 : width < right - margin ? 72 : 180;
    const isTitle = text === info.Title;
    pdf.font(isTitle || name === 'id' ? 'Helvetica-Bold' : 'Helvetica').fontSize(isTitle ? 15 : 8.5);
    pdf.fillColor('#555555').text(label, margin, y, { lineBreak: false });
    pdf
      .fillColor('black')
      .text(text, margin + indent, y, { width: width - indent })
      .moveDown(label === '' || name === 'keys' ? 0.6 : 0.3);
  }
  pdf.end();
  return signFile(await buffer(pdf), sign);
}
