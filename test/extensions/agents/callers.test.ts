import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { signedBySecret } from '../../support/keys/identity-provider';
import { uriel } from '../../support/operations/mixed-people';
import { CREDIT } from '../../support/operations/people-endpoints';
import { padronForTests } from '../../support/padrons/padron-for-tests';
import { withPadron } from '../../support/padrons/with-padron';
import { agentsForTests, agreed, callRaw, mcpUrl, message, sendMessage, textOf } from '../../support/requests/agent';

const documents = join(__dirname, '../../../schema/examples');
const secret = 'a-secret-shared-with-the-identity-provider';
const issuer = 'https://login.example.com/tenant';
const { nss } = uriel;

const padron = padronForTests({
  environment: {
    MCP: 'on',
    MCP_MAX_UNITS: '2',
    TRUSTED_DOCUMENTS: documents,
    REGISTRY_TOKEN: SANDBOX_TOKEN,
    JWT_SECRET: secret,
    JWT_ISSUER: issuer,
    PUBLIC_URL: 'https://graph.example.com/padron/',
  },
});

const authorize = (claims: object) => ({
  authorization: `Bearer ${signedBySecret(secret, { iss: issuer, azp: 'assistant', ...claims })}`,
});
const connect = agentsForTests(padron);
const connectAs = (claims: object) => connect({ headers: authorize(claims) });

describe('a client that logs in', () => {
  it('finds the issuer and the scopes of the tools', async () => {
    for (const path of ['', '/mcp']) {
      const response = await fetch(new URL(`/.well-known/oauth-protected-resource${path}`, padron.url));
      expect([response.status, await response.json()]).toEqual([
        200,
        {
          resource: 'https://graph.example.com/padron/mcp',
          authorization_servers: [issuer],
          scopes_supported: expect.arrayContaining(['use_buscar_credito', 'use_obtener_cuenta']),
          bearer_methods_supported: ['header'],
        },
      ]);
    }
  });

  it.each([
    ['no token', ''],
    ['a token that is not a JWT', 'Bearer none'],
    ['a token of another issuer', authorize({ iss: 'https://other.example.com' }).authorization],
    ['an expired token', authorize({ exp: 1_000_000_000 }).authorization],
  ])('is told where by the 401 to %s', async (name, authorization) => {
    for (const method of ['initialize', 'tools/list', 'tools/call']) {
      const response = await sendMessage(
        padron.url,
        { ...message('PersonCredit', { nss }), method },
        { authorization },
      );
      const metadata = 'resource_metadata="https://graph.example.com/padron/.well-known/oauth-protected-resource/mcp"';
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([
        401,
        name === 'no token' ? `Bearer ${metadata}` : `Bearer error="invalid_token", ${metadata}`,
      ]);
      const text = 'This request needs a valid token.';
      const error = { code: -32_000, message: expect.stringContaining(name === 'no token' ? text : 'token') };
      expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: 1, error });
    }
    expect(padron.calls()).toEqual([]);
  });
});

describe('a client with some scopes', () => {
  it('lists the tools of which it can use a field', async () => {
    const listed = async (claims: object) => {
      const { tools } = await (await connectAs(claims)).client.listTools();
      const price = tools.find(({ name }) => name === 'price')?.inputSchema.properties?.tool;
      const names = tools.map(({ name }) => name);
      expect(price).toMatchObject({ enum: names.filter((name) => name !== 'price' && name !== 'spend') });
      return names;
    };
    const credit = { scope: 'use_buscar_credito' };
    expect(await listed(credit)).toEqual(['EndpointPrices', 'PersonCredit', 'PersonProfile', 'price', 'spend']);
    expect(await listed({})).toEqual(['EndpointPrices', 'price', 'spend']);
    // padron takes a subject for a client only if it cannot be an identifier of a person.
    expect(await listed({ ...credit, azp: undefined, sub: nss })).toEqual([
      'EndpointPrices',
      'PersonCredit',
      'PersonProfile',
      'price',
    ]);
  });

  const profileScopes = 'use_buscar_credito use_obtener_cuenta padron_find_identity';

  it('cannot use the consent of a person if both JWTs name no application', async () => {
    const as = (sub: string) => authorize({ azp: undefined, sub, scope: profileScopes });
    const { result } = await callRaw(padron.url, 'PersonProfile', { nss }, {}, as('ana'));
    const consent = { inputResponses: agreed, requestState: result.requestState };
    expect(await callRaw(padron.url, 'PersonProfile', { nss }, consent, as('bruno'))).toMatchObject({
      result: { resultType: 'input_required' },
    });
    expect(padron.calls()).toEqual([]);
  });

  it('is asked for the price that it can spend', async () => {
    const agent = await connectAs({ scope: 'use_buscar_credito' });
    const price = await agent.call('price', { tool: 'PersonProfile', arguments: { nss } });
    expect(price.structuredContent).toMatchObject({ estimatedUnits: 1, atMost: 1 });
    const barred = await (await connectAs({ scope: 'padron_ledger' })).call('price', {
      tool: 'PersonProfile',
      arguments: { nss },
    });
    expect(textOf(barred)).toContain('This caller may not run it. With permission: 6 units.');
    expect(textOf(price)).toContain('- MISSING_PERMISSION, "The caller lacks the permission `use_obtener_cuenta`."');
    expect(await agent.say('PersonProfile', { nss })).toMatch(/^Units: 1 spent/);
    expect(padron.calls()).toEqual([CREDIT]);
    const headers = authorize({ scope: profileScopes });
    const { result } = await callRaw(padron.url, 'PersonProfile', { nss }, {}, headers);
    expect(result.inputRequests.spend.params.message).toContain('This call may cost 3 units. The limit of a call is 2');
    const consent = { inputResponses: agreed, requestState: result.requestState };
    const { result: answer } = await callRaw(padron.url, 'PersonProfile', { nss }, consent, headers);
    expect(answer.content[0].text).toContain('Units: 3 spent');
  });

  it('is told what its JWT lacks to have a sum of its own', async () => {
    expect(await (await connectAs({ azp: undefined, sub: nss })).say('spend')).toBe(
      'The JWT of this client names no application, so the ledger has no sum for it. The issuer of the JWT can add `azp` or `client_id`.',
    );
  });
});

