import type { IncomingMessage, ServerResponse } from 'node:http';
import { OTHER_TOKEN } from '../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../src/extensions/sandbox/data/people';
import { ownPrices } from '../../src/registry/endpoint/price-list';
import { SignedLinkClient } from '../../src/registry/signed-links';
import { findOrThrow } from '../support/find-or-throw';
import { payer, receiptsIn } from '../support/operations/employer-graph';
import { runPadronBehindProxy } from '../support/padrons/padron-behind-proxy';
import { waitUntil } from '../support/proxies/deferred';
import { noProxies } from '../support/proxies/no-proxies';
import type { RelayedAnswer } from '../support/proxies/tampering-proxy';
import { startServer } from '../support/start-server';

interface FileServer {
  readonly origin: string;
  readonly host: string;
  readonly requests: readonly IncomingMessage[];
  close(): Promise<void>;
}

const pdf = (response: ServerResponse): unknown => response.end('%PDF-1.7 x %%EOF');

async function startFiles(answer = pdf): Promise<FileServer> {
  const requests: IncomingMessage[] = [];
  const { url: origin, close } = await startServer((request, response) => {
    requests.push(request);
    answer(response);
  });
  return { origin, host: new URL(origin).host, requests, close };
}

let service: FileServer;
let elsewhere: FileServer;
beforeEach(async () => {
  [service, elsewhere] = [await startFiles(), await startFiles()];
});
afterEach(() => Promise.all([service, elsewhere].map(({ close }) => close())));

const file = 'url content contentProblem { code }';
const filesOf = (fields: string, period = '2025-02') => `employer(registration: "${payer.registration}") {
  receiptFiles(period: "${period}", folio: "${receiptsIn(payer, period)[0]?.folio}") { ${fields} } }`;
/** An answer of a download, with other members in its PDF. */
const withPdf = ({ json }: RelayedAnswer, members: object) => {
  const body = json as { readonly files: { readonly pdf: object } };
  return { json: { ...body, files: { ...body.files, pdf: { ...body.files.pdf, ...members } } } };
};
const graduate = findOrThrow(people, ({ licences }) => licences.length > 0);

