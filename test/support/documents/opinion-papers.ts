import PDFDocument from 'pdfkit';

/** Returns a PDF of these lines. A tab starts the next column. */
export function printLines(lines: readonly string[]): Promise<Buffer> {
  const pdf = new PDFDocument({ size: 'LETTER', margin: 50 });
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  const bytes = new Promise<Buffer>((resolve) => pdf.on('end', () => resolve(Buffer.concat(chunks))));
  pdf.fontSize(8).fillColor('black');
  for (const line of lines) {
    if (pdf.y > 720) pdf.addPage();
    const top = pdf.y;
    for (const [column, text] of line.split('\t').entries())
      pdf.text(text, 50 + column * 130, top, { lineBreak: false });
    pdf.x = 50;
    pdf.y = top + 12;
  }
  pdf.end();
  return bytes;
}

export interface InstitutePaper {
  readonly rfc: string;
  /** In the conclusion: «se emite opinión …». */
  readonly conclusion: string;
  readonly chained: string;
  readonly finding: string;
  readonly issued: string;
  readonly validTo: string;
  readonly folio: string;
  readonly rows: readonly string[];
}

export const positivePaper: InstitutePaper = {
  rfc: 'EKU9003173C9',
  conclusion: 'Positiva',
  chained: 'POSITIVA',
  finding: 'se observa que se encuentra al corriente en el cumplimiento de sus obligaciones.',
  issued: '20 de noviembre de 2026',
  validTo: '20 de noviembre de 2026',
  folio: '17637000000000000000001',
  rows: [],
};

/** The parts of the institute's paper in its order, with its chain broken over lines inside of words. */
export function instituteLines(paper: InstitutePaper): readonly string[] {
  const { rfc, conclusion, chained, finding, issued, validTo, folio, rows } = paper;
  const chain = `||Invocante:portalimssdigital|Tramite:Carta de No Adeudo Art. 32D|Fecha:${issued.replace(/ de (\d{4})/, ' $1')}, 13:10:41|Folio:${folio}|RFC:${rfc}|Nombre o Razon Social:EMPRESA INVENTADA SA DE CV|CURP:|Opinion:${chained}|FechaInicioVigencia:${issued.replace(/ de (\d{4})/, ' $1')}, 13:10:41|FechaFinVigencia:${validTo}, 23:59:59||`;
  return [
    'Opinión del Cumplimiento de Obligaciones Fiscales en materia de Seguridad Social',
    `\tFECHA: ${issued}`,
    'EMPRESA INVENTADA SA DE CV',
    'Clave de R.F.C.:',
    `\tFolio: ${folio}`,
    rfc,
    'Respuesta de opinión:',
    'En atención a su consulta sobre el cumplimiento de obligaciones fiscales en materia de seguridad social, se le',
    'informa lo siguiente:',
    ...(`En los controles electrónicos del Instituto Mexicano del Seguro Social, ${finding}`.match(
      /.{1,90}(?:\s|$)/g,
    ) ?? []),
    'Por lo anterior, se emite',
    `opinión ${conclusion}.`,
    ...rows,
    `Esta carta opinión del cumplimiento de obligaciones fiscales tiene una vigencia hasta el ${validTo}, 23:59:59.`,
    ...(`Cadena Original: ${chain}`.match(/.{1,97}/g) ?? []),
    'Sello digital: U0lOIFZBTElERVo=',
  ];
}
