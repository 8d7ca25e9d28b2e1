import { employers } from '../../../../src/extensions/sandbox/data/employers';
import { formatDecimal } from '../../../../src/extensions/sandbox/data/money';
import { cards } from '../../../../src/extensions/sandbox/test-cards/cards';
import { allEmployers } from '../../../../src/extensions/sandbox/test-cards/directory';
import type { Failure } from '../../../../src/extensions/sandbox/test-cards/failures';
import { partlyFailingEmployers } from '../../../../src/extensions/sandbox/test-cards/personas';
import { bytesOf, fileFields, fiscalDocument } from '../../../support/documents/receipt-files';
import { findOrThrow } from '../../../support/find-or-throw';
import {
  DOWNLOAD,
  LINK,
  LIST,
  monthWith,
  NOW,
  payer,
  receiptsIn,
  rejectedWithoutCall,
} from '../../../support/operations/employer-graph';
import { lookup } from '../../../support/operations/lookup';
import { padronForTests } from '../../../support/padrons/padron-for-tests';

const ISO_IN_AN_HOUR = new Date(NOW.getTime() + 3_600_000).toISOString();
const period = monthWith(1);
const receipt = findOrThrow(receiptsIn(payer, period), () => true);
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
    const folder = `${padron.sandbox.url}/private/imss/comprobantes-fiscales/archivo`;
    const link = (kind: string) =>
      expect.stringMatching(`^${folder}/[0-9a-f-]{36}/${kind}\\?expires=\\d+&signature=\\w+$`);
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
    const [anio, mes] = period.split('-').map(Number);
    const input = { registro_patronal: payer.registration, anio, mes, folio_sua: folio, include_content: false };
    expect(padron.callsInFull()[0]?.input).toEqual(input);
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

describe('the cost of a receipt', () => {
  it.each([
    ['links first', 'false', 'true', [LINK]],
    ['inline first', 'true', 'false', []],
  ])('is paid once for both modes, %s', async (_, first, second, links) => {
    const [one, other] = [first, second].map(
      (inline) => `receiptFiles(period: $p, folio: $f, inline: ${inline}) { ...files }`,
    );
    const before = padron.spent();
    const { data } = await padron.ask(
      `query ($r: EmployerRegistration!, $p: YearMonth!, $f: String!) { employer(registration: $r) { a: ${one} b: ${other} } }
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

const foliosOf = (registration: string): readonly string[] => {
  const employer = findOrThrow(allEmployers, (candidate) => candidate.registration === registration);
  return receiptsIn(employer, '2025-02').map((receipt) => receipt.folio);
};
const refusedFiles = 'pdf { url content contentProblem { code retryable } } xml { url }';
const nothing = { warnings: [], cacheStore: null, pdf: null, xml: null };

describe('Employer.receiptFiles, rejected', () => {
  it('reports that folio, period and registration do not belong together', async () => {
    const before = padron.spent();
    expect(await askFiles(refusedFiles, { folio: '0' })).toMatchObject({
      outcome: 'INVALID_INPUT',
      problems: [{ code: 'IMSS_INCONSISTENT_DATA', path: null, message: expect.stringContaining('no coinciden') }],
      evidence: { status: 422, units: 0, billing: 'NOT_CHARGED' },
      ...nothing,
    });
    expect(padron.spent()).toBe(before);
    expect(padron.calls()).toEqual([DOWNLOAD]);
  });

  it.each([
    [{ period: '2026-13' }, 'OUT_OF_RANGE', 'period'] as const,
    [{ folio: '1'.repeat(26) }, 'INVALID_FORMAT', 'folio'] as const,
    [{ amountText: '1'.repeat(41) }, 'OUT_OF_RANGE', 'amountText'] as const,
  ])('rejects %j without a call: %s', async (input, code, argument) => {
    expect(await askFiles(refusedFiles, input)).toEqual({ ...rejectedWithoutCall(code, [argument]), ...nothing });
    expect(padron.calls()).toEqual([]);
  });

  it('sends an amount of 40 characters and a folio of 25 digits unchanged', async () => {
    const [amountText, longFolio] = ['$'.padEnd(40, '1'), '0'.repeat(25)];
    expect(await askFiles(refusedFiles, { amountText, folio: longFolio })).toMatchObject({
      problems: [{ code: 'IMSS_INCONSISTENT_DATA' }],
    });
    expect(padron.callsInFull()[0]?.input).toMatchObject({ importe: amountText, folio_sua: longFolio });
  });
});

describe('a file whose link fails', () => {
  it.each<[Failure, string, boolean, readonly string[]]>([
    ['expired-link', 'LINK_EXPIRED', false, [DOWNLOAD, LINK]],
    ['unusable-link', 'UNUSABLE_FILE', true, [DOWNLOAD, LINK]],
    ['foreign-link', 'LINK_NOT_ALLOWED', false, [DOWNLOAD]],
  ])('has no content with «%s», and reports why', async (failure, code, retryable, calls) => {
    const registration = linkCard(failure);
    const files = await askFiles(refusedFiles, { registration, period: '2025-02', folio: foliosOf(registration)[0] });
    expect(files).toMatchObject({
      outcome: 'FOUND',
      problems: [],
      evidence: { units: 1, billing: 'CHARGED' },
      pdf: { url: expect.stringContaining('signature='), content: null, contentProblem: { code, retryable } },
    });
    expect(padron.calls()).toEqual(calls);
  });
});

describe('EmployerReceipt.files', () => {
  it.each([
    ['UNAVAILABLE', 'IMSS_UPSTREAM_ERROR', partlyFailingEmployers.upstreamDownload],
    ['UNAVAILABLE', 'IMSS_FILETYPE_ERROR', partlyFailingEmployers.filetypeDownload],
    ['INVALID_INPUT', 'IMSS_INCONSISTENT_DATA', partlyFailingEmployers.inconsistentDownload],
  ])('is %s, %s, while the list is FOUND', async (outcome, code, { registration }) => {
    const { data } = await padron.ask(
      `query ($r: EmployerRegistration!) { employer(registration: $r) { receipts(period: "2025-02") {
        outcome records { folio files { outcome problems { code } pdf { url } } } } } }`,
      { r: registration },
    );
    const folios = foliosOf(registration);
    expect(data.employer.receipts).toMatchObject({
      outcome: 'FOUND',
      records: folios.map((folio) => ({ folio, files: { outcome, problems: [{ code }], pdf: null } })),
    });
    expect(padron.calls()).toEqual([LIST, ...folios.map(() => DOWNLOAD)]);
  });
});

/** Cards of links play on the download only. */
function linkCard(failure: Failure): string {
  return findOrThrow(cards, (entry) => entry.failure === failure && entry.identifier === 'registration').value;
}
