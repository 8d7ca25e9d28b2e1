import { employers } from '../../../../src/extensions/sandbox/data/employers';
import { people } from '../../../../src/extensions/sandbox/data/people';
import { findReceipts } from '../../../../src/extensions/sandbox/documents/receipts';
import { findOrThrow } from '../../../support/find-or-throw';
import { createSandboxClient } from '../../../support/sandbox/sandbox-client';
import { sandboxForTests } from '../../../support/sandbox/sandbox-for-tests';
import { NOW } from '../../../support/sandbox/sandbox-questions';

const sandbox = sandboxForTests({ clock: () => NOW });

describe('a signed link', () => {
  it('gives the file, and distinguishes a wrong type, an unknown token and a forged signature', async () => {
    const employer = findOrThrow(employers, ({ owes, linksInline }) => !owes && linksInline);
    const [receipt] = findReceipts(employer, '202603', NOW);
    const { body } = await createSandboxClient(sandbox).json('/private/comprobantes-fiscales/descargar', {
      registro_patronal: employer.registration,
      anio: 2026,
      mes: 3,
      folio_sua: receipt?.folio,
    });
    const { url: link } = (body as { files: { pdf: { url: string } } }).files.pdf;
    const statusOf = async (changed: string) => (await fetch(changed)).status;
    expect(await statusOf(link.replace('/pdf?', '/doc?'))).toBe(400);
    expect(await statusOf(link.replace(/archivo\/[^/]+/, `archivo/${crypto.randomUUID()}`))).toBe(410);
    expect(await statusOf(link.replace(/signature=./, 'signature=x'))).toBe(403);
    expect(await statusOf(link.replace('/pdf?', '/xml?'))).toBe(403);
    expect(await statusOf(link.replace(/expires=\d/, 'expires=9'))).toBe(403);
    const { headers } = await fetch(link);
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="${employer.registration}-202603-${receipt?.folio}.pdf"`,
    );
  });

  it('starts with the host of the request', async () => {
    const { curp } = findOrThrow(people, ({ licences }) => licences.length > 0);
    const client = createSandboxClient({ ...sandbox, url: sandbox.url.replace('127.0.0.1', 'localhost') });
    const { body } = await client.query('/api/sep/grupo/descargar-constancia-profesional', { curp });
    const { url_constancia } = (body as { data: { url_constancia: string } }).data;
    expect(url_constancia).toMatch(/^http:\/\/localhost:/);
  });
});
