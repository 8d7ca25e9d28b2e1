import PDFDocument from 'pdfkit';
import { renderOpinion } from '../../../../src/extensions/sandbox/documents/certificates';
import { readOpinion } from '../../../../src/graph/domains/opinion/read-opinion';
import { hostilePdfs } from '../../../support/documents/hostile-pdfs';
import { debtor, NOW, OPINION, payer, SNAPSHOTS, SUBJECT } from '../../../support/operations/employer-graph';
import { proxiedPadronForTests } from '../../../support/padrons/padron-for-tests';
import { processorTime } from '../../../support/processor-time';
import { card } from '../../../support/sandbox/cards';

/** Returns a PDF of these lines. A tab starts the next column. */
function printLines(lines: readonly string[]): Promise<Buffer> {
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

const positivePaper = {
  rfc: 'EKU9003173C9',
  /** In the conclusion: «se emite opinión …». */
  conclusion: 'Positiva',
  chained: 'POSITIVA',
  finding: 'se observa que se encuentra al corriente en el cumplimiento de sus obligaciones.',
  issued: '20 de noviembre de 2026',
  validTo: '20 de noviembre de 2026',
  folio: '17637000000000000000001',
  rows: [] as readonly string[],
};
type InstitutePaper = Readonly<typeof positivePaper>;

/** The parts of the institute's paper in its order, with its chain broken over lines inside of words. */
function instituteLines(paper: InstitutePaper): readonly string[] {
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

const selection = 'opinion { sense issuedOn validUntil folio credits { period registration amount } }';
const proof = 'outcome problems { code message path retryable }';
const question = (fields: string) => `query ($registration: EmployerRegistration!, $rfc: RFC) {
  employer(registration: $registration) { complianceOpinion(rfc: $rfc) { ${fields} } } }`;

/** The same by fragments within fragments, of which conditions leave some out. */
const byFragments = (fields: string) => `query ($registration: EmployerRegistration!, $rfc: RFC, $yes: Boolean!) {
  employer(registration: $registration) { complianceOpinion(rfc: $rfc) { ${fields} } } }
  fragment Proof on RegistryLookup { ${proof} ... @skip(if: $yes) { __typename } }
  fragment Said on ComplianceOpinionLookup { ...Inner } fragment Inner on ComplianceOpinionLookup { ${selection} }`;

const { registration, rfc } = payer;
const endOfToday = '2026-11-21T05:59:59.000Z';

describe('ComplianceOpinionLookup.opinion', () => {
  const padron = proxiedPadronForTests({}, null, { now: () => NOW });

  const ask = async (variables: Readonly<Record<string, unknown>> = {}, query = question(`${proof} ${selection}`)) => {
    const { status, data, errors } = await padron.ask(query, { registration, rfc, ...variables });
    expect({ status, errors }).toEqual({ status: 200, errors: undefined });
    return data.employer.complianceOpinion;
  };
  /** The service's answer, with another document in it. */
  const askAbout = async (pdf: Buffer, query?: string) => {
    padron.proxy.tamper((__, { path }) => (path === '/private/32d-imss' ? { bytes: pdf } : null));
    const answer = await ask(query?.includes('$yes') ? { yes: true } : {}, query);
    expect(padron.calls()).toEqual([SUBJECT, OPINION]);
    return answer;
  };
  const unreadable = (message = expect.stringContaining('cannot be determined')) => ({
    outcome: 'FOUND',
    problems: [{ code: 'OPINION_UNREADABLE', message, path: null, retryable: false }],
    opinion: null,
  });

  it('reads a positive opinion', async () => {
    const before = padron.spent();
    expect(await ask({ rfc: null })).toEqual({
      outcome: 'FOUND',
      problems: [],
      opinion: {
        ...{ sense: 'POSITIVE', issuedOn: '2026-11-20', validUntil: endOfToday, credits: [] },
        folio: expect.stringMatching(/^\d{23}$/),
      },
    });
    expect(padron.spent() - before).toBe(3);
    expect([...padron.calls()].sort()).toEqual([SNAPSHOTS, OPINION, SUBJECT].sort());
  });

  it('reads a negative opinion, with its fiscal credits', async () => {
    const { problems, opinion } = await ask({ registration: debtor.registration, rfc: debtor.rfc });
    expect({ problems, sense: opinion.sense }).toEqual({ problems: [], sense: 'NEGATIVE' });
    expect(opinion.credits).toContainEqual({
      period: '2024-03',
      registration: debtor.registration,
      amount: expect.stringMatching(/^\d+\.\d{2}$/),
    });
    expect(padron.calls()).toEqual([SUBJECT, OPINION]);
  });

  it('reads the absence of an opinion', async () => {
    const { name: employerName, obligatedSubjectId } = payer;
    const said = { issuedAt: NOW, sense: 'SIN OPINIÓN', credits: [] } as const;
    const pdf = await renderOpinion({ rfc, employerName, obligatedSubjectId, ...said });
    expect(await askAbout(pdf)).toMatchObject({ problems: [], opinion: { sense: 'NO_OPINION', credits: [] } });
  });

  it.each([
    'PLAFONES SUSPENDIDOS SA DE CV',
    'REVOCADOS Y ACABADOS SA DE CV',
    'PATRONATO PRO INVÁLIDOS AC',
    'TODO A 1,000 PESOS SA DE CV',
  ])('reads the opinion of an employer with the name %s', async (employerName) => {
    const said = { issuedAt: NOW, sense: 'POSITIVA', credits: [] } as const;
    const pdf = await renderOpinion({ rfc, employerName, obligatedSubjectId: payer.obligatedSubjectId, ...said });
    expect(await askAbout(pdf)).toMatchObject({ problems: [], opinion: { sense: 'POSITIVE', credits: [] } });
  });

  it('reads the document only if the field is selected, directly or through fragments', async () => {
    const junk = Buffer.from('%PDF-1.4 of nothing');
    const unread = { outcome: 'FOUND', problems: [] };
    const broken = unreadable(expect.stringContaining('cannot be read as a PDF'));
    expect(await askAbout(junk, question(proof))).toEqual(unread);
    expect(await askAbout(junk, byFragments('...Proof ...Said @skip(if: $yes)'))).toEqual(unread);
    expect(await askAbout(junk, byFragments('...Proof ... @skip(if: $yes) { ...Said }'))).toEqual(unread);
    expect(await askAbout(junk, byFragments('...Proof ...Said @include(if: $yes)'))).toEqual(broken);
    expect(await askAbout(junk, byFragments('...Proof ... @skip(if: $yes) { ...Said } ...Said'))).toEqual(broken);
    const { opinion, ...aliased } = broken;
    expect(await askAbout(junk, question(`${proof} said: ${selection}`))).toEqual({ ...aliased, said: opinion });
  });

  it('serves other requests while it reads a hostile document, which gets a problem', async () => {
    const bomb = hostilePdfs.find(([name]) => name.includes('400 MB'))?.[2]() ?? Buffer.alloc(0);
    padron.proxy.tamper((__, { path }) => (path === '/private/32d-imss' ? { bytes: bomb } : null));
    const [hostile, other] = await Promise.all([ask(), padron.ask('{ __typename }')]);
    expect(hostile).toEqual(unreadable(expect.stringContaining('cannot be read as a PDF')));
    expect(other.status).toBe(200);
  });

  it('costs nothing extra in an estimate, which reads no document', async () => {
    const query = `query ($input: UnitEstimateInput!) { unitEstimate(input: $input) { estimatedUnits bounded } }`;
    for (const operation of [question(proof), question(`${proof} ${selection}`)]) {
      const { data } = await padron.ask(query, { input: { operation, rows: [{ registration }] } });
      expect(data.unitEstimate).toEqual({ estimatedUnits: 3, bounded: true });
    }
    expect(padron.calls()).toEqual([]);
  });

  it('reports that the document is about another employer, and shows nothing of it', async () => {
    expect(await ask({ rfc: card('somebody-else', 'rfc') })).toMatchObject({
      outcome: 'FOUND',
      problems: [{ code: 'ANSWER_MISMATCH', path: ['rfc'] }],
      opinion: null,
    });
    expect(padron.calls()).toEqual([SUBJECT, OPINION]);
  });

  it('is null without an extra problem if no opinion was found', async () => {
    expect(await ask({ rfc: debtor.rfc })).toEqual({ outcome: 'NOT_FOUND', problems: [], opinion: null });
    expect(await ask({ rfc: card('server-error', 'rfc') })).toMatchObject({
      problems: [{ code: 'REGISTRY_ERROR' }],
      opinion: null,
    });
  });

  describe("on the institute's form", () => {
    const positive: InstitutePaper = { ...positivePaper, rfc };
    const owing = 'se detectó que no se encuentra al corriente en el cumplimiento de sus obligaciones.';
    const negative = { ...positive, conclusion: 'Negativa', chained: 'NEGATIVA', finding: owing };
    const row = `202403\t${registration}\t123456789\t$ 1,234.50`;
    const listed = { period: '2024-03', registration, amount: '1234.50' };
    const unlisted = { sense: 'NEGATIVE', credits: null };
    const askPaper = async (paper: InstitutePaper) => askAbout(await printLines(instituteLines(paper)));

    it.each<[string, InstitutePaper, object]>([
      ['positive', positive, { sense: 'POSITIVE', validUntil: endOfToday, folio: positive.folio, credits: [] }],
      [
        'good for thirty days',
        { ...positive, validTo: '20 de diciembre de 2026' },
        { issuedOn: '2026-11-20', validUntil: '2026-12-21T05:59:59.000Z' },
      ],
      ['negative, without a list', negative, unlisted],
      ['negative, with a list', { ...negative, rows: [row] }, { sense: 'NEGATIVE', credits: [listed] }],
      ['negative, with a row that is not understood', { ...negative, rows: [row, 'Recargos\t$410.00'] }, unlisted],
      ['negative, with a row without cents', { ...negative, rows: [row, `202404\t${registration}\t1234`] }, unlisted],
      [
        'without an opinion',
        {
          ...positive,
          conclusion: 'Sin Opinión',
          chained: 'SIN OPINIÓN',
          finding:
            'se detectó que su(s) Registro(s) Patronal(es) se encuentra(n) dado(s) de baja, por lo que no se puede emitir una opinión.',
        },
        { sense: 'NO_OPINION', credits: [] },
      ],
    ])('reads a form that is %s', async (__, paper, opinion) => {
      expect(await askPaper(paper)).toMatchObject({ problems: [], opinion });
    });

    it.each<[string, InstitutePaper]>([
      ['whose chain contradicts its conclusion', { ...positive, chained: 'NEGATIVA' }],
      ['that is positive and lists credits', { ...positive, rows: [row] }],
      ['whose conclusion is of an unknown word', { ...positive, conclusion: 'Favorable', chained: 'FAVORABLE' }],
      ['whose conclusion has a condition', { ...positive, conclusion: 'Positiva con observaciones' }],
      ['whose chain has an unknown word', { ...positive, chained: 'POSITIVA PARCIAL' }],
      ['that ends before it begins', { ...positive, validTo: '19 de noviembre de 2026' }],
      ['of a day that is not in the calendar', { ...positive, issued: '31 de noviembre de 2026' }],
    ])('does not read a form %s', async (__, paper) => {
      expect(await askPaper(paper)).toEqual(unreadable());
    });

    it.each<[string, (lines: readonly string[]) => readonly string[]]>([
      ['of the tax authority', (lines) => lines.map((line) => line.replace(/ en materia de seguridad social/i, ''))],
      ['of two folios', (lines) => [...lines, 'Folio: 99999']],
      ['of two employers', (lines) => [...lines, 'RFC: EKU9003173C9']],
      ['of two days of issue', (lines) => [...lines, 'Fecha de emisión: 19/11/2026']],
      ['without a result', (lines) => lines.filter((line) => line !== 'opinión Positiva.')],
      ['without a signed chain', (lines) => lines.map((line) => line.replace('||Invocante', '|Invocante'))],
      ['of which the signed chain has no result', (lines) => lines.map((line) => line.replace('Opinion:', 'Opinado:'))],
      ['without a word of text', () => []],
      ['that does not issue the opinion', (lines) => lines.map((line) => line.replace('se emite', 'no se emite'))],
      ['of another result', (lines) => [...lines, 'Resultado: NEGATIVA']],
      ['that is cancelled', (lines) => [...lines, 'CANCELADA']],
      ['that is cancelled in letters set apart', (lines) => [...lines, 'C A N C E L A D A']],
      ['that is not valid', (lines) => [...lines, 'SIN VALIDEZ OFICIAL']],
      ['with a total that is owed', (lines) => [...lines, 'Adeudo total: $ 1.234.567,89']],
      ['with a credit without cents', (lines) => [...lines, `202403\t${registration}\t1234`]],
      ['with thousands that are owed', (lines) => [...lines, 'Total\t1,234']],
    ])('does not read a paper %s', async (__, change) => {
      expect(await askAbout(await printLines(change(instituteLines(positive))))).toEqual(unreadable());
    });
  });
});

/** The text of lines that were drawn in their order. */
const textOf = (lines: readonly string[]) => ({ lines: lines.map((line) => line.split('\t')), drawn: lines.join(' ') });
const read = (paper: InstitutePaper) => readOpinion(textOf(instituteLines(paper)));

describe('a positive opinion', () => {
  it.each([
    'La presente opinión no constituye resolución en sentido favorable sobre el cálculo y montos de las cuotas declaradas.',
    'No se detectaron créditos fiscales.',
    'Créditos fiscales: ninguno.',
    'El Instituto se reserva sus facultades de verificación en los términos del artículo 304 A de la ley.',
    'No obstante, se le recuerda que tampoco presenta omisiones.',
    'El comportamiento anual y manual de los pagos se revisa por separado.',
  ])('is read beside the remark: %s', (remark) => {
    expect(read({ ...positivePaper, rows: [remark] })?.opinion).toMatchObject({ sense: 'POSITIVE', credits: [] });
  });

  it.each([
    'NO VÁLIDA',
    'Este documento no es válido.',
    'SIN VALOR OFICIAL',
    'CARECE DE VALOR',
    'DOCUMENTO NULO',
    'NULA',
    'I N V Á L I D A',
    'C.A.N.C.E.L.A.D.A',
    'C-A-N-C-E-L-A-D-A',
    'Opinión en proceso de cancelación',
    'Se revoca esta opinión.',
    'Se anula esta opinión.',
    'SUSPENDIDA',
    'RECHAZADA',
    'Esta opinión no surte efectos.',
  ])('is unreadable beside the remark: %s', (remark) => {
    expect(read({ ...positivePaper, rows: [remark] })).toBeNull();
  });
});

const title = 'Opinión del cumplimiento de obligaciones fiscales en materia de seguridad social';
const fill = (part: string, size: number): string => part.repeat(Math.ceil(size / part.length)).slice(0, size);
const inOneCell = (part: string, size: number) => [[title], [fill(part, size)]];
const inCells = (part: string, count: number) => [[title], ...Array.from({ length: count }, () => [part])];

// Readings of the same lines are remembered.
const cost = (lines: readonly (readonly string[])[]): number =>
  processorTime(() => expect(readOpinion({ lines, drawn: lines.flat().join(' ') })).toBeNull());

describe('an opinion whose text is made to be expensive to read', () => {
  it.each([
    '||Invocante:',
    '||Invocante:a|RFC:EKU9003173C9||',
    'vigencia hasta el 16/09/2026.',
    'por lo anterior, se emite opinión ',
    'no ',
    '$ ',
  ])('is read quickly with a long text: %s', (part) => {
    // It takes three times as long as another text. Backtracking takes hundreds of times as long.
    const usual = cost(inOneCell('palabra ', 99_000));
    expect(cost(inOneCell(part, 99_000))).toBeLessThan(30 * usual);
    expect(cost(inOneCell(part, 300_000))).toBeLessThan(30 * usual);
  });

  it.each(['||Invocante:', 'Fecha: 16/09/2026', 'Folio: 1', 'RFC: EKU9003173C9', '1.00', 'a'])(
    'is read quickly with thousands of cells: %s',
    (part) => {
      expect(cost(inCells(part, 5_500))).toBeLessThan(30 * cost(inCells('palabra', 5_500)));
    },
  );
});
