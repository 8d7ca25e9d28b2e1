import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignedLinkClient } from '../../src/registry/signed-links';
import { payer, receiptsIn } from '../support/employer-graph';
import { runPadronBehindProxy } from '../support/padron-behind-proxy';
import { faultsOf, KEY_SET } from '../support/settings';

interface FileServer {
  readonly origin: string;
  readonly host: string;
  readonly requests: readonly IncomingMessage[];
  readonly server: Server;
}

async function startFiles(): Promise<FileServer> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    response.end('%PDF-1.7 x');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin: `http://${host}`, host, requests, server };
}

let service: FileServer;
let elsewhere: FileServer;
beforeEach(async () => {
  [service, elsewhere] = [await startFiles(), await startFiles()];
});
afterEach(() => {
  for (const { server } of [service, elsewhere]) {
    server.closeAllConnections();
    server.close();
  }
});

const readerOf = (...origins: readonly string[]) =>
  new SignedLinkClient({ origins, timeoutMs: 2_000, maxBytes: 1_000, concurrency: 2 });

describe('a signed link', () => {
  it.each<[string, () => string]>([
    ['another server', () => `${elsewhere.origin}/file`],
    ['another server behind our name as its user', () => `http://${service.host}@${elsewhere.host}/file`],
    ['another server with our name in its path', () => `${elsewhere.origin}/${service.origin}`],
    ['another server with our name in its fragment', () => `${elsewhere.origin}#${service.origin}`],
    ['a name that begins like ours', () => `${service.origin}.example/file`],
    ['another name of this machine', () => `http://localhost:${service.host.split(':')[1]}/file`],
    ['another scheme', () => `https://${service.host}/file`],
    ["a cloud's metadata", () => 'http://169.254.169.254/latest/meta-data/'],
    ['a file of this machine', () => 'file:///etc/passwd'],
    ['data', () => 'data:application/pdf;base64,JVBERi0='],
    ['no address', () => '/file'],
    ['nothing', () => ''],
  ])('is not followed to %s', async (_, link) => {
    const reader = readerOf(service.origin);
    const content = await reader.read(link());
    await reader.close();
    expect(content).toMatchObject({ problem: { code: 'LINK_NOT_ALLOWED' } });
    expect([...service.requests, ...elsewhere.requests]).toEqual([]);
    expect(JSON.stringify(content)).not.toContain(link() || 'nothing at all');
  });

  it('is followed to the service, exactly as it is, with no credentials even if it names some', async () => {
    const reader = readerOf(service.origin);
    const signed = '/archivo/x/pdf?expires=1&signature=a%2Bb';
    const { host } = service;
    for (const link of [`${service.origin}${signed}`, `http://user:secret@${host}${signed}`])
      expect(await reader.read(link)).toHaveProperty('bytes');
    await reader.close();
    expect(service.requests.map(({ url }) => url)).toEqual([signed, signed]);
    expect(service.requests.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
  });

  it.each([
    ['is not followed elsewhere', '', null],
    ['is followed to an origin that the operator names, without the token', 'named', 1],
  ])('%s', async (_, named, fetched) => {
    const padron = await runPadronBehindProxy(named === '' ? {} : { LINK_ORIGINS: elsewhere.origin });
    padron.proxy.tamper((answer, { path }) => {
      const body = answer.json as { readonly files: { readonly pdf: object } };
      if (!path.endsWith('/descargar')) return null;
      return {
        json: { ...body, files: { ...body.files, pdf: { ...body.files.pdf, url: `${elsewhere.origin}/file` } } },
      };
    });
    const { data } = await padron.ask(
      `{ employer(registration: "${payer.registration}") { receiptFiles(period: "2025-02", folio: "${
        receiptsIn(payer, '2025-02')[0]?.folio
      }") { outcome pdf { content contentProblem { code } } } } }`,
    );
    await padron.stop();
    const { pdf } = data.employer.receiptFiles;
    expect(pdf.contentProblem?.code ?? null).toBe(fetched === null ? 'LINK_NOT_ALLOWED' : null);
    expect(elsewhere.requests.map(({ headers }) => headers.authorization)).toEqual(fetched === null ? [] : [undefined]);
    expect(JSON.stringify(elsewhere.requests.map(({ headers }) => headers))).not.toContain('sandbox-token');
  });
});

describe('what travels in clear', () => {
  it.each([
    ['REGISTRY_URL', 'http://registry.example'],
    ['REGISTRY_URL', 'http://10.0.0.7:8080'],
    ['REGISTRY_URL', 'http://127.0.0.1.example'],
    ['REGISTRY_URL', 'http://localhost.example'],
    ['REGISTRY_URL', 'http://0.0.0.0:80'],
    ['JWT_JWKS_URL', 'http://id.example/keys'],
    ['LINK_ORIGINS', 'http://files.example'],
    ['LINK_ORIGINS', 'https://files.example, http://10.0.0.7'],
  ])('stays within this machine: %s=%s is refused', (name, value) => {
    const faults = faultsOf({ ...(name.startsWith('JWT') ? { REGISTRY_TOKEN: 'x', ...KEY_SET } : {}), [name]: value });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(new RegExp(`^${name} must use https: outside loopback`));
  });

  it.each([
    ['REGISTRY_URL', 'http://127.0.0.1:4010'],
    ['REGISTRY_URL', 'http://[::1]:4010'],
    ['JWT_JWKS_URL', 'http://localhost:8080/keys'],
    ['LINK_ORIGINS', 'http://127.0.0.1:4011,https://files.example'],
    ['CORS_ORIGINS', 'http://desk.example'],
  ])('may be %s=%s', (name, value) => {
    expect(faultsOf({ ...(name.startsWith('JWT') ? { REGISTRY_TOKEN: 'x', ...KEY_SET } : {}), [name]: value })).toEqual(
      [],
    );
  });
});
