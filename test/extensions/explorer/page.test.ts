import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { buildASTSchema, GraphQLObjectType, parse } from 'graphql';
import { request } from 'undici';
import type { ExplorerSettings } from '../../../schema/explorer-settings';
import { terms } from '../../../src/extensions/explorer/page/glossary-terms';
import { startSandbox } from '../../../src/extensions/sandbox/service';
import type { Padron } from '../../../src/server/start';
import { post } from '../../support/padrons/padron';
import { startServer } from '../../support/start-server';
import { startExplorer } from './explorer';

const asBrowser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'accept-encoding': 'gzip, deflate, br' };

async function get(url: string, headers: Readonly<Record<string, string>> = asBrowser) {
  const { statusCode, headers: answered, body } = await request(url, { headers });
  const bytes = Buffer.from(await body.arrayBuffer());
  return { status: statusCode, headers: answered, bytes, text: bytes.toString() };
}

describe('the page of the explorer', () => {
  let padron: Padron;
  beforeAll(async () => {
    padron = await startExplorer();
  });
  afterAll(() => padron.stop());

  it('opens for browsers, under a policy that allows nothing from other hosts', async () => {
    const { status, headers, text } = await get(padron.url);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; script-src 'self'; .*frame-ancestors 'none'/,
      ),
    });
    expect(text).not.toMatch(/<script(?![^>]* src="graphql\/explorer\/)/);
    expect(text).not.toMatch(/https?:\/\//);
  });

  it('is not sent again while it is unchanged', async () => {
    const { headers } = await get(padron.url);
    const again = await get(padron.url, { ...asBrowser, 'if-none-match': String(headers.etag) });
    expect({ status: again.status, length: again.bytes.length }).toEqual({ status: 304, length: 0 });
  });

  it.each(['query={__typename}', 'extensions={}', 'documentId=x'])(
    'opens for links with an operation: %s',
    async (search) => {
      for (const accept of ['text/html', asBrowser.accept]) {
        const { status, headers } = await get(`${padron.url}?${search}`, { accept });
        expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      }
      const refused = await get(`${padron.url}?${search}`, { accept: 'text/html', 'apollo-require-preflight': 'true' });
      expect([refused.status, refused.text]).toEqual([406, expect.not.stringContaining('EXPLORER')]);
    },
  );

  it('leaves GraphQL requests to the graph', async () => {
    const asked = await get(`${padron.url}?query={__typename}`, { ...asBrowser, 'apollo-require-preflight': 'true' });
    expect(JSON.parse(asked.text)).toMatchObject({ data: { __typename: 'Query' } });
    const plain = await get(padron.url, { accept: 'application/json', 'apollo-require-preflight': 'true' });
    expect({ status: plain.status, errors: JSON.parse(plain.text).errors.length }).toEqual({ status: 400, errors: 1 });
  });

  it('sends its files in an encoding that the browser accepts, cacheable without limit', async () => {
    const { text } = await get(padron.url);
    const script = /<script type="module" src="([^"]+)"/.exec(text)?.[1] ?? '';
    const address = new URL(script, padron.url).href;
    const [brotli, gzip, plain] = await Promise.all(
      ['br', 'gzip', 'br;q=0'].map((encoding) => get(address, { 'accept-encoding': encoding })),
    );
    expect([brotli, gzip, plain].map((file) => file?.headers['content-encoding'])).toEqual(['br', 'gzip', undefined]);
    for (const file of [brotli, gzip, plain])
      expect(file?.headers).toMatchObject({
        'content-type': expect.stringMatching(/^(text|application)\/javascript; charset=utf-8$/),
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringMatching(/^default-src 'none'; /),
        vary: 'accept-encoding, origin',
      });
    expect(brotli?.bytes.length).toBeLessThan((plain?.bytes.length ?? 0) / 3);
    expect((await get(`${address}.br`)).status).toBe(404);
  });

  it.each(['manifest.json', '..%2Fmain.js', '%2e%2e%2f%2e%2e%2fpackage.json', 'nothing.js', 'constructor'])(
    'has no file %s',
    async (name) => {
      const { status, text } = await get(`${padron.url}/explorer/${name}`);
      expect({ status, errors: JSON.parse(text).errors }).toEqual({
        status: 404,
        errors: [{ message: expect.any(String), extensions: { code: 'NOT_FOUND', url: '/graphql/errors/NOT_FOUND' } }],
      });
    },
  );

  it('has tabs that all run immediately', async () => {
    const { tabs } = JSON.parse((await get(`${padron.url}/explorer/settings.json`)).text) as ExplorerSettings;
    const outcomes = await Promise.all(
      tabs.map(async ({ query, variables, headers }) => {
        const name = /(?:query|mutation) (\w+)/.exec(query)?.[1];
        const body = { query, variables: JSON.parse(variables) };
        const { data, errors } = await post(padron.url, body, JSON.parse(headers));
        const found = [...JSON.stringify(data ?? {}).matchAll(/"outcome":"(\w+)"/g)].map(([, outcome]) => outcome);
        return [name, errors?.[0].extensions.code ?? ([...new Set(found)].join() || 'no lookup')];
      }),
    );
    expect(Object.fromEntries(outcomes)).toEqual({
      PersonProfile: 'FOUND',
      EmployerYear: 'FOUND',
      ReceiptFiles: 'FOUND',
      ComplianceOpinion: 'FOUND',
      LicenceCheck: 'FOUND',
      CertificateCheck: 'FOUND',
      // Its files are attached by the page: see files.test.ts.
      SignatureCheck: 'INVALID_INPUT',
      PersonCredit: 'FOUND',
      MistypedCurp: 'INVALID_INPUT',
      BudgetRejection: 'UNIT_BUDGET_EXCEEDED',
      EndpointPrices: 'no lookup',
    });
  });
});

