import { employers } from '../../../../src/extensions/sandbox/data/employers';
import { bytesOf } from '../../../support/documents/receipt-files';
import { findOrThrow } from '../../../support/find-or-throw';
import { DOWNLOAD, LINK, monthWith, NOW, OPINION, payer, receiptsIn } from '../../../support/operations/employer-graph';
import { STATUS_LINK } from '../../../support/operations/people-endpoints';
import { somebody } from '../../../support/operations/people-fields';
import { padronForTests, proxiedPadronForTests } from '../../../support/padrons/padron-for-tests';
import type { ChangedAnswer, Misbehaviour, RelayedAnswer } from '../../../support/proxies/tampering-proxy';

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

describe('a file whose own end is missing', () => {
  const padron = proxiedPadronForTests();
  const cut = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.length / 2);
  const fields = 'sizeBytes content contentProblem { code message }';
  const [own] = receiptsIn(payer, '2025-02');
  const unlinked = findOrThrow(employers, ({ owes, linksInline }) => !owes && !linksInline);
  const unusable = {
    content: null,
    contentProblem: { code: 'UNUSABLE_FILE', message: expect.stringContaining('end') },
  };
  const lost = (path: string) => [path, path, path];

  const askFiles = async (employer: typeof payer, inline = false) => {
    const [receipt] = receiptsIn(employer, '2025-02');
    const { data, errors } = await padron.ask(`{ employer(registration: "${employer.registration}") {
      receiptFiles(period: "2025-02", folio: "${receipt?.folio}", inline: ${inline}) { outcome evidence { billing }
        pdf { ${fields} } xml { ${fields} cfdi { uuid } cfdiProblem { code } } } } }`);
    expect(errors).toBeUndefined();
    const { outcome, evidence, ...files } = data.employer.receiptFiles;
    expect([outcome, evidence]).toEqual(['FOUND', { billing: 'CHARGED' }]);
    return files;
  };

  it.each<[string, (answer: RelayedAnswer) => ChangedAnswer | Misbehaviour]>([
    ['with a length that is right for the half', ({ bytes }) => ({ bytes: cut(bytes) })],
    [
      'without a length',
      ({ bytes }) =>
        ({ socket }) =>
          void socket?.end(Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n'), cut(bytes)])),
    ],
  ])('is not delivered from its link, which is fetched again, %s', async (_, half) => {
    padron.proxy.tamper((answer, request) => (request.path.includes('/archivo/') ? half(answer) : null));
    const { pdf, xml } = await askFiles(payer);
    expect(pdf).toMatchObject({ ...unusable, sizeBytes: expect.any(Number) });
    expect(xml).toMatchObject({ ...unusable, cfdi: null, cfdiProblem: { code: 'UNUSABLE_FILE' } });
    expect([...padron.calls()].sort()).toEqual([DOWNLOAD, ...lost(LINK), ...lost(LINK)].sort());
  });

  it('is delivered if the link gives all of it at the next attempt', async () => {
    padron.proxy.tamper(({ bytes }, { path, arrivals }) =>
      path.includes('/archivo/') && arrivals === 1 ? { bytes: cut(bytes) } : null,
    );
    expect(await askFiles(payer)).toMatchObject({
      pdf: { contentProblem: null },
      xml: { cfdi: { uuid: expect.any(String) } },
    });
    expect(padron.calls()).toHaveLength(5);
  });

  it('is not delivered from an answer with half of its base64', async () => {
    padron.proxy.tamper(({ json }, { path }) => {
      if (!path.endsWith('/descargar')) return null;
      const { files, ...body } = json as {
        readonly files: Readonly<Record<'pdf' | 'xml', { readonly base64: string }>>;
      };
      const half = (file: { readonly base64: string }) => ({
        ...file,
        base64: file.base64.slice(0, file.base64.length / 2),
      });
      return { json: { ...body, files: { pdf: half(files.pdf), xml: half(files.xml) } } };
    });
    const { pdf, xml } = await askFiles(unlinked, true);
    expect(pdf).toMatchObject(unusable);
    expect(xml).toMatchObject({ ...unusable, cfdi: null, cfdiProblem: { code: 'UNUSABLE_FILE' } });
    expect(padron.calls()).toEqual([DOWNLOAD]);
  });

  it.each([
    [
      'certificate of professional status',
      STATUS_LINK,
      `{ person(curp: "${somebody.curp}") { file: professionalStatus { outcome record { document { ${fields} } } } } }`,
    ],
    [
      'opinion',
      OPINION,
      `{ file: employer(registration: "${payer.registration}") { complianceOpinion { outcome document { ${fields} } opinion { sense } } } }`,
    ],
  ])('is not delivered as a %s, and the rest of the answer stays', async (_, endpoint, query) => {
    const [, path = ''] = endpoint.split(' ');
    const start = path.split('{')[0] ?? '';
    padron.proxy.tamper(({ bytes }, request) => (request.path.startsWith(start) ? { bytes: cut(bytes) } : null));
    const { data, errors } = await padron.ask(query);
    expect(errors).toBeUndefined();
    const lookup = data.person?.file ?? data.file.complianceOpinion;
    expect(lookup.outcome).toBe('FOUND');
    expect(lookup.record?.document ?? lookup.document).toMatchObject(unusable);
    expect(lookup.opinion ?? null).toBeNull();
  });

  it('is different from another size than the announced one, which is a remark beside the content', async () => {
    padron.proxy.tamper(({ bytes }, { path }) =>
      path.includes('/archivo/') ? { bytes: Buffer.concat([bytes, Buffer.from('\n')]) } : null,
    );
    const { pdf, xml } = await askFiles(payer);
    for (const file of [pdf, xml])
      expect(file).toMatchObject({ content: expect.any(String), contentProblem: { code: 'FILE_SIZE_DIFFERS' } });
    expect(xml).toMatchObject({ cfdi: { uuid: own?.uuid.toUpperCase() }, cfdiProblem: null });
    expect(bytesOf(pdf)).toHaveLength(pdf.sizeBytes + 1);
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
