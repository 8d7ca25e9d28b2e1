import PDFDocument from 'pdfkit';
import { PdfTextReader } from '../../../../src/graph/core/files/pdf-text-reader';
import { readOpinion } from '../../../../src/graph/domains/opinion/read-opinion';

/** Names and addresses of employers whose words, amounts or letters are those of marks, debts or other scripts. */
const names = [
  ...['PLAFONES SUSPENDIDOS DEL NORTE SA DE CV', 'TECHOS SUSPENDIDOS Y MUROS', 'PUENTES SUSPENDIDOS DE MÉXICO'],
  ...['REVOCADOS Y ACABADOS DEL BAJÍO', 'REVOCADOS FINOS SA', 'ANULADORES DE RUIDO SA DE CV'],
  ...['PATRONATO PRO INVÁLIDOS AC', 'ASOCIACIÓN DE INVÁLIDOS DE PUEBLA', 'CASA DEL INVÁLIDO IAP'],
  ...['JUAN NULO PÉREZ', 'MARÍA NULA ORTIZ', 'HERMANOS NULOS SC', 'ROSA CANCELADA RUIZ', 'CANCELADOS GÓMEZ HERMANOS'],
  ...['VIDRIO CANCEL ACABADOS', 'CANCEL ADAPTABLE DE ALUMINIO', 'ALUMINIO CANCEL, CANCELERÍA Y CANCELADURAS'],
  ...['RECHAZADOS TEXTILES SA', 'TELAS RECHAZADAS Y SALDOS', 'ACEROS PENINSULAR', 'ACEROS PENÍNSULA ROJA SA'],
  ...['SIN VALOR AGREGADO SC', 'LETRAS SIN VALOR SA', 'EFECTOS SIN VALIDEZ TEATRO AC', 'NO VÁLIDO ESTUDIO SC'],
  ...['SE CANCELA RÁPIDO SA', 'SE ANULA TU DEUDA SC', 'SE REVOCA Y PINTA SA DE CV', 'ANULACIONES Y TRÁMITES SC'],
  ...['SEGUROS DE INVALIDEZ DEL SUR', 'TODO A 1,000 PESOS SA', 'TIENDAS 2.50 SA DE CV', 'CAFÉ 10.00 AM SC'],
  ...[
    'GRUPO $500 SA DE CV',
    'MIL 1.000.000,00 IDEAS SC',
    'µ ELECTRÓNICA SA',
    'Ω RELOJES FINOS',
    'SOFT\u00adWARE NACIONAL SA',
  ],
  ...['ОРЁЛ IMPORTACIONES SA', 'OPINIÓN NEGATIVA CONSULTORES SC', 'RESULTADO POSITIVO SA', 'SIN OPINIÓN PRENSA AC'],
  ...[
    'CRÉDITOS FISCALES ABOGADOS SC',
    'VIGENCIA HASTA EL FINAL AC',
    'CARECE DE EFECTO ESTUDIO',
    'NO SURTE EFECTOS TEATRO',
  ],
  ...['DOCUMENTOS CANCELADOS ARCHIVO SA', 'FOLIO 123 SA DE CV', 'OBRA SUSPENDIDA FILMES SA', 'LA NULA REPOSTERÍA'],
];
const marks = [
  ...[
    'CANCELADA',
    'OPINIÓN CANCELADA',
    'C A N C E L A D A',
    'NULA',
    'DOCUMENTO NULO',
    'NO VÁLIDA',
    'SIN VALIDEZ',
    'SIN VALOR',
  ],
  ...[
    'SUSPENDIDA',
    'RECHAZADA',
    'REVOCADA',
    'INVÁLIDA',
    'I N V Á L I D A',
    'Se anula esta opinión.',
    'Adeudo total: $1,234.50',
  ],
];

interface Paper {
  readonly name: string;
  readonly address?: string;
  readonly isChained?: boolean;
}