describe('a caller without a valid token', () => {
  it('learns of no tool if the schema is not public', async () => {
    const environment = { MCP: 'on', MAX_UNITS: '9', TRUSTED_DOCUMENTS: documents, INTROSPECTION: 'off' };
    await withPadron({ environment }, async ({ url }) => {
      for (const authorization of ['', 'Bearer none'])
        for (const method of ['tools/list', 'initialize', 'tools/call']) {
          const response = await sendMessage(url, { ...message('price', {}), method }, { authorization });
          expect([response.status, response.headers.get('www-authenticate')]).toEqual([
            401,
            authorization === '' ? 'Bearer' : 'Bearer error="invalid_token"',
          ]);
          expect(await response.json()).toEqual({
            jsonrpc: '2.0',
            id: 1,
            error: {
              code: -32_000,
              message: expect.stringContaining('token'),
              data: { code: 'UNAUTHENTICATED', url: '/graphql/errors/UNAUTHENTICATED' },
            },
          });
        }
      expect((await (await connect({}, { url })).client.listTools()).tools.length).toBeGreaterThan(2);
    });
  });
});

describe('a request that is refused before it is a call', () => {
  const call = message('PersonCredit', { nss });
  const latin1 = Buffer.from(JSON.stringify(message('LicenceSearch', { names: 'PÉREZ' })), 'latin1');

  it.each<readonly [string, unknown, Readonly<Record<string, string>>, number, number, string]>([
    ['a body that is not JSON', '{', {}, 400, -32_700, 'BAD_REQUEST'],
    ['a body that is not UTF-8', latin1, {}, 400, -32_700, 'BAD_REQUEST'],
    [
      'a charset that is unknown',
      '{}',
      { 'content-type': 'application/json; charset=x' },
      415,
      -32_000,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    ['several messages at once', [call, call], {}, 400, -32_600, 'BAD_REQUEST'],
    ['a mistyped header', call, { 'x-tags': 'a' }, 400, -32_600, 'BAD_USER_INPUT'],
    ['a page of another origin', call, { origin: 'https://evil.example' }, 403, -32_000, 'FORBIDDEN'],
  ])('is answered in JSON-RPC: %s', async (_what, body, headers, status, code, name) => {
    const scope = { scope: 'use_buscar_credito use_obtener_cedula' };
    const response = await sendMessage(padron.url, body, { ...authorize(scope), ...headers });
    const error = { code, message: expect.stringMatching(/\w/), data: expect.objectContaining({ code: name }) };
    expect([response.status, await response.json()]).toEqual([
      status,
      { jsonrpc: '2.0', id: status === 403 ? 1 : null, error },
    ]);
    expect(padron.calls()).toEqual([]);
  });

  it('has a damaged argument, which is named', async () => {
    const agent = await connectAs({ scope: 'use_buscar_credito' });
    expect(await agent.say('PersonCredit', { nss: '0415\ufffd600263' })).toMatch(/BAD_USER_INPUT.*\$nss.*was damaged/);
    expect(padron.calls()).toEqual([]);
  });

  it.each([undefined, 'application/json'])('is the end of a session, with the content type %s', async (type) => {
    const headers = {
      ...authorize({}),
      accept: 'application/json, text/event-stream',
      'mcp-session-id': 'x',
      ...(type === undefined ? {} : { 'content-type': type }),
    };
    const response = await fetch(mcpUrl(padron.url), { method: 'DELETE', headers });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code: expect.any(Number) } });
  });
});

describe('the tools', () => {
  it('are not served if a query has the name of a tool of padron', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'padron-tools-'));
    writeFileSync(join(folder, 'price.graphql'), 'query price { registryUnitPrice }');
    const environment = { MCP: 'on', MAX_UNITS: '9', TRUSTED_DOCUMENTS: folder };
    await expect(withPadron({ environment }, async () => undefined)).rejects.toThrow(
      'MCP: padron has its own tool price. Rename the query price.',
    );
    rmSync(folder, { recursive: true });
  });

  it('are not served unless MCP is on, and have no issuer without JWTs', async () => {
    const resource = (url: string) => new URL('/.well-known/oauth-protected-resource/mcp', url);
    await withPadron({}, async ({ url }) => expect((await sendMessage(url, message('price', {}))).status).toBe(404));
    const environment = { MCP: 'on', MAX_UNITS: '9', TRUSTED_DOCUMENTS: documents };
    await withPadron({ environment }, async ({ url }) => expect((await fetch(resource(url))).status).toBe(404));
  });
});