describe('the explorer in other configurations', () => {
  /** Calls `use` with a padron that has these settings. */
  const withExplorer = async (
    environment: Readonly<Record<string, string>>,
    use: (padron: Padron) => Promise<void>,
  ) => {
    const padron = await startExplorer(environment);
    await use(padron).finally(() => padron.stop());
  };
  const settingsOf = async (padron: Padron): Promise<ExplorerSettings> =>
    JSON.parse((await get(`${padron.url}/explorer/settings.json`)).text);

  it.each([
    ['asks for a token if callers have their own', {}, true],
    ['needs no token if the server has one and trusts every caller', { REGISTRY_TOKEN: 'a-secret' }, false],
  ])('%s', (_what, environment, needsToken) =>
    withExplorer({ REGISTRY_URL: 'http://127.0.0.1:9', ...environment }, async (padron) => {
      const settings = await settingsOf(padron);
      expect(settings).toMatchObject({ needsToken, headers: '{}', sandbox: null });
      expect(JSON.stringify(settings)).not.toMatch(/sandbox-token|a-secret/);
    }),
  );

  it('shows the people, and a valid token, with a standalone sandbox', async () => {
    const sandbox = await startSandbox();
    const padron = await startExplorer({ REGISTRY_URL: sandbox.url });
    const embedded = await startExplorer();
    try {
      const settings = await settingsOf(padron);
      expect({ ...settings, service: 'embedded-sandbox' }).toEqual(await settingsOf(embedded));
      expect(settings.service).toBe('remote-sandbox');
      expect(settings.sandbox?.people.length).toBeGreaterThan(5);
      const [tab] = settings.tabs;
      const body = { query: tab?.query, variables: JSON.parse(tab?.variables ?? '') };
      const { data } = await post(padron.url, body, JSON.parse(settings.headers));
      expect(data.person.credit.outcome).toBe('FOUND');
      await Promise.all(Array.from({ length: 20 }, () => settingsOf(padron)));
    } finally {
      await padron.stop();
      await embedded.stop();
      await sandbox.close();
    }
  });

  it.each([
    ['answers the path otherwise', 200, {}],
    ['refuses it', 404, { 'x-registry-service': 'sandbox' }],
    ['sends elsewhere', 302, { location: '/elsewhere', 'x-registry-service': 'sandbox' }],
  ])(
    'shows no people with a service that %s, which is asked once and without a token',
    async (_what, status, headers) => {
      const asked: IncomingMessage[] = [];
      const service = await startServer((incoming, response) => {
        asked.push(incoming);
        response.writeHead(status, headers).end('{}');
      });
      const padron = await startExplorer({ REGISTRY_URL: service.url, REGISTRY_TOKEN: 'a-secret' });
      try {
        for (let time = 0; time < 3; time += 1)
          expect(await settingsOf(padron)).toMatchObject({ service: 'remote', sandbox: null });
        expect(asked.map(({ method, url, headers }) => [method, url, headers.authorization])).toEqual([
          ['GET', '/sandbox/guide', undefined],
        ]);
      } finally {
        await padron.stop();
        await service.close();
      }
    },
  );

  it('is not served if introspection is off', () =>
    withExplorer({ INTROSPECTION: 'off' }, async (padron) => {
      for (const path of ['', '/explorer/settings.json', '/explorer/explorer.js']) {
        const { status, headers, text } = await get(`${padron.url}${path}`);
        expect(status).toBeGreaterThanOrEqual(400);
        expect(headers['content-type']).toMatch(/^application\/json/);
        expect(JSON.parse(text).errors).toHaveLength(1);
      }
    }));

  it('is not served to clients that bypass the router', () =>
    withExplorer({ SUBGRAPH_SECRET: 'a-secret-of-the-router' }, async (padron) =>
      expect((await get(padron.url)).status).toBe(403),
    ));
});

describe('the glossary', () => {
  it('names fields that the graph has', () => {
    const sdl = readFileSync(join(__dirname, '../../../schema/padron.graphql'), 'utf8');
    const schema = buildASTSchema(parse(sdl), { assumeValidSDL: true });
    const named = terms.flatMap(({ fields }) => fields);
    const missing = named.filter((coordinate) => {
      const [typeName = '', fieldName = ''] = coordinate.split('.');
      const type = schema.getType(typeName);
      return !(type instanceof GraphQLObjectType) || type.getFields()[fieldName] === undefined;
    });
    expect(missing).toEqual([]);
  });
});