function readerOf(...origins: readonly string[]) {
  const client = new SignedLinkClient({
    origins,
    timeoutMs: 2_000,
    maxBytes: 1_000,
    concurrency: 2,
    proxies: noProxies,
  });
  const caller = { bearer: null, account: '', tenant: '', sandbox: false, usesServerToken: false, permissions: null };
  const reader = client.reader({ caller, request: {}, signal: new AbortController().signal, prices: ownPrices });
  return { read: reader.read, close: () => client.close() };
}

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
    ['another server behind a backslash', () => `http://${elsewhere.host}\\@${service.host}/file`],
    ['a server whose name is broken by a line', () => `http://${service.host.replace('.', '.\n')}/file`],
    ['a script', () => 'javascript:alert(1)'],
    ['another scheme with our address', () => `ftp://${service.host}/file`],
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

  it('is fetched from the service exactly as it is, without credentials even if it contains some', async () => {
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
    '/a/./b/../c/file.pdf?signature=x',
    '/a//b/%2e%2e/%7Euser/%zz?signature=%2b%2B',
    "/it's|{x}^`y`?filter[a]='b'|{c}^\"d\"&e=<f>",
    '/a;b=c,d?x=1?y=2&&z=',
    '/a\\b?c\\d',
    '/?',
    '?signature=only',
  ])('is fetched byte for byte as it was signed: %s', async (target) => {
    const reader = readerOf(service.origin);
    expect(await reader.read(`${service.origin}${target}`)).toHaveProperty('bytes');
    expect(await reader.read(`  HTTP://${service.host}${target}#page=2\n`)).toHaveProperty('bytes');
    await reader.close();
    const sent = target.startsWith('/') ? target : `/${target}`;
    expect(service.requests.map(({ url }) => url)).toEqual([sent, sent]);
  });

  it('is changed only where a request cannot contain a character', async () => {
    const reader = readerOf(service.origin);
    expect(await reader.read(`${service.origin}/cédula de ñ?x=é%C3%A9 \u{1f600}`)).toHaveProperty('bytes');
    await reader.close();
    expect(service.requests.map(({ url }) => url)).toEqual([
      '/c%C3%A9dula%20de%20%C3%B1?x=%C3%A9%C3%A9%20%F0%9F%98%80',
    ]);
  });

  it.each([
    ['there were too many requests', 429, 'LINK_UNREACHABLE'],
    ['its time is over', 410, 'LINK_EXPIRED'],
    ['it leads elsewhere', 302, 'UNUSABLE_FILE'],
    ['it is empty', 204, 'UNUSABLE_FILE'],
    ['it is only a part', 206, 'UNUSABLE_FILE'],
  ])('reports that %s (%i)', async (_, status, code) => {
    const { origin, close } = await startFiles((response) =>
      response.writeHead(status, { location: elsewhere.origin }).end(status === 204 ? undefined : '%PDF-1.7 x %%EOF'),
    );
    const reader = readerOf(origin);
    expect(await reader.read(`${origin}/file`)).toMatchObject({ problem: { code } });
    await reader.close();
    await close();
    expect(elsewhere.requests).toEqual([]);
  });

  it.each(['javascript:alert(1)', '//files.example/x', 'nothing'])(
    'is not shown if its scheme is not http: %s',
    async (link) => {
      const padron = await runPadronBehindProxy();
      padron.proxy.tamper((answer, { path }) => {
        if (path.endsWith('/descargar')) return withPdf(answer, { url: link });
        const body = answer.json as { readonly data: object };
        return { json: { ...body, data: { ...body.data, url_constancia: link } } };
      });
      const { data } = await padron.ask(`{ ${filesOf(`outcome pdf { ${file} }`)}
        person(curp: "${graduate.curp}") { professionalStatus { outcome record { document { ${file} } } } } }`);
      const calls = padron.proxy.requests.length;
      await padron.stop();
      const withheld = { url: null, content: null, contentProblem: { code: 'UNUSABLE_FILE' } };
      expect(data).toEqual({
        employer: { receiptFiles: { outcome: 'FOUND', pdf: withheld } },
        person: { professionalStatus: { outcome: 'FOUND', record: { document: withheld } } },
      });
      expect(calls).toBe(2);
    },
  );

  it.each([
    ['is not followed elsewhere', false],
    ['is followed to an origin that the operator names, without the token', true],
  ])('%s', async (_, isNamed) => {
    const padron = await runPadronBehindProxy(isNamed ? { LINK_ORIGINS: elsewhere.origin } : {});
    const url = `${elsewhere.origin}/file`;
    padron.proxy.tamper((answer, { path }) =>
      path.endsWith('/descargar') ? withPdf(answer, { url, size_bytes: null }) : null,
    );
    const { data } = await padron.ask(`{ ${filesOf('pdf { content contentProblem { code } }')} }`);
    await padron.stop();
    const { pdf } = data.employer.receiptFiles;
    expect(pdf.contentProblem?.code ?? null).toBe(isNamed ? null : 'LINK_NOT_ALLOWED');
    expect(elsewhere.requests.map(({ headers }) => headers.authorization)).toEqual(isNamed ? [undefined] : []);
    expect(JSON.stringify(elsewhere.requests.map(({ headers }) => headers))).not.toContain('sandbox-token');
  });
});

describe('links that do not answer', () => {
  it('delay only links of the same account', async () => {
    const padron = await runPadronBehindProxy({ REGISTRY_CONCURRENCY: '2', REGISTRY_TIMEOUT_MS: '1500' });
    const { proxy } = padron;
    const isHanging = (path: string): boolean => path.startsWith('/hanging/');
    proxy.standIn(({ path }) => (isHanging(path) ? () => undefined : null));
    proxy.tamper(({ json }, { path, headers }) => {
      if (!path.endsWith('/descargar') || headers.authorization !== `Bearer ${OTHER_TOKEN}`) return null;
      const body = json as { readonly files: { readonly pdf: object; readonly xml: object } };
      const { pdf, xml } = body.files;
      const url = `${proxy.url}/hanging/${proxy.requests.length}`;
      return { json: { ...body, files: { pdf: { ...pdf, url }, xml: { ...xml, url: `${url}/xml` } } } };
    });
    const query = (period: string) => `{ ${filesOf(`pdf { ${file} } xml { ${file} }`, period)} }`;
    const hangingAnswers = ['2025-02', '2025-03', '2025-04'].map((period) =>
      padron.ask(query(period), {}, { authorization: `Bearer ${OTHER_TOKEN}` }),
    );
    await waitUntil(() => proxy.requests.filter(({ path }) => isHanging(path)).length === 2);
    const { data } = await padron.ask(query('2025-02'));
    const hanging = proxy.requests.filter(({ path }) => isHanging(path)).length;
    for (const answer of await Promise.all(hangingAnswers)) {
      expect(answer.data.employer.receiptFiles.pdf.contentProblem).toEqual({ code: 'LINK_UNREACHABLE' });
    }
    await padron.stop();
    const { pdf, xml } = data.employer.receiptFiles;
    expect([pdf.contentProblem, xml.contentProblem, hanging]).toEqual([null, null, 2]);
  });
});
