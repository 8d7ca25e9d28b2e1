import { employers } from '../../../../src/extensions/sandbox/data/employers';
import { bytesOf } from '../../../support/documents/receipt-files';
import { findOrThrow } from '../../../support/find-or-throw';
import { DOWNLOAD, LINK, monthWith, NOW, payer, receiptsIn } from '../../../support/operations/employer-graph';
import { padronForTests, proxiedPadronForTests } from '../../../support/padrons/padron-for-tests';
import type { RelayedAnswer } from '../../../support/proxies/tampering-proxy';

describe('contents of files', () => {
  const period = '2025-02';
  const page = Buffer.from('<!doctype html><p>Sitio en mantenimiento</p>');
  const isLink = ({ path }: { readonly path: string }): boolean => path.includes('/archivo/');

  const padron = proxiedPadronForTests();

  const askPdf = async (inline: boolean, employer = payer) => {
    const { data, errors } = await padron.ask(
      `query ($r: EmployerRegistration!, $f: String!, $inline: Boolean) { employer(registration: $r) {
      receiptFiles(period: "${period}", folio: $f, inline: $inline) { outcome pdf { content contentProblem { code } } } } }`,
      { r: employer.registration, f: receiptsIn(employer, period)[0]?.folio, inline },
    );
    expect(errors).toBeUndefined();
    return data.employer.receiptFiles.pdf;
  };
  const pdfIn = (answer: RelayedAnswer, base64: string) => {
    const body = answer.json as { readonly files: { readonly pdf: object; readonly xml: object } };
    return { json: { ...body, files: { ...body.files, pdf: { ...body.files.pdf, base64 } } } };
  };

  it('are fetched again if the link fails, because the link is free', async () => {
    padron.proxy.tamper((_, request) => (isLink(request) && request.arrivals < 3 ? { status: 503 } : null));
    expect(bytesOf(await askPdf(false)).toString('latin1')).toMatch(/^%PDF-/);
    expect(padron.calls()).toEqual([DOWNLOAD, LINK, LINK, LINK]);
  });

  it('are not fetched again after three failures', async () => {
    padron.proxy.tamper((_, request) => (isLink(request) ? { status: 503 } : null));
    expect(await askPdf(false)).toEqual({ content: null, contentProblem: { code: 'LINK_UNREACHABLE' } });
    expect(padron.calls()).toEqual([DOWNLOAD, LINK, LINK, LINK]);
  });

  it.each([
    ['a page', page.toString('base64')],
    ['no base64', 'Ocurrió un error'],
  ])('are rejected if the answer contains %s instead', async (_, base64) => {
    const unlinked = findOrThrow(employers, ({ owes, linksInline }) => !owes && !linksInline);
    padron.proxy.tamper((answer, { path }) => (path.endsWith('/descargar') ? pdfIn(answer, base64) : null));
    expect(await askPdf(true, unlinked)).toEqual({ content: null, contentProblem: { code: 'UNUSABLE_FILE' } });
    expect(padron.calls()).toEqual([DOWNLOAD]);
  });

  it('are fetched through the link if those in the answer are not a file', async () => {
    const linked = findOrThrow(employers, ({ owes, linksInline }) => !owes && linksInline);
    padron.proxy.tamper((answer, { path }) =>
      path.endsWith('/descargar') ? pdfIn(answer, page.toString('base64')) : null,
    );
    const pdf = await askPdf(true, linked);
    expect(bytesOf(pdf).toString('latin1')).toMatch(/^%PDF-/);
    expect(padron.calls()).toEqual([DOWNLOAD, LINK]);
  });
});

describe('the limit of contents', () => {
  const maxBytes = 8_000_000;
  const period = monthWith(1);
  const folio = receiptsIn(payer, period)[0]?.folio;
  const aliases = (count: number, field: string) =>
    Array.from({ length: count }, (_, index) => `n${index}: ${field}`).join(' ');

  const padron = padronForTests({ now: () => NOW, environment: { LIMIT_ALIASES: '10000' } });

  const repeated = `fragment repeated on RegistryFile { ${aliases(100, 'content')} }`;

  const askPdf = async (selection: string, inline: boolean, fragment = '') => {
    const { data, errors } = await padron.ask(
      `query ($r: EmployerRegistration!, $p: YearMonth!, $f: String!, $inline: Boolean) { employer(registration: $r) {
      receiptFiles(period: $p, folio: $f, inline: $inline) { outcome ${selection} } } } ${fragment}`,
      { r: payer.registration, p: period, f: folio, inline },
    );
    expect(errors).toBeUndefined();
    return data.employer.receiptFiles;
  };

  it.each([
    ['inline', true, [DOWNLOAD]],
    ['by link', false, [DOWNLOAD, LINK]],
  ])('counts each copy of a file that is selected several times, %s', async (_, inline, calls) => {
    const { outcome, first, ...files } = await askPdf(
      `first: pdf { sizeBytes } ${aliases(60, 'pdf { ...repeated contentProblem { code } }')}`,
      inline,
      repeated,
    );
    expect(outcome).toBe('FOUND');
    // Counted, not compared: a failure must not print megabytes.
    const places = Object.values<Record<string, unknown>>(files).map(({ contentProblem, ...copies }) => ({
      problem: contentProblem,
      room: Object.values(copies).filter((content) => content !== null).length,
    }));
    const room = Math.floor(maxBytes / first.sizeBytes);
    expect(places.reduce((sum, place) => sum + place.room, 0)).toBe(room);
    for (const place of places) {
      expect(place.problem).toEqual(place.room === 100 ? null : { code: 'ANSWER_TOO_LARGE' });
    }
    expect(places.filter(({ problem }) => problem === null)).toHaveLength(Math.floor(room / 100));
    expect(padron.calls()).toEqual(calls);
  });

  it('does not count a field that only asks whether a file is available', async () => {
    const file = await askPdf('pdf { contentProblem { code } }', false);
    expect(file.pdf).toEqual({ contentProblem: null });
  });
});
