import { employers } from '../../../src/sandbox/data/employers';
import { people } from '../../../src/sandbox/data/people';
import { findReceipts } from '../../../src/sandbox/documents/receipts';
import { findOrThrow } from '../../support/find-or-throw';
import { createSandboxClient } from '../../support/sandbox/sandbox-client';
import { sandboxForTests } from '../../support/sandbox/sandbox-for-tests';
import { NOW } from '../../support/sandbox/sandbox-questions';

interface File {
  readonly url: string | null;
  readonly content_type: string;
  readonly filename: string;
  readonly size_bytes: number;
  readonly base64: string | null;
}

interface Download {
  readonly params: unknown;
  readonly meta: { readonly expires_at: string };
  readonly files: Readonly<Record<'pdf' | 'xml', File>>;
}

const CONSTANCIA = '/api/sep/grupo/descargar-constancia-profesional';
const graduate = findOrThrow(people, ({ licences }) => licences.length > 0);
const employerWithLinks = findOrThrow(employers, ({ owes, linksInline }) => !owes && linksInline);
const silent = findOrThrow(employers, ({ owes, linksInline }) => !owes && !linksInline);

let now = NOW;
const sandbox = sandboxForTests({ clock: () => now });
const client = createSandboxClient(sandbox);
beforeEach(() => {
  now = NOW;
  sandbox.clearCalls();
});

async function download(employer = employerWithLinks, more: object = {}): Promise<Download> {
  const reply = await client.json('/private/comprobantes-fiscales/descargar', {
    registro_patronal: employer.registration,
    anio: 2026,
    mes: 3,
    folio_sua: findReceipts(employer, '202603', NOW)[0]?.folio,
    ...more,
  });
  expect(reply.status).toBe(200);
  return reply.body as Download;
}

async function bytesAt(link: string | null): Promise<{ readonly response: Response; readonly bytes: Buffer }> {
  const response = await fetch(link ?? '');
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

describe('the files of a receipt', () => {
  it.each([
    ['pdf', 'application/pdf', /^%PDF-/],
    ['xml', 'application/xml', /^<\?xml/],
  ] as const)('include the %s through its link, free and without a token', async (kind, type, start) => {
    const { url, filename, size_bytes, base64, content_type } = (await download()).files[kind];
    const { response, bytes } = await bytesAt(url);
    expect(response.status).toBe(200);
    expect(bytes.toString('latin1')).toMatch(start);
    expect([bytes.length, base64, content_type]).toEqual([size_bytes, null, type]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': type,
      'content-disposition': `attachment; filename="${filename}"`,
      'cache-control': 'private, max-age=3600',
    });
    expect(sandbox.calls[1]).toMatchObject({
      endpoint: 'GET /private/imss/comprobantes-fiscales/archivo/{token}/{tipo}',
      input: { tipo: kind },
      account: '',
      status: 200,
      units: 0,
    });
  });

  it('are included inline on request, with the link for some employers and without it for others', async () => {
    const [withLink, without] = [
      await download(employerWithLinks, { include_content: true }),
      await download(silent, { include_content: true }),
    ];
    const { bytes } = await bytesAt(withLink.files.pdf.url);
    expect(withLink.files.pdf.base64).toBe(bytes.toString('base64'));
    expect(Buffer.from(without.files.xml.base64 ?? '', 'base64')).toHaveLength(without.files.xml.size_bytes);
    expect([without.files.pdf.url, without.files.xml.url]).toEqual([null, null]);
  });

  it('are about the listed receipt', async () => {
    const list = await client.json('/private/comprobantes-fiscales', {
      registro_patronal: employerWithLinks.registration,
      anio: 2026,
      mes: 3,
    });
    const [receipt] = (list.body as { comprobantes: { folio_sua: string; importe: number }[] }).comprobantes;
    const { bytes } = await bytesAt((await download()).files.xml.url);
    expect(bytes.toString('utf8')).toContain(`Total="${receipt?.importe.toFixed(2)}"`);
    expect(bytes.toString('utf8')).toContain(`-${receipt?.folio_sua}"`);
  });

  it('are rejected if folio, month and registration do not belong together', async () => {
    const folio_sua = findReceipts(employerWithLinks, '202603', NOW)[0]?.folio;
    const right = { registro_patronal: employerWithLinks.registration, anio: 2026, mes: 3, folio_sua };
    for (const wrong of [{ mes: 4 }, { folio_sua: '0' }, { registro_patronal: silent.registration }]) {
      const { status, body } = await client.json('/private/comprobantes-fiscales/descargar', { ...right, ...wrong });
      expect([status, body]).toMatchObject([422, { ok: false, error: { code: 'IMSS_INCONSISTENT_DATA' } }]);
    }
  });
});

describe('a signed link', () => {
  it('works for an hour, and answers 410 afterwards', async () => {
    const { meta, files } = await download();
    expect(meta.expires_at).toBe('2026-11-20T19:00:00.000Z');
    now = new Date('2026-11-20T18:59:59.999Z');
    expect((await bytesAt(files.pdf.url)).response.status).toBe(200);
    now = new Date('2026-11-20T19:00:00Z');
    expect((await bytesAt(files.pdf.url)).response.status).toBe(410);
  });

  it('of a professional status opens a PDF for an hour', async () => {
    const { body } = await client.query(CONSTANCIA, { curp: graduate.curp });
    const { data } = body as { data: { curp: string; url_constancia: string } };
    const { response, bytes } = await bytesAt(data.url_constancia);
    expect([data.curp, response.status, response.headers.get('content-type')]).toEqual([
      graduate.curp,
      200,
      'application/pdf',
    ]);
    expect(bytes.toString('latin1')).toMatch(/^%PDF-/);
    now = new Date('2026-11-20T19:00:00Z');
    expect((await bytesAt(data.url_constancia)).response.status).toBe(410);
    expect(sandbox.calls.map(({ units }) => units)).toEqual([2, 0, 0]);
  });

  it('distinguishes a wrong type, an unknown token and a forged signature', async () => {
    const { files } = await download();
    const link = files.pdf.url ?? '';
    const statusOf = async (changed: string) => (await bytesAt(changed)).response.status;
    expect(await statusOf(link.replace('/pdf?', '/doc?'))).toBe(400);
    expect(await statusOf(link.replace(/archivo\/[^/]+/, `archivo/${crypto.randomUUID()}`))).toBe(410);
    expect(await statusOf(link.replace(/signature=./, 'signature=x'))).toBe(403);
    expect(await statusOf(link.replace('/pdf?', '/xml?'))).toBe(403);
    expect(await statusOf(link.replace(/expires=\d/, 'expires=9'))).toBe(403);
    expect(await statusOf(link)).toBe(200);
  });

  it('starts with the host of the request', async () => {
    const base = sandbox.url.replace('127.0.0.1', 'localhost');
    const { body } = await createSandboxClient({ ...sandbox, url: base }).query(CONSTANCIA, { curp: graduate.curp });
    expect((body as { data: { url_constancia: string } }).data.url_constancia).toMatch(new RegExp(`^${base}/`));
  });
});

describe('the 32-D opinion', () => {
  it('is only a PDF', async () => {
    const reply = await client.json('/private/32d-imss', {
      sujeto_obligado: employerWithLinks.obligatedSubjectId,
      rfc: employerWithLinks.rfc,
      curp: graduate.curp,
      tipo: 'x',
    });
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(reply.body).toMatch(/^%PDF-/);
  });
});
