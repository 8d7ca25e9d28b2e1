import { employers } from '../../../../src/sandbox/data/employers';
import { bytesOf } from '../../../support/documents/receipt-files';
import { findOrThrow } from '../../../support/find-or-throw';
import { DOWNLOAD, LINK, payer, receiptsIn } from '../../../support/operations/employer-graph';
import { proxiedPadronForTests } from '../../../support/padrons/padron-for-tests';
import type { RelayedAnswer } from '../../../support/proxies/tampering-proxy';

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

describe('the bytes of a file', () => {
  it('are fetched without the token in any header', async () => {
    expect(bytesOf(await askPdf(false)).toString('latin1')).toMatch(/^%PDF-/);
    const [link] = padron.proxy.requests.filter(isLink);
    expect(JSON.stringify(link?.headers)).not.toMatch(/authorization|token/i);
  });

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

  it('are not fetched from the target of a redirect', async () => {
    const location = `${padron.proxy.url}/private/imss/comprobantes-fiscales/archivo/elsewhere/pdf`;
    padron.proxy.tamper((_, request) => (isLink(request) ? { status: 302, headers: { location } } : null));
    expect(await askPdf(false)).toEqual({ content: null, contentProblem: { code: 'UNUSABLE_FILE' } });
    expect(padron.proxy.requests.filter(isLink)).toHaveLength(1);
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
