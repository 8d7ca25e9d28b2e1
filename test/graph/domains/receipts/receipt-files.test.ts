import { employers } from '../../../../src/extensions/sandbox/data/employers';
import { formatDecimal } from '../../../../src/extensions/sandbox/data/money';
import { bytesOf, fileFields, fiscalDocument } from '../../../support/documents/receipt-files';
import { findOrThrow } from '../../../support/find-or-throw';
import { DOWNLOAD, LINK, LIST, monthWith, NOW, payer, receiptsIn } from '../../../support/operations/employer-graph';
import { lookup } from '../../../support/operations/lookup';
import { padronForTests } from '../../../support/padrons/padron-for-tests';

const HOUR = 3_600_000;

const ISO_IN_AN_HOUR = new Date(NOW.getTime() + HOUR).toISOString();

const period = monthWith(1);

const [receipt] = receiptsIn(payer, period);

if (receipt === undefined) throw new Error('The payer has a receipt in this month.');

const { folio } = receipt;

const filesQuery = (selection: string) => `query (
  $registration: EmployerRegistration!, $period: YearMonth!, $folio: String!, $inline: Boolean, $amountText: String
) { employer(registration: $registration) { receiptFiles(period: $period, folio: $folio, inline: $inline, amountText: $amountText) {
  ${lookup} warnings cacheStore ${selection} } } }`;

const both = `pdf { ${fileFields} } xml { ${fileFields} }`;

const padron = padronForTests({ now: () => NOW });

const askFiles = async (selection: string, variables: Readonly<Record<string, unknown>> = {}) => {
  const subject = { registration: payer.registration, period, folio, inline: false };
  const { data, errors } = await padron.ask(filesQuery(selection), { ...subject, ...variables });
  expect(errors).toBeUndefined();
  return data.employer.receiptFiles;
};

const name = `${payer.registration}-${period.replace('-', '')}-${folio}`;

describe('Employer.receiptFiles by links', () => {
  it('finds both files of a receipt, with their links and the proof of the answer', async () => {
    const before = padron.spent();
    const { evidence, pdf, xml, ...rest } = await askFiles(
      'pdf { filename contentType sizeBytes url expiresAt } xml { filename contentType sizeBytes url expiresAt }',
    );
    expect(rest).toEqual({ outcome: 'FOUND', problems: [], warnings: [], cacheStore: 'memory' });
    const link = (kind: string) =>
      expect.stringMatching(
        new RegExp(
          `^${padron.sandbox.url}/private/imss/comprobantes-fiscales/archivo/[0-9a-f-]{36}/${kind}\\?expires=\\d+&signature=\\w+$`,
        ),
      );
    const common = { sizeBytes: expect.any(Number), expiresAt: ISO_IN_AN_HOUR };
    expect(pdf).toEqual({ ...common, filename: `${name}.pdf`, contentType: 'application/pdf', url: link('pdf') });
    expect(xml).toEqual({ ...common, filename: `${name}.xml`, contentType: 'application/xml', url: link('xml') });
    expect(evidence).toMatchObject({
      endpoint: DOWNLOAD,
      status: 200,
      servedFrom: 'LIVE',
      units: 1,
      billing: 'CHARGED',
    });
    expect(padron.spent() - before).toBe(1);
    expect(padron.callsInFull()[0]?.input).toEqual({
      registro_patronal: payer.registration,
      anio: Number(period.slice(0, 4)),
      mes: Number(period.slice(5)),
      folio_sua: folio,
      include_content: false,
    });
    expect(padron.calls()).toEqual([DOWNLOAD]);
  });

  it('fetches only the selected `content`, through the link and without the token', async () => {
    const before = padron.spent();
    const { pdf, xml } = await askFiles('pdf { url } xml { content }');
    expect(pdf.url).toMatch(/^http/);
    expect(fiscalDocument(xml)).toMatchObject({ Total: formatDecimal(receipt.centavos) });
    const [, link] = padron.callsInFull();
    expect(link).toMatchObject({ endpoint: LINK, account: '', input: { tipo: 'xml' }, status: 200, units: 0 });
    expect(padron.spent() - before).toBe(1);
    expect(padron.calls()).toEqual([DOWNLOAD, LINK]);
  });

  it('gives a PDF, and an XML whose total is the amount of the receipt', async () => {
    const { pdf, xml } = await askFiles(both);
    for (const file of [pdf, xml]) {
      expect(file.contentProblem).toBeNull();
      expect(bytesOf(file)).toHaveLength(file.sizeBytes);
    }
    expect(bytesOf(pdf).toString('latin1')).toMatch(/^%PDF-[\s\S]*%%EOF\s*$/);
    expect(fiscalDocument(xml)).toMatchObject({
      Version: '4.0',
      Total: formatDecimal(receipt.centavos),
      Folio: expect.stringContaining(folio),
    });
    expect(padron.calls()).toEqual([DOWNLOAD, LINK, LINK]);
  });

  it('reports whether a file is available, without its bytes', async () => {
    expect(await askFiles('pdf { contentProblem { code } }')).toMatchObject({ pdf: { contentProblem: null } });
    expect(padron.calls()).toEqual([DOWNLOAD, LINK]);
  });
});