/** A positive opinion, with its label and value in one line. The institute has the name in its chain, without a label. */
function linesOf({ name, address = 'CALLE 1', isChained = false }: Paper): readonly string[] {
  const signed = isChained ? `|Nombre o Razon Social:${name}` : '';
  const chain = `||Invocante:a|Folio:123|RFC:EKU9003173C9${signed}|Opinion:POSITIVA|FechaInicioVigencia:20/11/2026 13:10:41|FechaFinVigencia:20/11/2026 23:59:59||`;
  return [
    'Opinión de cumplimiento de obligaciones fiscales en materia de seguridad social',
    'Sentido de la opinión: POSITIVA',
    isChained ? name : `Nombre o razón social\t${name}`,
    `Domicilio fiscal: ${address}`,
    'RFC\tEKU9003173C9',
    'Folio\t123',
    'Fecha de emisión\t20/11/2026 13:10:41',
    'Vigencia hasta las 23:59:59 horas del 20/11/2026',
    'Créditos fiscales: ninguno.',
    ...(`Cadena Original: ${chain}`.match(/.{1,97}/g) ?? []),
  ];
}

/** Reads lines that were drawn in their order, but for those that were added to them. */
function senseOf(drawn: readonly string[], lines = drawn): string | null {
  const text = { lines: lines.map((line) => line.split('\t')), drawn: drawn.join(' ') };
  return readOpinion(text)?.opinion.sense ?? null;
}

const papers = names.flatMap((name) => [
  { name },
  { name, isChained: true },
  { name: 'EMPRESA SA DE CV', address: name },
]);

describe('the opinion of an employer whose name or address has words of marks', () => {
  it('is read as it is, for fifty names', () => {
    expect(new Set(names).size).toBeGreaterThanOrEqual(50);
    const unread = papers.filter((paper) => senseOf(linesOf(paper)) !== 'POSITIVE');
    expect(unread).toEqual([]);
  });

  it.each(marks)('is never positive with the mark %s added, wherever it is printed', (mark) => {
    const positive = papers.flatMap((paper) => {
      const lines = linesOf(paper);
      const place = lines.findIndex((line) => line.includes(paper.name));
      const inLine = (change: (line: string) => string) =>
        lines.map((line, index) => (index === place ? change(line) : line));
      const drawn = [...lines, mark];
      const printed = [
        [...lines, mark],
        [mark, ...lines],
        // Beside the name, and between the label and the name.
        inLine((line) => `${line}\t${mark}`),
        inLine((line) => `${line} ${mark}`),
        inLine((line) => line.replace('\t', `\t${mark}\t`)),
        inLine((line) => line.replace('\t', `\t${mark} `)),
      ];
      return printed
        .filter((each) => each.join() !== lines.join() && senseOf(drawn, each) !== null)
        .map((each) => [paper, each[place]]);
    });
    expect(positive).toEqual([]);
  });

  it.each([
    ['REVOCA', 'OPINIÓN REVOCADA'],
    ['CANCEL', 'CANCELADA'],
    ['CANCEL', 'C A N C E L A D A'],
    ['RECHAZA', 'RECHAZADA'],
    ['PENDI', 'S U S P E N D I D A'],
    ['PENDI', 'SUSPENDIDA'],
    ['VALOR FISCAL', 'DOCUMENTO SIN VALOR FISCAL'],
    ['EFECTOS LEGALES', 'NO SURTE EFECTOS LEGALES'],
    ['VALOR AGREGADO', 'SIN VALOR AGREGADO'],
  ])('is never positive if the name %s is a part of the mark %s', (name, mark) => {
    for (const isChained of [true, false]) {
      const lines = linesOf({ name, isChained });
      expect([senseOf([...lines, mark]), senseOf([mark, ...lines])]).toEqual([null, null]);
    }
  });

  it.each([
    'OPINIÓN CANCELADA POR RESOLUCIÓN DEL INSTITUTO',
    'Por lo anterior, se emite opinión Negativa.',
    '202605 Y5412345103 Cuotas IMSS $1,234.00',
  ])('is never positive if nothing follows a label on its line but the next line is: %s', (next) => {
    const lines = linesOf({ name: 'EMPRESA SA DE CV', address: '' }).flatMap((line) =>
      line.startsWith('Domicilio') ? [line.trim(), next] : [line],
    );
    expect(senseOf(lines)).toBeNull();
    const within = linesOf({ name: 'EMPRESA SA DE CV', address: `CALLE 1. ${next}` });
    expect(senseOf(within)).toBe(next.startsWith('2026') ? 'POSITIVE' : null);
  });

  it('is read if the label of the result follows the label of the name', () => {
    const lines = linesOf({ name: 'EMPRESA SA DE CV' }).filter((line) => !/^(?:Nombre|Sentido)/.test(line));
    expect(senseOf([...lines, 'Nombre o razón social\tSentido de la opinión\tPOSITIVA'])).toBe('POSITIVE');
  });

  it('is unreadable if the name may be a mark, or if it does not follow its label', () => {
    for (const name of ['CANCELADA', 'OPINIÓN CANCELADA', 'DOCUMENTO NULO', 'SUSPENDIDA'])
      expect([{ name }, { name, isChained: true }].map((paper) => senseOf(linesOf(paper)))).toEqual([null, null]);
    const lines = linesOf({ name: 'PLAFONES SUSPENDIDOS DEL NORTE' });
    const apart = lines.map((line) => line.replace('\t', ' '));
    expect(
      senseOf([...apart.filter((line) => !line.includes('PLAFONES')), 'PLAFONES SUSPENDIDOS DEL NORTE'], lines),
    ).toBeNull();
  });
});