describe('Employer.receiptFiles inline', () => {
  it.each([
    ['keeps the links', true],
    ['gives no links', false],
  ])('has the bytes in the answer, even if the service %s', async (_, links) => {
    const employer = findOrThrow(employers, ({ owes, linksInline }) => !owes && linksInline === links);
    const [own] = receiptsIn(employer, '2025-02');
    const { pdf, xml } = await askFiles(both, {
      registration: employer.registration,
      period: '2025-02',
      folio: own?.folio,
      inline: true,
    });
    const link = links
      ? { url: expect.stringContaining('signature='), expiresAt: ISO_IN_AN_HOUR }
      : { url: null, expiresAt: null };
    expect(pdf).toMatchObject({ ...link, contentProblem: null });
    expect(xml).toMatchObject({ ...link, contentProblem: null });
    expect(bytesOf(pdf)).toHaveLength(pdf.sizeBytes);
    expect(bytesOf(pdf).toString('latin1')).toMatch(/^%PDF-/);
    expect(fiscalDocument(xml)).toMatchObject({ Total: formatDecimal(own?.centavos ?? 0) });
    expect(padron.callsInFull()[0]?.input).toMatchObject({ include_content: true });
    expect(padron.calls()).toEqual([DOWNLOAD]);
  });
});

if (receipt === undefined) throw new Error('The payer has a receipt in this month.');

describe('the cost of a receipt', () => {
  it.each([
    [
      'links first',
      'a: receiptFiles(period: $p, folio: $f) { ...files } b: receiptFiles(period: $p, folio: $f, inline: true) { ...files }',
      [LINK],
    ],
    [
      'inline first',
      'a: receiptFiles(period: $p, folio: $f, inline: true) { ...files } b: receiptFiles(period: $p, folio: $f) { ...files }',
      [],
    ],
  ])('is paid once for both modes, %s', async (_, fields, links) => {
    const before = padron.spent();
    const { data } = await padron.ask(
      `query ($r: EmployerRegistration!, $p: YearMonth!, $f: String!) { employer(registration: $r) { ${fields} } }
      fragment files on ReceiptFilesLookup { outcome evidence { units servedFrom } xml { content } }`,
      { r: payer.registration, p: period, f: folio },
    );
    const { a, b } = data.employer;
    expect(a).toMatchObject({ outcome: 'FOUND', evidence: { units: 1, servedFrom: 'LIVE' } });
    expect(b).toMatchObject({ outcome: 'FOUND', evidence: { units: 0, servedFrom: 'REPLAY' } });
    expect(fiscalDocument(a.xml)).toMatchObject({ Total: formatDecimal(receipt.centavos) });
    expect(b.xml.content).toBe(a.xml.content);
    expect(padron.spent() - before).toBe(1);
    expect(padron.calls()).toEqual([DOWNLOAD, ...links]);
  });

  it('is paid once by folio and from the list', async () => {
    const before = padron.spent();
    const { data } = await padron.ask(
      `query ($r: EmployerRegistration!, $p: YearMonth!, $f: String!) { employer(registration: $r) {
        receiptFiles(period: $p, folio: $f) { ${lookup} pdf { url } }
        receipts(period: $p) { ${lookup} records { folio files { ${lookup} pdf { url } } } } } }`,
      { r: payer.registration, p: period, f: folio },
    );
    const { receiptFiles, receipts } = data.employer;
    expect(receiptFiles).toMatchObject({ outcome: 'FOUND', evidence: { units: 1, servedFrom: 'LIVE' } });
    expect(receipts.records).toMatchObject([{ folio, files: { evidence: { units: 0, servedFrom: 'REPLAY' } } }]);
    expect(receipts.records[0].files.pdf).toEqual(receiptFiles.pdf);
    expect(padron.spent() - before).toBe(2);
    expect([...padron.calls()].sort()).toEqual([LIST, DOWNLOAD]);
  });
});