describe('a stamp on the opinion of PLAFONES SUSPENDIDOS', () => {
  const reader = new PdfTextReader();
  afterAll(() => reader.close());

  async function senseOfPdf(stamp: (pdf: PDFKit.PDFDocument) => void): Promise<string | null> {
    const pdf = new PDFDocument({ size: 'LETTER', margin: 50 });
    const chunks: Buffer[] = [];
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    const bytes = new Promise<Buffer>((resolve) => pdf.on('end', () => resolve(Buffer.concat(chunks))));
    pdf.fontSize(8);
    for (const [row, line] of linesOf({ name: 'PLAFONES SUSPENDIDOS DEL NORTE' }).entries())
      for (const [column, text] of line.split('\t').entries())
        pdf.text(text, 50 + 130 * column, 50 + 20 * row, { lineBreak: false });
    stamp(pdf);
    pdf.end();
    const reading = await reader.read(await bytes);
    if ('problem' in reading) throw new Error(reading.problem);
    return readOpinion(reading)?.opinion.sense ?? null;
  }

  const letters = [...'CANCELADA'];
  it.each<[string, string | null, (pdf: PDFKit.PDFDocument) => void]>([
    ['is missing', 'POSITIVE', () => undefined],
    [
      'is turned',
      null,
      (pdf) =>
        void pdf
          .rotate(45, { origin: [200, 200] })
          .fontSize(40)
          .text('CANCELADA', 100, 200),
    ],
    ['is beside the name', null, (pdf) => void pdf.text('CANCELADA', 330, 90, { lineBreak: false })],
    ['is between the label and the name', null, (pdf) => void pdf.text('CANCELADA', 140, 90, { lineBreak: false })],
    [
      'has letters across the page, of which one is in the name',
      null,
      (pdf) =>
        letters.forEach(
          (letter, index) => void pdf.text(letter, 130 + 15 * index, 50 + 20 * index, { lineBreak: false }),
        ),
    ],
  ])('is found if it %s', async (_, sense, stamp) => {
    expect(await senseOfPdf(stamp)).toBe(sense);
  });
});
